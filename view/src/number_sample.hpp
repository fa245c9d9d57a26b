#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <lockstep/detail/matrix_sample.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// As many numbers of a value are on a page one by one; of more, every n-th.
inline constexpr std::size_t most_single_numbers = 256;
/// As many parts a histogram has at most.
inline constexpr std::size_t most_histogram_parts = 32;

/// A page's sample of many numbers: every n-th of them, and how all are spread.
struct number_sample {
  std::size_t count = 0;  ///< of all numbers
  std::size_t every = 1;  ///< n
  shown_numbers numbers{};
  std::size_t not_finite = 0;  ///< which the others leave out
  std::optional<shown_number> least{};
  std::optional<shown_number> most{};
  double mean = 0;
  /// Counts those in equally wide parts from the least to the most.
  std::vector<std::size_t> histogram{};
};

[[nodiscard]] number_sample sample_of(shown_numbers const& numbers);

}  // namespace lockstep::detail
