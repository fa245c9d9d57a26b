#pragma once

#include <cstdint>
#include <span>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// The largest bins of a deal beside their bound, floor(n/p^2 + (p - 1)/2), on crossbars with that
/// many processors: for inputs that meet it (n/p = p(p - 1)/2 + p a), with what the largest
/// intermediate holds and the words of real sizes.
/// Errors: those of machine::run.
[[nodiscard]] paper_table tight_bins_table(std::span<int const> processors, std::int64_t a);

/// The same for the bins of Step 4: one processor gets h of n = p^2 elements, about half and many more than
/// n/p; p >= 4.
/// Errors: those of machine::run.
[[nodiscard]] paper_table wide_bins_table(std::span<int const> processors);

/// The same for n = p^2 elements, where no input meets it.
/// Errors: those of machine::run.
[[nodiscard]] paper_table small_bins_table(std::span<int const> processors);

}  // namespace lockstep
