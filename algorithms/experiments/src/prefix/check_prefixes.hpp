#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/experiments/registry.hpp>

#include "prefix/named_operator.hpp"

namespace lockstep {

/// Whether these are the sums of the values but for rounding: in another order of additions sums in
/// double precision come out otherwise, but never further away than a bound that is known.
[[nodiscard]] bool are_rounded_sums(std::span<double const> prefixes,
                                    std::span<double const> values, prefix_kind kind);

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

/// Requires that the sums of that kind, of the rows of a column of `file`, can be told.
/// Errors: bad_input, which names the rows whose sum has no place in 64 bits.
void require_sums_fit(std::span<std::int64_t const> values, prefix_kind kind,
                      std::string const& file);

/// The same in double precision.
/// Errors: bad_input, which names the rows whose absolute values add up to more than double
/// precision holds; where they do not, no sum of any of them overflows, in whatever order they are
/// added.
void require_sums_fit(std::span<double const> values, prefix_kind kind, std::string const& file);

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
