#include <lockstep/algorithms/sorting/multiway_merge_sort.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/detail/required_dimension.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>

#include "sorting/supposed_sizes.hpp"
#include "sorting/written_steps.hpp"

namespace lockstep {

namespace {

[[nodiscard]] claim_list claims_of_plan(multiway_sort_plan const& plan) {
  return claim_list({{{"k", static_cast<double>(plan.k())},
                      {"l", plan.l()},
                      {"m", plan.m()},
                      {"d", plan.d()},
                      {"n", static_cast<double>(plan.n())},
                      {"p", std::ldexp(1.0, plan.d())}}});
}

}  // namespace

multiway_sort_plan::multiway_sort_plan(int d, std::uint64_t n, int l, bool fused,
                                       std::source_location where)
    : m_d(detail::required_dimension(d, "multi-way merge sort", where)),
      m_n(n),
      m_l(l),
      m_fused(fused) {
  if (l < 0 || l > d)
    throw invalid_argument(
        fmt::format("multi-way merge sort: l = {} is not in 0 to {}, the dimensions of the "
                    "hypercube; take one of these",
                    l, d),
        where);
  if (n >> 48U != 0)
    throw invalid_argument(
        fmt::format(
            "multi-way merge sort: {} values are more than can be numbered; take fewer than "
            "2^48",
            n),
        where);
}

multiway_sort_plan multiway_sort_plan::cheapest(int d, std::uint64_t n, bool fused,
                                                std::source_location where) {
  multiway_sort_plan best(d, n, 0, fused, where);
  for (int l = 1; l <= d; ++l)
    if (multiway_sort_plan const other(d, n, l, fused); other.steps() < best.steps()) best = other;
  return best;
}

std::uint64_t multiway_sort_plan::k() const {
  auto const columns = std::uint64_t{1} << static_cast<unsigned>(m());
  return (m_n + columns - 1) / columns;
}

std::vector<multiway_shape> multiway_sort_plan::calls() const {
  std::vector<multiway_shape> calls;
  if (m_l == 0) return calls;
  for (int merged = 0; merged < m(); merged += m_l)
    calls.push_back({.k = static_cast<std::size_t>(k()),
                     .l = std::min(m_l, m() - merged),
                     .m = merged,
                     .fused = m_fused});
  return calls;
}

std::string multiway_sort_plan::formula() const {
  if (m_n == 0 || m_d == 0) return "0";
  if (m_l == 0) return detail::steps_of_merge_sort(m_fused);
  if (m() == 0) return "2k + 2l - 2";
  if (m() <= m_l) return "7k + 2l + 6m - 7";
  auto steps = fmt::format(
      "7k + 7l + m - 7 + (sum of 10k + 5l + {}il - 10, i = 1 .. floor(m/l) - 1)", m_fused ? 6 : 10);
  if (m() % m_l != 0)
    steps += m_fused ? " + 10k + 5m + l floor(m/l) - 10" : " + 10k + 5m + 5l floor(m/l) - 10";
  return steps;
}

double multiway_sort_plan::steps() const { return claims_of_plan(*this).value(formula()); }

void detail::require_multiway_input(processor const& me, multiway_sort_plan const& plan,
                                    std::size_t values) {
  int const d = required_hypercube(me.topology(), "multi-way merge sort").dimension();
  if (d != plan.d())
    throw invalid_argument(
        fmt::format("multi-way merge sort: the plan is for hypercube:{}, and not for {}; make one "
                    "for {} dimensions",
                    plan.d(), me.topology().spec(), d));
  auto const due = even_block(static_cast<std::size_t>(plan.n()), me.size(), me.rank()).count;
  if (values != due)
    throw invalid_argument(fmt::format(
        "multi-way merge sort: processor {} has {} values, and its even block of {} has "
        "{}; deal them out evenly",
        me.rank(), values, plan.n(), due));
  require_places("multi-way merge sort", me, values);
}

std::vector<claim> multiway_merge_sort_claims(multiway_sort_plan const& plan) {
  auto claims = claims_of_plan(plan);
  claims.from("lockstep, the program's own steps").equal("steps", plan.formula());
  if (plan.n() == 0 || plan.d() == 0) return claims;
  if (plan.l() == 0)
    return claims.from("Mayr and Plaxton 1989, 4")
        .at_most("steps", "sum of 6k + 12i, i = 0 .. d - 1");
  claims.from("Mayr and Plaxton 1989, 4")
      .at_most("steps", detail::steps_by_calls)
      .where(detail::few_values)
      .about("steps", detail::steps_approximately)
      .where(detail::few_values)
      .erratum(plan.m() > 0 && plan.m() < plan.l()
                   ? "\"a total cost of approximately\" that: for m < l there is a whole call"
                   : "");
  return claims;
}

}  // namespace lockstep
