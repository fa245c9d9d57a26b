#include <lockstep/algorithms/routing/place_by_offset.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

std::size_t taken_position(int rank, std::size_t element, std::int64_t position,
                           std::vector<bool>& taken, std::source_location where) {
  if (std::cmp_less(position, 0) || std::cmp_greater_equal(position, taken.size()))
    throw invalid_argument(
        fmt::format("place_by_offset: element {} that came to processor {} names position {}, and "
                    "there are {}, from 0 on; mend its position, or give more places",
                    element, rank, position, taken.size()),
        where);
  auto const index = static_cast<std::size_t>(position);
  if (taken[index])
    throw invalid_argument(
        fmt::format("place_by_offset: element {} that came to processor {} names position {}, "
                    "which another has taken; mend their positions",
                    element, rank, position),
        where);
  taken[index] = true;
  return index;
}

}  // namespace lockstep::detail
