#pragma once

#include <span>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Sets the communications of counting sort, step by step as in section 4.1, beside what section 3 has
/// for transposes of their blocks and for the h-relation, for few and many values.
/// Errors: those of the runs.
[[nodiscard]] paper_table counting_sort_table(std::span<int const> processors);

/// Sets passes and words of radix sort beside section 4.2, whose choice is R = n/p.
/// Errors: those of the runs.
[[nodiscard]] paper_table chosen_radix_table(std::span<int const> processors);

}  // namespace lockstep
