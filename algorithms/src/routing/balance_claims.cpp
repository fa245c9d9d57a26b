#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/balance.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

constexpr char const* bound_of_theorem = "5 tau + M + n/p + p + 2m^2";

/// Claims the counts of the plan, and of the gathering of sizes before it.
void claim_counts(claim_list& claims, schedule_counts const& all) {
  claims.from("lockstep, the plan counted")
      .equal("rounds", "sum over phases of their rounds", static_cast<double>(all.rounds))
      .equal("startups", "phases with words", static_cast<double>(all.startups))
      .equal("words", "sum over phases of the busiest processor's packets",
             static_cast<double>(all.words))
      .equal("volume", "sum over all messages of their packets", static_cast<double>(all.volume))
      .equal("messages", "messages of all rounds that are not empty",
             static_cast<double>(all.messages));
}

}  // namespace

std::vector<claim> balance_claims(bdm_machine const& on, balance_plan const& plan,
                                  balance_way way) {
  auto const p = static_cast<std::uint64_t>(on.p);
  if (p != plan.loads.size())
    throw invalid_argument(
        fmt::format("balance: a plan for {} processors, a machine of {}", plan.loads.size(), on.p));
  auto const n = std::accumulate(plan.loads.begin(), plan.loads.end(), std::uint64_t{0});
  balance_options const options{.packet = on.packet, .tau = on.tau, .way = way};
  bool const by_tree = choose_balance_way(plan, options).is_tree();
  claim_list claims({{{"p", on.p},
                      {"tau", static_cast<double>(on.tau)},
                      {"m", static_cast<double>(on.packet)},
                      {"n", static_cast<double>(n)},
                      {"M", static_cast<double>(std::ranges::max(plan.loads))},
                      {"h", plan.most_readers}}});
  claim_counts(claims, balance_counts(plan, options));
  // Each of two lines has fewer moves than loads and shares that it cuts.
  claims.from("lockstep, additions and moves planned counted").at_most("work", "6p");
  bool const divides = n % p == 0 && n / p % on.packet == 0;
  bool const best_from_one =
      way == balance_way::cheapest && n % p == 0 && std::ranges::count(plan.loads, n) == 1;
  bool const are_powers =
      std::has_single_bit(n) && std::has_single_bit(p) && std::has_single_bit(on.packet);
  constexpr char const* powers = "n, p and m powers of two";
  auto const priced = block_distributed_model{static_cast<double>(on.tau)};
  claims.from("JaJa and Ryu 1994, Theorem 4.1");
  if (!by_tree) claims.at_most("startups", "5").where(powers, are_powers);
  claims.at_most("time", bound_of_theorem)
      .priced_by(priced)
      .where(powers, are_powers)
      .erratum(divides || best_from_one
                   ? ""
                   : "our shares are sent straight, in whole packets; by a tree, which "
                     "Corollary 3.1 has too, they can take fewer words");
  if (divides && !by_tree)
    claims.from("JaJa and Ryu 1994, section 4")
        .at_most("phase_1_words", "M")
        .where(powers, are_powers)
        .at_most("phase_2_words", "n/p")
        .where(powers, are_powers)
        .at_most("phase_3_words", "m^2")
        .where(powers, are_powers);
  if (divides && !by_tree && n / p > on.packet)  // else the paper divides by 0
    claims.at_most("h", "ceil(M/(n/p - m)) + 1").where(powers, are_powers);
  if (divides) return claims;
  return claims.from("lockstep, Theorem 4.1 for every n")
      .at_most("time", std::string(bound_of_theorem) + " + m(h + 3)")
      .priced_by(priced);
}

}  // namespace lockstep
