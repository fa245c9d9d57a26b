#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/algorithms/sorting/detail/listed.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"
#include "harness/long_enough.hpp"
#include "sorting/sort_input.hpp"
#include "sorting/sorted_keys.hpp"

namespace lockstep {

/// A sort of k values on each processor of a hypercube, as a request asks for it.
struct merge_split_sort {
  /// Errors: invalid_argument on another network, which `name` refuses.
  merge_split_sort(arguments const& asked, std::string_view name,
                   std::vector<claim> (*claims_of)(int d, std::uint64_t k));

  /// Reads the keys, or generates k for each processor.
  /// Errors: those of `keys_from`; out_of_memory, with the figures.
  [[nodiscard]] sort_input keys() const;

  /// Computes k for that many keys of all processors: those that lack one are padded.
  [[nodiscard]] std::uint64_t keys_each(std::uint64_t all) const;

  arguments given;
  int dimension;
  std::vector<claim> (*claims)(int d, std::uint64_t k);
};

/// Runs `sort(me, k values, less)` on the keys of the request, padded so that there are k on each
/// processor, and checks the result.
/// Errors: those of `merge_split_sort` and `sort_keys`.
template <class Sort>
[[nodiscard]] experiment_result run_merge_split_sort(merge_split_sort const& of, Sort const& sort) {
  return with_typed_keys(of.keys(), [&]<class Key>(keys_in_rows<Key> const& input) {
    auto const k = of.keys_each(input.keys.size());
    auto claims = of.claims(of.dimension, k);
    auto const asked = long_enough(of.given.request(), claims);
    sort_promises const promises{.taken = keys_taken::numbers,
                                 .stable = sorts_rows(of.given),
                                 .even_blocks = false,
                                 .one_port = false};
    auto const program = [&](processor& me, std::vector<numbered_key<Key>> const& mine) {
      using key = numbered_key<Key>;
      auto const first = static_cast<std::uint64_t>(me.rank()) * k;
      auto const sorted = sort(me, detail::padded_set<key>(mine, k, 0, first),
                               detail::listed_before<std::less<>>{});
      return detail::values_of_set(std::span<detail::listed<key> const>(sorted));
    };
    auto result = sort_keys(asked, input, promises, program);
    result.claims = std::move(claims);
    result.parameters["k"] = static_cast<std::int64_t>(k);
    return result;
  });
}

/// Completes an experiment of such a sort: its networks, parameters and files.
[[nodiscard]] experiment merge_split_sort_experiment(experiment of);

}  // namespace lockstep
