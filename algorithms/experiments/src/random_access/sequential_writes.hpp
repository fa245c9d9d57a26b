#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/experiments/registry.hpp>

#include "prefix/check_prefixes.hpp"
#include "random_access/written_operator.hpp"

namespace lockstep {

/// What a loop over elements writes to an array.
template <class Value>
class sequential_writes {
 public:
  /// `before`: what stands at each address; nothing where it is empty.
  sequential_writes(std::size_t addresses, std::span<std::size_t const> pointers,
                    std::span<Value const> values, write_operator<Value> const& by,
                    std::span<Value const> before)
      : m_cells(addresses), m_sums(is_rounded(by) ? addresses : 0) {
    for (std::size_t address = 0; address < before.size(); ++address)
      add(address, before[address], by);
    for (std::size_t i = 0; i < pointers.size(); ++i)
      if (pointers[i] != no_pointer) add(pointers[i], values[i], by);
  }

  /// Whether that is what stands at an address then: sums in double precision but for rounding.
  [[nodiscard]] bool is_right(std::size_t address, extended<Value> const& cell) const {
    auto const& expected = m_cells[address];
    if (cell.is_there != expected.is_there) return false;
    if constexpr (std::floating_point<Value>)
      if (!m_sums.empty()) return m_sums[address].is_near(cell.value);
    return !cell.is_there || cell.value == expected.value;
  }

 private:
  /// A sum in extended precision, with what bounds the rounding of one in double precision, as in
  /// `are_rounded_sums`.
  struct rounded_sum {
    long double sum = 0;
    long double absolute = 0;
    std::size_t numbers = 0;

    [[nodiscard]] bool is_near(double found) const {
      auto const additions = numbers == 0 ? 0 : numbers - 1;
      auto const bound =
          (rounding_bound<double>(additions) + rounding_bound<long double>(4 * numbers)) * absolute;
      return std::abs(static_cast<long double>(found) - sum) <= bound;
    }
  };

  [[nodiscard]] static bool is_rounded(write_operator<Value> const& by) {
    return std::floating_point<Value> && by.is_addition;
  }

  void add(std::size_t address, Value const& value, write_operator<Value> const& by) {
    auto& cell = m_cells[address];
    cell = cell.is_there ? by.plus(cell.value, value) : value;
    if constexpr (std::floating_point<Value>) {
      if (m_sums.empty()) return;
      auto& of = m_sums[address];
      of.sum += value;
      of.absolute += std::abs(static_cast<long double>(value));
      ++of.numbers;
    }
  }

  std::vector<extended<Value>> m_cells;
  std::vector<rounded_sum> m_sums;
};

/// Requires that sums of values of a file, with what stands at their addresses before, fit.
/// Errors: bad_input, which names the index whose sum does not fit into 64 bits, or, in double
/// precision, whose absolute values add up to more than that holds.
template <class Number>
void require_sums_fit(std::string const& file, std::size_t addresses,
                      std::span<std::size_t const> pointers, std::span<Number const> values,
                      std::span<Number const> before) {
  using limits = std::numeric_limits<Number>;
  std::vector<Number> sums(addresses);
  for (std::size_t address = 0; address < before.size(); ++address)
    sums[address] = std::integral<Number> ? before[address] : std::abs(before[address]);
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    auto& sum = sums[pointers[i]];
    auto const value = std::integral<Number> ? values[i] : std::abs(values[i]);
    // Half of the range is left for the rounding of sums in another order.
    constexpr auto most = std::integral<Number> ? limits::max() : limits::max() / 2;
    if (value > 0 ? sum <= most - value : sum >= limits::lowest() - value) {
      sum += value;
      continue;
    }
    throw bad_input(fmt::format(
        "{}: the values of index {} have {}", file, pointers[i],
        std::integral<Number>
            ? "a sum that does not fit into 64 bits; write one of the numbers as 1.0, say, and all "
              "are added in double precision"
            : "absolute values that add up to more than double precision holds; give smaller "
              "numbers"));
  }
}

}  // namespace lockstep
