#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/library_call.hpp>

namespace lockstep {

/// Up to two records of a processor, of one instance.
template <class T>
using routed_pair = std::array<routed<T>, 2>;

namespace detail {

/// Errors: invalid_argument, always: two records have to cross a link in the same step.
[[noreturn]] void throw_records_share_a_link(route which, std::size_t instance, int rank,
                                             int dimension);

/// Takes out of a place the record that has to cross a dimension, where a processor has
/// 2^`slot_bits` destinations.
/// Errors: invalid_argument if both have to.
template <class T>
[[nodiscard]] routed<T> take_leaving(processor const& me, route which, routed_pair<T>& place,
                                     std::size_t instance, int dimension, int slot_bits) {
  routed<T> leaving;
  for (auto& one : place) {
    bool const crosses =
        one.is_there() && ((one.destination >> slot_bits ^ me.rank()) >> dimension & 1) != 0;
    if (!crosses) continue;
    if (leaving.is_there()) throw_records_share_a_link(which, instance, me.rank(), dimension);
    leaving = std::exchange(one, {});
  }
  return leaving;
}

/// Bit fixing as `fix_bits`, where a processor has room for two records of an instance, and
/// 2^`slot_bits` destinations. A link has room for one all the same.
template <payload_element T>
[[nodiscard]] std::vector<routed_pair<T>> fix_bits_of_two(processor& me, crossing order,
                                                          route which, int slot_bits,
                                                          std::vector<routed_pair<T>> held) {
  auto const& cube = required_hypercube(me.topology(), name_of(which));
  for (std::size_t j = 0; j < held.size(); ++j)
    for (auto const& one : held[j])
      if (one.is_there()) require_destination(cube, which, j, one.destination >> slot_bits);
  show_records(me, held | std::views::join, slot_bits);
  cross_dimensions<routed<T>>(
      me, cube.dimension(), held.size(), order,
      [&](std::size_t j, int dimension) {
        return take_leaving(me, which, held[j], j, dimension, slot_bits);
      },
      [&](std::size_t j, int /*dimension*/, routed<T> const& arrived) {
        if (!arrived.is_there()) return;
        auto& [one, other] = held[j];
        if (one.is_there() && other.is_there())
          throw_records_meet(which, j, me.rank(), one.destination, arrived.destination);
        (one.is_there() ? other : one) = arrived;
        show_records(me, held | std::views::join, slot_bits);
      });
  return held;
}

}  // namespace detail

/// k concentrations at once of up to two records of a processor: in each instance they go to
/// processors 0, 1, 2, ... in processor order, the first of a processor before its second. Called
/// by all processors of a hypercube or a subcube, with the same k.
///
/// `records`: this processor's records of each instance, or nothing; their destinations are their
/// ranks among those of the instance, at most p - 1.
/// Result: the record that this processor has in the end, of each instance, or nothing.
/// Errors, cost: as `concentrate`; two records never have to cross a link in the same step.
///
/// **Source** Mayr and Plaxton 1989, section 4, MultiWayMerge step 4, mended.
template <payload_element T>
[[nodiscard]] std::vector<std::optional<T>> concentrate_two(
    processor& me, std::span<routed_pair<T> const> records,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const held = detail::fix_bits_of_two<T>(me, detail::crossing::upwards, route::concentration,
                                               0, {records.begin(), records.end()});
  std::vector<std::optional<T>> arrived(held.size());
  for (std::size_t j = 0; j < held.size(); ++j)
    for (auto const& one : held[j])
      if (one.is_there()) arrived[j] = one.value;
  return arrived;
}

/// k inverse concentrations at once to two slots of each processor: in each instance the records of
/// processors 0, 1, 2, ... go to increasing destinations among slots 0 .. 2p-1, where processor
/// q has 2q and 2q + 1.
///
/// `records`: this processor's record of each instance with its slot, or nothing.
/// Result: of each instance, what this processor has in its two slots in the end.
/// Errors, cost: as `concentrate`; two records never have to cross a link in the same step.
///
/// **Source** Mayr and Plaxton 1989, section 4, Merge step 4, whose bound is 2k + 2 log p.
template <payload_element T>
[[nodiscard]] std::vector<std::array<std::optional<T>, 2>> inverse_concentrate_two(
    processor& me, std::span<routed<T> const> records,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  std::vector<routed_pair<T>> held(records.size());
  for (std::size_t j = 0; j < held.size(); ++j) held[j][0] = records[j];
  held = detail::fix_bits_of_two<T>(me, detail::crossing::downwards, route::inverse_concentration,
                                    1, std::move(held));
  std::vector<std::array<std::optional<T>, 2>> arrived(held.size());
  for (std::size_t j = 0; j < held.size(); ++j)
    for (auto const& one : held[j])
      if (one.is_there()) arrived[j][static_cast<std::size_t>(one.destination & 1)] = one.value;
  return arrived;
}

}  // namespace lockstep
