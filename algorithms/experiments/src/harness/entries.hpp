#pragma once

#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// What the registry lists, one function for each algorithm.
[[nodiscard]] algorithm all_to_all_entry();
[[nodiscard]] algorithm all_to_all_direct_entry();
[[nodiscard]] algorithm all_to_all_binary_entry();
[[nodiscard]] algorithm prefix_entry();
[[nodiscard]] algorithm segmented_prefix_entry();
[[nodiscard]] algorithm data_distribution_entry();
[[nodiscard]] algorithm pipelined_prefix_entry();
[[nodiscard]] algorithm concentrate_entry();
[[nodiscard]] algorithm inverse_concentrate_entry();
[[nodiscard]] algorithm monotone_route_entry();
[[nodiscard]] algorithm msbt_broadcast_entry();
[[nodiscard]] algorithm msbt_sum_entry();
[[nodiscard]] algorithm transpose_entry();
[[nodiscard]] algorithm broadcast_entry();
[[nodiscard]] algorithm all_gather_entry();
[[nodiscard]] algorithm gather_entry();
[[nodiscard]] algorithm scatter_entry();
[[nodiscard]] algorithm reduce_entry();
[[nodiscard]] algorithm all_reduce_entry();
[[nodiscard]] algorithm h_relation_entry();
[[nodiscard]] algorithm h_relation_direct_entry();
[[nodiscard]] algorithm randomized_routing_entry();
[[nodiscard]] algorithm counting_sort_entry();
[[nodiscard]] algorithm radix_sort_entry();

}  // namespace lockstep
