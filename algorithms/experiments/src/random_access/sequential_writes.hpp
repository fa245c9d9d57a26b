#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
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

/// The writes of a loop over elements to an array.
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

/// The pairs of a file, and what stands in the array before.
template <class Number>
struct added_pairs {
  std::string const& file;
  std::size_t addresses;
  std::span<std::size_t const> pointers;
  std::span<Number const> values;
  std::span<Number const> before;
};

namespace detail {

__extension__ using wide_sum_of_writes = __int128;

/// Adds up the values written to each address, with more bits than a number has. `value_of`: of a
/// number.
template <class Sum, class Number, class ValueOf>
[[nodiscard]] std::vector<Sum> sums_of(added_pairs<Number> const& of, ValueOf const& value_of) {
  std::vector<Sum> sums(of.addresses);
  for (std::size_t address = 0; address < of.before.size(); ++address)
    sums[address] = value_of(of.before[address]);
  for (std::size_t i = 0; i < of.pointers.size(); ++i)
    sums[of.pointers[i]] += value_of(of.values[i]);
  return sums;
}

/// Requires that each sum fits. Errors: bad_input, with its index and what it does instead.
template <class Sum, class Fits>
void require_each_fits(std::string const& file, std::vector<Sum> const& sums, Fits const& fits,
                       char const* excess) {
  auto const large = std::ranges::find_if_not(sums, fits);
  if (large == sums.end()) return;
  throw bad_input(fmt::format("{}: the values of index {} have a sum that {}", file,
                              large - sums.begin(), excess));
}

}  // namespace detail

/// Requires that sums of values of a file, with what stands at their addresses before, fit.
/// Errors: bad_input, which names the index whose sum has no place in 64 bits or in double precision.
inline void require_sums_fit(added_pairs<std::int64_t> const& of) {
  using wide = detail::wide_sum_of_writes;
  using limits = std::numeric_limits<std::int64_t>;
  auto const fits = [](wide sum) { return limits::min() <= sum && sum <= limits::max(); };
  detail::require_each_fits(
      of.file, detail::sums_of<wide>(of, [](std::int64_t value) { return wide{value}; }), fits,
      "does not fit into 64 bits; write the numbers with \".0\" behind them, and all are added in "
      "double precision");
}

/// The same in double precision.
inline void require_sums_fit(added_pairs<double> const& of) {
  using wide = long double;
  auto const sums =
      detail::sums_of<wide>(of, [](double value) { return static_cast<wide>(value); });
  detail::require_each_fits(
      of.file, sums, [](wide sum) { return std::isfinite(static_cast<double>(sum)); },
      "is more than double precision holds; give smaller numbers");
}

/// Requires that no sum overflowed on the way to an array whose sums fit.
/// Errors: bad_input, with the index.
inline void require_no_overflow(std::string const& file, std::vector<double> const& array) {
  detail::require_each_fits(
      file, array, [](double sum) { return std::isfinite(sum); },
      "fits, and some of them one that is more than double precision holds; give smaller numbers");
}

}  // namespace lockstep
