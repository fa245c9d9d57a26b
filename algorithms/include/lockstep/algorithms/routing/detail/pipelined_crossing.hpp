#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <utility>

#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The order in which words cross the dimensions.
enum class crossing : std::uint8_t { upwards, downwards };

/// Lets k words of every processor cross d dimensions of a hypercube, one after the other: on all
/// ports word j crosses its s-th dimension in step j + s.
///
/// `leaving(j, dimension)`: what this processor sends of word j; `arrive(j, dimension, value)`:
/// takes what its neighbour has sent.
/// Cost: k + d - 1 steps on all ports (0 for d = 0 or k = 0), kd on one port; kd messages of a
/// processor.
template <payload_element T, class Leaving, class Arrive>
void cross_dimensions(processor& me, int dimensions, std::size_t words, crossing order,
                      Leaving const& leaving, Arrive const& arrive,
                      std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const k = static_cast<std::int64_t>(words);
  std::int64_t const d = dimensions;
  auto const dimension = [&](std::int64_t s) {
    return static_cast<int>(order == crossing::upwards ? s : d - 1 - s);
  };
  for (std::int64_t step = 0; d > 0 && k > 0 && step < k + d - 1; ++step) {
    auto const first = std::max<std::int64_t>(0, step - k + 1);
    auto const last = std::min(d - 1, step);
    for (auto s = first; s <= last; ++s)
      me.send(me.rank() ^ (1 << dimension(s)),
              leaving(static_cast<std::size_t>(step - s), dimension(s)));
    for (auto s = first; s <= last; ++s)
      arrive(static_cast<std::size_t>(step - s), dimension(s),
             me.receive_value<T>(me.rank() ^ (1 << dimension(s))));
  }
}

}  // namespace lockstep::detail
