#include "sorting/merge_split_sort.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include "harness/harness.hpp"
#include "harness/long_enough.hpp"
#include "sorting/sort_problem.hpp"

namespace lockstep {

namespace {

/// k of a generated input; a file's keys tell theirs.
[[nodiscard]] constexpr integer_parameter values_of_a_processor() {
  auto k = instances("values of a processor");
  k.of_generated_input = true;
  return k;
}

/// Requires memory to sort k keys on each processor, and to check the result.
/// Errors: invalid_argument for 2^32 keys or more; out_of_memory, with the figures.
void require_memory_for(arguments const& given, std::uint64_t k, std::size_t outgrown) {
  constexpr double bytes_of_a_key = 192;  // own, the other's and those kept; numbered; sorted
  auto const p = static_cast<std::uint64_t>(given.processors());
  if (k * p > static_cast<std::uint64_t>(number_of_keys.most))
    throw invalid_argument(fmt::format("{} keys are more than can be numbered; take at most {}",
                                       k * p, number_of_keys.most));
  require_memory(given, {.bytes_each = bytes_of_a_key * static_cast<double>(k),
                         .waiting = 1700,
                         .outgrown = outgrown,
                         .held = fmt::format("{} keys on each", k),
                         .remedy = "fewer keys"});
}

}  // namespace

merge_split_sort merge_split_sort_on_hypercube(arguments const& given, std::string_view name,
                                               std::vector<claim> (*claims_of)(int d,
                                                                               std::uint64_t k)) {
  auto const d = detail::required_hypercube(given.network(), name).dimension();
  return {given, [claims_of, d](std::uint64_t k) { return claims_of(d, k); }};
}

sort_input merge_split_sort::keys() const {
  auto const k = given[values_of_a_processor()];
  if (!given.request().input) require_memory_for(given, k, outgrown);
  auto asked = given.request();
  asked.parameters["n"] = static_cast<std::int64_t>(k) * given.processors();
  auto input = keys_from(asked, keys_taken::numbers, given[distribution_of_keys],
                         [](std::uint64_t /*there is memory for k each*/) {});
  require_memory_for(given, keys_each(input.size()), outgrown);
  return input;
}

std::uint64_t merge_split_sort::keys_each(std::uint64_t all) const {
  auto const p = static_cast<std::uint64_t>(given.processors());
  return all / p + (all % p > 0 ? 1 : 0);
}

experiment_result run_merge_split_sort(merge_split_sort const& of, listed_sort const& sort) {
  auto const input = of.keys();
  auto const k = of.keys_each(input.size());
  auto claims = of.claims(k);
  auto const asked = long_enough(of.given.request(), claims);
  sort_promises const promises{.taken = keys_taken::numbers,
                               .stable = sorts_rows(of.given),
                               .even_blocks = false,
                               .one_port = false,
                               .order_of_ranks = of.order_of_ranks};
  auto result =
      solve_sort(asked, input, promises, [&](processor& me, std::vector<sort_element> const& mine) {
        auto const first = static_cast<std::uint64_t>(me.rank()) * k;
        auto const sorted =
            sort(me, detail::padded_set<sort_element>(mine, k, 0, first), listed_order{});
        return detail::values_of_set(std::span<listed_element const>(sorted));
      });
  result.claims = std::move(claims);
  result.parameters["k"] = static_cast<std::int64_t>(k);
  return result;
}

experiment merge_split_sort_experiment(experiment of) {
  if (of.topologies.empty()) {
    of.topologies = "hypercube";
    of.examples = {"hypercube:4", "hypercube:1", "hypercube:3", "hypercube:6"};
  }
  of.parameters = {values_of_a_processor(), distribution_of_keys};
  std::ranges::move(parameters_of_files(keys_taken::numbers), std::back_inserter(of.parameters));
  of.takes_files = true;
  return of;
}

}  // namespace lockstep
