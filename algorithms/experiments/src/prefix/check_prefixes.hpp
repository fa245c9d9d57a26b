#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/experiments/registry.hpp>

#include "prefix/named_operator.hpp"

namespace lockstep {

/// Higham's gamma_k = k u / (1 - k u): k roundings, each by a factor 1 + e with |e| <= u, the unit roundoff
/// of that type, make a factor 1 + g with |g| <= gamma_k.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, lemma 3.1.
template <class Number>
[[nodiscard]] long double rounding_bound(std::size_t roundings) {
  auto const all = static_cast<long double>(roundings) *
                   (static_cast<long double>(std::numeric_limits<Number>::epsilon()) / 2);
  return all / (1 - all);
}

/// Whether these are the sums of the values but for rounding: in another order of additions sums in
/// double precision come out otherwise, but never further away than a bound that is known.
///
/// The sum of k numbers, in any order of additions, is off by gamma_(k-1) sum |x_i| at most, and
/// so, with its own unit roundoff, is the reference in extended precision: they lie no further
/// apart than both bounds together. sum |x_i| is a rounded sum as well, which three more roundings
/// of this precision for each row make up for, the bound's own included.
[[nodiscard]] inline bool are_rounded_sums(std::span<double const> prefixes,
                                           std::span<double const> values, prefix_kind kind) {
  detail::block_in_order<double> const found(prefixes, is_forward(kind));
  detail::block_in_order<double> const rows(values, is_forward(kind));
  long double sum = 0;
  long double absolute = 0;
  auto const is_near = [&](double prefix, std::size_t added) {
    auto const additions = added == 0 ? 0 : added - 1;
    auto const bound =
        (rounding_bound<double>(additions) + rounding_bound<long double>(4 * additions)) * absolute;
    return std::abs(static_cast<long double>(prefix) - sum) <= bound;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_inclusive(kind) && !is_near(found[i], i)) return false;
    sum += rows[i];
    absolute += std::abs(static_cast<long double>(rows[i]));
    if (is_inclusive(kind) && !is_near(found[i], i + 1)) return false;
  }
  return true;
}

/// The same for each interval by itself.
[[nodiscard]] inline bool are_rounded_sums(std::span<double const> prefixes,
                                           std::span<double const> values, prefix_kind kind,
                                           std::vector<bool> const& begins) {
  for (std::size_t first = 0, next = 0; first < values.size(); first = next) {
    for (next = first + 1; next < values.size() && !(next < begins.size() && begins[next]);) ++next;
    if (!are_rounded_sums(prefixes.subspan(first, next - first),
                          values.subspan(first, next - first), kind))
      return false;
  }
  return true;
}

/// Whether these are, bit for bit, the prefixes of the values that one gets by combining one after
/// another, anew from each value with which an interval `begins`; sums in double precision but for
/// rounding. For an exclusive kind the operator must have an identity.
template <class Number>
[[nodiscard]] bool are_prefixes(std::span<Number const> prefixes, std::span<Number const> values,
                                named_operator<Number> const& named, prefix_kind kind,
                                std::vector<bool> const& begins = {}) {
  if constexpr (std::floating_point<Number>)
    if (named.is_addition) return are_rounded_sums(prefixes, values, kind, begins);
  detail::block_in_order<Number> const found(prefixes, is_forward(kind));
  detail::block_in_order<Number> const rows(values, is_forward(kind));
  auto const plus = named.as_monoid();
  auto sum = plus.identity;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i < begins.size() && begins[rows.place_of(i)]) sum = plus.identity;
    auto const next = is_forward(kind) ? plus(sum, rows[i]) : plus(rows[i], sum);
    auto const& expected = is_inclusive(kind) ? next : sum;
    if (std::bit_cast<std::uint64_t>(expected.value) != std::bit_cast<std::uint64_t>(found[i]))
      return false;
    sum = next;
  }
  return true;
}

/// Writes which of n rows after the `first` prefix i adds up, in the order in which that kind does:
/// "rows 1 to 3".
[[nodiscard]] inline std::string rows_added(prefix_kind kind, std::size_t n, std::size_t i,
                                            std::size_t first = 0) {
  if (is_forward(kind)) return fmt::format("rows {} to {}", first + 1, first + i + 1);
  return fmt::format("rows {} to {}", first + n - i, first + n);
}

/// How many rows the sums of that kind add up: all, or all but the last of them.
[[nodiscard]] inline std::size_t rows_to_add(prefix_kind kind, std::size_t n) {
  return is_inclusive(kind) || n == 0 ? n : n - 1;
}

/// Whether absolute values add up to so little that no sum of any of them overflows, in whatever order
/// they are added.
[[nodiscard]] inline bool are_sums_surely_in_range(std::span<double const> values) {
  using limits = std::numeric_limits<double>;
  long double sum = 0;
  for (auto const value : values) sum += std::abs(static_cast<long double>(value));
  // Each addition, here and on the machine, makes a sum larger by a factor 1 + epsilon / 2 at most.
  return sum <= static_cast<long double>(limits::max()) /
                    (1 + 2 * static_cast<long double>(limits::epsilon()) *
                             static_cast<long double>(values.size()));
}

/// Requires that the sums of that kind, of the rows of a column of `file` after the `first`, fit into a
/// number.
/// Errors: bad_input, which names the rows whose sum has no place in 64 bits or in double precision.
template <class Number>
void require_sums_fit(std::span<Number const> values, prefix_kind kind, std::string const& file,
                      std::size_t first = 0) {
  constexpr bool is_whole = std::integral<Number>;
  if constexpr (!is_whole)
    if (are_sums_surely_in_range(values)) return;
  std::conditional_t<is_whole, Number, long double> sum = 0;
  auto const fits = [&](Number row) {
    if constexpr (is_whole) {
      using limits = std::numeric_limits<Number>;
      if (row > 0 ? sum > limits::max() - row : sum < limits::min() - row) return false;
      sum += row;
      return true;
    } else {
      sum += static_cast<long double>(row);
      return std::isfinite(static_cast<Number>(sum));
    }
  };
  detail::block_in_order<Number> const rows(values, is_forward(kind));
  auto const added = rows_to_add(kind, values.size());
  std::size_t i = 0;
  while (i < added && fits(rows[i])) ++i;
  if (i == added) return;
  throw bad_input(fmt::format(
      "{}: {} have a sum that {}", file, rows_added(kind, values.size(), i, first),
      is_whole
          ? "does not fit into 64 bits; write the numbers with \".0\" behind them, and all are "
            "added in double precision"
          : fmt::format("is more than double precision holds ({:.2g}); give smaller numbers",
                        std::numeric_limits<double>::max())));
}

/// Requires that no sum overflowed on the way to the prefixes of rows of `file`, which all fit.
/// Errors: bad_input, which names the rows.
inline void require_no_overflow(std::span<double const> prefixes, prefix_kind kind,
                                std::string const& file, std::size_t first = 0) {
  detail::block_in_order<double> const found(prefixes, is_forward(kind));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isfinite(found[i])) continue;
    auto const last = is_inclusive(kind) || i == 0 ? i : i - 1;
    throw bad_input(fmt::format(
        "{}: {} have a sum that fits, and some of them, which are added on the way, one "
        "that is more than double precision holds ({:.2g}); give smaller numbers",
        file, rows_added(kind, found.size(), last, first), std::numeric_limits<double>::max()));
  }
}

}  // namespace lockstep
