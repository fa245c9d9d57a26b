#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Marks a position as taken.
/// Result: the position as an index.
/// Errors: invalid_argument for a position out of range, or that is taken.
[[nodiscard]] std::size_t taken_position(
    int rank, std::size_t element, std::int64_t position, std::vector<bool>& taken,
    std::source_location where = std::source_location::current());

}  // namespace detail

/// Step (5): elements that name a position are put there. Local.
///
/// `arrived`: what came to this processor, in any order. `position_of(element)`: its position, a
/// member or a function. `places`: how many there are.
/// Result: the elements by position; T{} where none came.
/// Errors: invalid_argument for a position out of range, or that two elements name.
///
/// **Cost** no step; O(places).
///
/// **Source** Bader, Helman and JaJa 1996, section 3, Step (5), which Appendix B leaves out.
///
/// **Example**
/// ```
/// struct person { int home; int position; };
/// auto const arrived = lockstep::h_relation(me, people, &person::home).elements;
/// auto const in_order = lockstep::place_by_offset(me, std::span<person const>(arrived),
///                                                 &person::position, arrived.size());
/// ```
template <payload_element T, class Position>
  requires std::default_initializable<T>
[[nodiscard]] std::vector<T> place_by_offset(
    processor const& me, std::span<T const> arrived, Position const& position_of,
    std::size_t places, std::source_location where = std::source_location::current()) {
  std::vector<T> placed(places);
  std::vector<bool> taken(places);
  for (std::size_t i = 0; i < arrived.size(); ++i) {
    auto const named = std::invoke(position_of, arrived[i]);
    placed[detail::taken_position(me.rank(), i, static_cast<std::int64_t>(named), taken, where)] =
        arrived[i];
  }
  return placed;
}

}  // namespace lockstep
