#pragma once

#include <span>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Sets what Steps 2 and 4 of section 3 take beside its T_comm, and their bins beside Eqs. 4 and 5,
/// for h = n/p and more, on crossbars of those processors: in blocks of the paper's size, and in real
/// ones.
/// Errors: those of the runs.
[[nodiscard]] paper_table transposes_table(std::span<int const> processors);

/// Sets the words of both transposes in the blocks of Appendix B beside their sizes; p even.
/// Errors: those of the runs.
[[nodiscard]] paper_table appendix_b_table(std::span<int const> processors);

}  // namespace lockstep
