#include <lockstep/algorithms/sorting/nassimi_sahni_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/stages.hpp"
#include "sorting/counted_order.hpp"
#include "sorting/sort_input.hpp"
#include "sorting/sort_problem.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter lists_at_a_time{
    "l", "merges 2^l lists at a time; there is a key for each 2^l processors", 2, 1, 31};

/// Requires a processor of the first 2^(d - l) for each key.
/// Errors: invalid_argument.
void require_place(arguments const& given, std::uint64_t keys, std::uint64_t places) {
  if (keys > places)
    throw invalid_argument(fmt::format(
        "{} sorts at most {} keys with l = {}, and there are {}; take a larger hypercube or a "
        "smaller l",
        given.network().spec(), places, given[lists_at_a_time], keys));
}

[[nodiscard]] experiment_result run_nassimi_sahni_sort(arguments const& given) {
  int const d = detail::required_hypercube(given.network(), "Nassimi and Sahni's sort").dimension();
  auto const ways = static_cast<int>(given[lists_at_a_time]);
  detail::require_ways(given.network(), ways);
  sort_promises const promises{
      .taken = keys_taken::numbers, .one_port = false, .needs = [](std::uint64_t /*one each*/) {
        return machine_needs{.bytes_each = 3000,  // a key, its copies and subsets
                             .waiting = 3500,
                             .outgrown = 900,
                             .held = "keys and subsets"};
      }};
  auto const places = std::uint64_t{1} << static_cast<unsigned>(d - ways);
  auto const input = keys_from(given, promises.taken, places, promises.needs);
  auto claims = nassimi_sahni_sort_claims(d, ways);
  expect_steps(claims);
  require_place(given, input.size(), places);
  auto result =
      solve_sort(given, input, promises, [&](processor& me, std::vector<sort_element> const& mine) {
        std::optional<sort_element> own;
        if (!mine.empty()) own = mine.front();
        auto const sorted = nassimi_sahni_sort(me, own, ways, counted_order(me));
        return sorted ? std::vector{*sorted} : std::vector<sort_element>{};
      });
  result.claims = std::move(claims);
  return result;
}

}  // namespace

experiment nassimi_sahni_sort_experiment() {
  experiment of{.name = "nassimi-sahni-sort",
                .summary =
                    "stable sort of a key for each 2^l processors, by the ranks of keys in 2^l "
                    "lists at a time",
                .topologies = "hypercube",
                .source =
                    "Nassimi and Sahni, Parallel Permutation and Sorting Algorithms and a New "
                    "Generalized Connection Network, 1982",
                .examples = {"hypercube:6", "hypercube:4", "hypercube:7", "hypercube:8"},
                .parameters = {lists_at_a_time, distribution_of_keys},
                .takes_files = true,
                .run = run_nassimi_sahni_sort};
  std::ranges::move(parameters_of_files(keys_taken::numbers), std::back_inserter(of.parameters));
  return of;
}

}  // namespace lockstep
