#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Where the elements of a processor come in the order of their digits.
struct digit_ranks {
  std::vector<std::uint64_t> first;  ///< rank of its first element with digit v, for each v
  std::uint64_t elements = 0;        ///< n, of all processors
};

/// Digits, 0 .. range-1, that each processor adds up: q = ceil(range/p).
[[nodiscard]] constexpr std::size_t digits_each(std::uint64_t range, int processors) {
  auto const p = static_cast<std::uint64_t>(processors);
  return static_cast<std::size_t>((range + p - 1) / p);
}

/// Errors: invalid_argument, always: an element has no digit below the range.
[[noreturn]] void throw_no_digit(int rank, std::size_t element, std::uint64_t range);

/// Errors: invalid_argument for 2^32 elements or more on a processor.
void require_countable(int rank, std::size_t elements);

/// How many elements have each digit, for p q digits.
/// Errors: invalid_argument for an element whose digit is not below the range.
template <payload_element T, class Digit>
[[nodiscard]] std::vector<std::uint32_t> histogram_of(processor const& me,
                                                      std::span<T const> elements,
                                                      Digit const& digit_of, std::uint64_t range) {
  auto const p = static_cast<std::size_t>(me.size());
  require_countable(me.rank(), elements.size());
  std::vector<std::uint32_t> histogram(digits_each(range, me.size()) * p);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto const digit = std::invoke(digit_of, elements[i]);
    if (std::cmp_less(digit, 0) || std::cmp_greater_equal(digit, range))
      throw_no_digit(me.rank(), i, range);
    ++histogram[static_cast<std::size_t>(digit)];
  }
  return histogram;
}

/// Steps 2 to 7: what the histograms of all processors say about the elements of this one. Phases
/// "counts" and "ranks".
/// `digit`: which of several digits it is, from 1 on, for the names of shown values; 0 for the only
/// one.
/// Shows: the blocks of "counts", until they are used up, and of "ranks".
/// Cost: 2(p - 1) rounds, 2 start-ups, 3q(p - 1) words; 3pq additions, each an operation.
[[nodiscard]] digit_ranks ranks_from(processor& me, std::vector<std::uint32_t> const& histogram,
                                     int digit = 0,
                                     std::source_location where = std::source_location::current());

/// The name under which the blocks of an exchange of "counts" or "ranks" are shown; empty without a
/// view.
[[nodiscard]] std::string name_in_view(processor const& me, char const* what, int digit);

}  // namespace lockstep::detail
