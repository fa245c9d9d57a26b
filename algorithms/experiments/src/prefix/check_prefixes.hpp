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

/// Whether these are, bit for bit, the prefixes of the values that one gets by combining one after
/// another, anew from each value with which an interval `begins`; sums in double precision but for
/// rounding, if there is one interval. For an exclusive kind the operator must have an identity.
template <class Number>
[[nodiscard]] bool are_prefixes(std::span<Number const> prefixes, std::span<Number const> values,
                                named_operator<Number> const& named, prefix_kind kind,
                                std::vector<bool> const& begins = {}) {
  if constexpr (std::floating_point<Number>)
    if (named.is_addition && begins.empty()) return are_rounded_sums(prefixes, values, kind);
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

/// Requires that the sums of that kind, of the rows of a column of `file`, fit into a number.
/// Errors: bad_input, which names the rows whose sum has no place in 64 bits, or, in double
/// precision, whose absolute values add up to more than that holds. Where they do not, no sum of any
/// of them overflows, in whatever order they are added.
template <class Number>
void require_sums_fit(std::span<Number const> values, prefix_kind kind, std::string const& file) {
  using limits = std::numeric_limits<Number>;
  constexpr bool is_whole = std::integral<Number>;
  auto const n = values.size();
  auto const added = is_inclusive(kind) || n == 0 ? n : n - 1;  // all rows, or all but the last
  // Each addition, here and on the machine, makes a sum larger by a factor 1 + epsilon / 2 at most.
  auto const most = static_cast<long double>(limits::max()) /
                    (1 + 2 * static_cast<long double>(limits::epsilon()) *
                             static_cast<long double>(std::max<std::size_t>(added, 1) - 1));
  std::conditional_t<is_whole, Number, long double> sum = 0;
  auto const fits = [&](Number row) {
    if constexpr (is_whole) {
      if (row > 0 ? sum > limits::max() - row : sum < limits::min() - row) return false;
      sum += row;
      return true;
    } else {
      sum += std::abs(static_cast<long double>(row));
      return sum <= most;
    }
  };
  detail::block_in_order<Number> const rows(values, is_forward(kind));
  std::size_t i = 0;
  while (i < added && fits(rows[i])) ++i;
  if (i == added) return;
  auto const excess =
      is_whole ? "a sum that does not fit into 64 bits; write one of the numbers as 1.0, say, and "
                 "all are added in double precision"
               : fmt::format(
                     "absolute values that add up to more than double precision holds "
                     "({:.2g}); give smaller numbers",
                     std::numeric_limits<double>::max());
  throw bad_input(fmt::format("{}: rows {} to {} have {}", file, is_forward(kind) ? 1 : n - i,
                              is_forward(kind) ? i + 1 : n, excess));
}

/// Requires memory for the prefixes of rows of `file`. Errors: bad_input.
template <class Number>
void require_memory_for_prefixes(std::size_t rows, std::uint64_t available,
                                 std::string const& file) {
  // Each is held twice: by its processor, with a mark, and in the result.
  auto const bytes = rows * (sizeof(Number) + sizeof(extended<Number>));
  if (bytes > available)
    throw bad_input(
        fmt::format("{}: the prefixes of {} rows take {} MiB, and {} are available; give a shorter "
                    "file",
                    file, rows, bytes >> 20U, available >> 20U));
}

}  // namespace lockstep
