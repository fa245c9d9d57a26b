#include "sorting/keys_that_move.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace lockstep {

traffic_requirement keys_that_move(std::vector<std::int64_t> own,
                                   std::vector<std::int64_t> const& sorted, std::size_t k) {
  traffic_requirement needed;
  for (std::size_t at = 0; at < own.size(); at += k) {
    auto const mine = std::span(own).subspan(at, k);
    std::ranges::sort(mine);
    std::vector<std::int64_t> missing;
    std::ranges::set_difference(std::span(sorted).subspan(at, k), mine,
                                std::back_inserter(missing));
    needed.taken_in = std::max(needed.taken_in, std::uint64_t{missing.size()});
    needed.moved += missing.size();
  }
  needed.distance = needed.moved > 0 ? 1 : 0;
  return needed;
}

}  // namespace lockstep
