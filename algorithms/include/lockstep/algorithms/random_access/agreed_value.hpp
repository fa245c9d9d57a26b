#pragma once

#include <concepts>
#include <cstddef>
#include <source_location>
#include <span>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/payload.hpp>

namespace lockstep {

/// A value that all operands of a combination have, or a mark that two of them differ. A word like
/// the value alone: the mark travels in its place.
template <payload_element T>
struct agreed_value {
  using counts_as = T;

  T value{};
  bool differs = false;

  agreed_value() = default;
  agreed_value(T const& of) : value(of) {}  // NOLINT(google-explicit-constructor)

  friend bool operator==(agreed_value const&, agreed_value const&) = default;
};

/// x0 + x1 = x0 if both are equal, else the mark, which absorbs all others.
struct agreement {
  static constexpr bool is_commutative = true;

  template <payload_element T>
    requires std::equality_comparable<T>
  [[nodiscard]] agreed_value<T> operator()(agreed_value<T> const& a,
                                           agreed_value<T> const& b) const {
    if (!a.differs && !b.differs && a.value == b.value) return a;
    agreed_value<T> mark;
    mark.differs = true;
    return mark;
  }
};

namespace detail {

/// Throws invalid_argument: elements write different values to that address.
[[noreturn]] void throw_different_values(std::size_t address, std::source_location where);

}  // namespace detail

/// Requires that the elements that write to an address agree on its value. `cells`: combinations by
/// `agreement`, of the addresses from `first_address` on.
/// Errors: invalid_argument, with the first address that is written with different values.
///
/// **Source** Shankar and Ranka 1997, section 1: "if the colliding data values are the same, use
/// that value; otherwise, report an error".
template <payload_element T>
void require_agreement(std::size_t first_address, std::span<extended<agreed_value<T>> const> cells,
                       std::source_location where = std::source_location::current()) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].value.differs) detail::throw_different_values(first_address + i, where);
}

}  // namespace lockstep
