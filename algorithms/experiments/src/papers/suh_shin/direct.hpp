#pragma once

#include <span>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Makes the table of section 1: Scott's a^3/4 steps, and N - 1, of any direct exchange on an a x a mesh,
/// beside the direct exchange of Fig. 1 on meshes of these sides, powers of two; and beside the proposed one,
/// which combines messages, and so is outside the claim.
///
/// For even a, a^2/2 processors on each side of the middle have a block for as many on the other. A block
/// goes by itself, and over one of the a links of the middle: in a step without contention a blocks do, so
/// it takes a^4/4 / a steps.
/// Errors: those of machine::run.
[[nodiscard]] paper_table direct_exchange_table(std::span<int const> sides);

/// Makes the table of Fig. 1a: the direct exchange on a 2 x 4 mesh, if it has no more processors than that.
/// Errors: those of machine::run.
[[nodiscard]] paper_table direct_exchange_of_figure_1(int most_processors);

}  // namespace lockstep
