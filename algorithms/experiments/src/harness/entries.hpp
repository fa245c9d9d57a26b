#pragma once

#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// What the registry lists, one function for each algorithm.
[[nodiscard]] experiment all_to_all_entry();
[[nodiscard]] experiment all_to_all_direct_entry();
[[nodiscard]] experiment all_to_all_binary_entry();
[[nodiscard]] experiment prefix_entry();
[[nodiscard]] experiment segmented_prefix_entry();
[[nodiscard]] experiment data_distribution_entry();
[[nodiscard]] experiment pipelined_prefix_entry();
[[nodiscard]] experiment concentrate_entry();
[[nodiscard]] experiment inverse_concentrate_entry();
[[nodiscard]] experiment monotone_route_entry();
[[nodiscard]] experiment msbt_broadcast_entry();
[[nodiscard]] experiment msbt_sum_entry();
[[nodiscard]] experiment transpose_entry();
[[nodiscard]] experiment broadcast_entry();
[[nodiscard]] experiment all_gather_entry();
[[nodiscard]] experiment gather_entry();
[[nodiscard]] experiment scatter_entry();
[[nodiscard]] experiment reduce_entry();
[[nodiscard]] experiment all_reduce_entry();
[[nodiscard]] experiment h_relation_entry();
[[nodiscard]] experiment h_relation_direct_entry();
[[nodiscard]] experiment randomized_routing_entry();
[[nodiscard]] experiment counting_sort_entry();
[[nodiscard]] experiment radix_sort_entry();

}  // namespace lockstep
