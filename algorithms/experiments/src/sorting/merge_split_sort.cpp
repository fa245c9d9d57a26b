#include "sorting/merge_split_sort.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include "harness/harness.hpp"
#include "harness/long_enough.hpp"
#include "sorting/sort_problem.hpp"

namespace lockstep {

namespace {

constexpr auto values_of_a_processor = elements_of_each("values of a processor");

/// The promises of a sort with k keys on each processor, padded where one lacks some.
[[nodiscard]] sort_promises promises_of(merge_split_sort const& of) {
  auto const needs = [&of](std::uint64_t keys) -> machine_needs {
    constexpr double bytes_of_a_key = 192;  // own, the other's and those kept; numbered; sorted
    auto const k = even_block(keys, of.given.processors(), 0).count;
    return {.bytes_each = bytes_of_a_key * static_cast<double>(k),
            .waiting = 1700,
            .outgrown = of.outgrown,
            .held = fmt::format("{} keys on each", k),
            .remedy = "fewer keys"};
  };
  return {.taken = keys_taken::numbers,
          .stable = sorts_rows(of.given),
          .even_blocks = false,
          .one_port = false,
          .order_of_ranks = of.order_of_ranks,
          .needs = needs};
}

}  // namespace

merge_split_sort merge_split_sort_on_hypercube(arguments const& given, std::string_view name,
                                               std::vector<claim> (*claims_of)(int d,
                                                                               std::uint64_t k)) {
  auto const d = detail::required_hypercube(given.network(), name).dimension();
  return {given, [claims_of, d](std::uint64_t k) { return claims_of(d, k); }};
}

experiment_result run_merge_split_sort(merge_split_sort const& of, listed_sort const& sort) {
  auto const p = of.given.processors();
  auto const promises = promises_of(of);
  auto const generated = of.given[values_of_a_processor] * static_cast<std::uint64_t>(p);
  auto const input = keys_from(of.given, promises.taken, generated, promises.needs);
  auto const k = even_block(input.size(), p, 0).count;
  auto claims = of.claims(k);
  auto const asked = long_enough(of.given.request(), claims);
  auto result =
      solve_sort(asked, input, promises, [&](processor& me, std::vector<sort_element> const& mine) {
        auto const first = static_cast<std::uint64_t>(me.rank()) * k;
        auto const sorted = sort(me, detail::padded_set<sort_element>(mine, k, 0, first),
                                 counted_order_of_listed(me));
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
  of.parameters = {values_of_a_processor, distribution_of_keys};
  std::ranges::move(parameters_of_files(keys_taken::numbers), std::back_inserter(of.parameters));
  of.takes_files = true;
  return of;
}

}  // namespace lockstep
