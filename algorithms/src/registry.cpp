#include <lockstep/algorithms/registry.hpp>

#include <algorithm>
#include <array>

#include "entries.hpp"

namespace lockstep {

std::span<algorithm const> algorithms() {
  static std::array const all{
      all_to_all_entry(),       all_to_all_direct_entry(), all_to_all_binary_entry(),
      prefix_entry(),           segmented_prefix_entry(),  data_distribution_entry(),
      pipelined_prefix_entry(), concentrate_entry(),       inverse_concentrate_entry(),
      monotone_route_entry(),   msbt_broadcast_entry(),    msbt_sum_entry()};
  return all;
}

algorithm const* find_algorithm(std::string_view name) {
  auto const all = algorithms();
  auto const found = std::ranges::find(all, name, &algorithm::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace lockstep
