#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace lockstep::detail {

/// The largest number of processors for which something is made or counted processor by processor.
/// That takes up to 40 bytes each.
inline constexpr int most_counted_processors = 1 << 25;

/// Says that there is no such number of processors. Errors: invalid_argument, always.
[[noreturn]] void throw_no_processors(char const* of, std::int64_t processors,
                                      std::source_location where);

/// Requires p processors for `of`. Errors: invalid_argument for p < 1.
constexpr void require_processors(char const* of, int processors,
                                  std::source_location where = std::source_location::current()) {
  if (processors < 1) [[unlikely]]
    throw_no_processors(of, processors, where);
}

/// Requires processors that can be gone through one by one.
/// Errors: invalid_argument for p < 1, and for more than `most_counted_processors`.
void require_counted_processors(char const* of, int processors,
                                std::source_location where = std::source_location::current());

/// Says that none of these are there, such as "values". Errors: invalid_argument, always.
[[noreturn]] void throw_empty(char const* of, char const* these, std::source_location where);

/// Requires at least one of these. Errors: invalid_argument for none.
constexpr void require_some(char const* of, std::uint64_t number, char const* these,
                            std::source_location where = std::source_location::current()) {
  if (number == 0) [[unlikely]]
    throw_empty(of, these, where);
}

/// Requires n elements in a processor. Errors: invalid_argument for another number.
void require_elements(char const* of, std::uint64_t given, std::uint64_t n);

/// Requires dimensions of a hypercube. Errors: invalid_argument unless `least` <= d <= 30.
void require_dimensions(char const* of, int d, int least = 0,
                        std::source_location where = std::source_location::current());

/// Errors: invalid_argument, always: element `element` of processor `rank` goes to none of the processors.
[[noreturn]] void throw_no_destination(char const* of, int rank, std::size_t element,
                                       std::int64_t destination, int processors);

}  // namespace lockstep::detail
