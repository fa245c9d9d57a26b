#include <lockstep/algorithms/sorting/bitonic_sort.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "sorting/keys_that_move.hpp"

namespace lockstep {

namespace {

[[nodiscard]] experiment_result run_bitonic_sort(arguments const& given) {
  int const d = detail::required_hypercube(given.network(), "bitonic sort").dimension();
  auto const k =
      instances_from(given, 64);  // bytes of each: its own, the partner's and both merged
  auto const own = generated_numbers(given, static_cast<std::size_t>(given.processors()) * k);
  auto sorted = own;
  std::ranges::sort(sorted);
  auto result = run_and_check(given, {.strict = strictness::always}, [&](processor& me) {
    auto const mine = std::span(own).subspan(static_cast<std::size_t>(me.rank()) * k, k);
    auto const expected = std::span(sorted).subspan(static_cast<std::size_t>(me.rank()) * k, k);
    return std::ranges::equal(bitonic_sort(me, std::vector(mine.begin(), mine.end())), expected);
  });
  result.claims = bitonic_sort_claims(d, k);
  std::vector<std::vector<std::int64_t>> blocks;
  for (std::size_t at = 0; at < sorted.size(); at += k) {
    auto const block = std::span(sorted).subspan(at, k);
    blocks.emplace_back(block.begin(), block.end());
  }
  result.bounds =
      lower_bounds(result.record, keys_that_move(std::span<std::int64_t const>(own), blocks));
  return result;
}

}  // namespace

experiment bitonic_sort_experiment() {
  return {.name = "bitonic-sort",
          .summary = "k values of each processor are sorted by merging with one after the other",
          .topologies = "hypercube",
          .source = "Batcher, Sorting Networks and Their Applications, 1968",
          .examples = {"hypercube:4", "hypercube:1", "hypercube:3", "hypercube:6"},
          .parameters = {instances("values of a processor")},
          .run = run_bitonic_sort};
}

}  // namespace lockstep
