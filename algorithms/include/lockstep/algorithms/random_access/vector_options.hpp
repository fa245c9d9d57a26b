#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>

namespace lockstep {

/// How vectors are combined where the number of processors is not a power of two.
enum class vector_method : std::uint8_t {
  automatic,  ///< the cheapest of those that the operator allows
  /// Halves vectors among 2^floor(log2 p) processors, to which the others give theirs first: few
  /// start-ups.
  fold,
  exchange,  ///< piece j goes to processor j, in two complete exchanges: few words
  /// Reduce-scatter and all-gather by circular shifts: both are few. For totals alone, by an
  /// operator that commutes.
  circulant
};

/// "auto", "fold", "exchange", "circulant". Errors: invalid_argument for another value.
[[nodiscard]] std::string_view name_of(vector_method method);

/// Which processors come first in a scan. Operands are combined in rank order either way.
enum class scan_direction : std::uint8_t {
  upward,   ///< a processor gets something of those with lower ranks
  downward  ///< of those with higher ranks
};

/// How vectors are combined. All processors say the same.
struct vector_options {
  vector_method method = vector_method::automatic;
  /// The price of a start-up in words, by which `automatic` chooses.
  std::uint64_t startup_words = 1000;
  scan_direction direction = scan_direction::upward;  ///< of a scan
  /// Whether a + b = b + a: then `automatic` may take `circulant` for totals.
  bool commutes = false;
};

/// The start-ups and words that a vector operation takes.
struct vector_counts {
  std::uint64_t startups = 0;
  std::uint64_t words = 0;

  friend bool operator==(vector_counts const&, vector_counts const&) = default;
};

/// Counts what a method costs: `copies` is 2 for the totals or the prefixes alone, 3 for both.
/// `method`: fold, exchange, or, for the totals, circulant.
/// Errors: invalid_argument for p < 1, another number of copies, and words that pass 64 bits.
[[nodiscard]] vector_counts vector_counts_of(
    vector_method method, int p, std::size_t words, int copies,
    std::source_location where = std::source_location::current());

/// Finds the method that is taken: never `automatic`. With a power of two processors fold has the
/// fewest start-ups and words.
/// Errors: invalid_argument for a number that is not a method, p < 1, or circulant where the
/// operator does not commute.
[[nodiscard]] vector_method method_for(
    vector_options const& options, int p, std::size_t words, int copies,
    std::source_location where = std::source_location::current());

}  // namespace lockstep
