#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/sorting/detail/listed.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"
#include "sorting/counted_order.hpp"
#include "sorting/sort_element.hpp"
#include "sorting/sort_input.hpp"

namespace lockstep {

/// A sort of k values on each processor, as a request asks for it.
struct merge_split_sort {
  arguments given;
  std::function<std::vector<claim>(std::uint64_t k)> claims;
  std::vector<int> order_of_ranks{};  ///< as of sort_promises
  std::size_t outgrown = 0;           ///< as of machine_needs
};

/// Makes the sort of a request that is for a hypercube. `claims_of(d, k)`: for 2^d processors.
/// Errors: invalid_argument on another network, which `name` refuses.
[[nodiscard]] merge_split_sort merge_split_sort_on_hypercube(
    arguments const& given, std::string_view name,
    std::vector<claim> (*claims_of)(int d, std::uint64_t k));

using listed_element = detail::listed<sort_element>;

/// The order of the keys, which counts comparisons.
using counted_order_of_listed = counted_order<detail::listed_before<std::less<>>>;

/// A merge-split sort on one processor: puts its k values in that order.
using listed_sort = std::function<std::vector<listed_element>(
    processor& me, std::vector<listed_element> values, counted_order_of_listed const& less)>;

/// Runs `sort(me, k values, less)` on the keys of the request, padded so that there are k on each
/// processor, and checks the result.
/// Errors: those of `merge_split_sort` and `solve_sort`.
[[nodiscard]] experiment_result run_merge_split_sort(merge_split_sort const& of,
                                                     listed_sort const& sort);

/// Completes an experiment of such a sort: its parameters and files, and hypercubes if it names no
/// networks.
[[nodiscard]] experiment merge_split_sort_experiment(experiment of);

}  // namespace lockstep
