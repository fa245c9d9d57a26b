#include <algorithm>
#include <string>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/exchange/all_to_all_in_fewest_orders.hpp>
#include <lockstep/claim_list.hpp>

#include "exchange/grid_shape.hpp"

namespace lockstep {

std::vector<claim> all_to_all_in_fewest_orders_claims(exchange_schedule const& schedule,
                                                      std::uint64_t words) {
  auto const least = static_cast<double>(fewest_rearrangements(schedule).ranges.size());
  auto claims = all_to_all_claims(schedule, words);
  std::erase_if(claims, [](claim const& one) { return one.figure.starts_with("rearrange"); });
  claim_list all({{{"n", schedule.dimensions()},
                   {"A", schedule.processors()},
                   {"m", static_cast<double>(words)},
                   {"r", least}}});
  bool const suffices = least <= schedule.dimensions() + (schedule.wraps() ? 1 : 0);
  bool const is_plane = schedule.dimensions() == 2;
  auto const* const place =
      schedule.wraps() ? (is_plane ? "3.1.4" : "3.2.3") : (is_plane ? "4.1" : "4.2");
  auto in_order = sizes_in_order(schedule);
  if (is_plane) in_order.is_met = true;  // rows and columns are named by their sizes
  return all.add(claims)
      .from(std::string("Suh and Shin 2001, ") + place)
      .at_most("rearrangements", schedule.wraps() ? "n + 1" : "n")
      .where(in_order)
      .erratum(suffices ? ""
                        : "no orders of the data array for the sends of this schedule take fewer, "
                          "on rings so long, with messages stored as they come")
      .from("lockstep, the fewest orders that serve all sends of messages stored as they come")
      .equal("rearrangements", "r")
      .equal("rearranged", "r Am");
}

}  // namespace lockstep
