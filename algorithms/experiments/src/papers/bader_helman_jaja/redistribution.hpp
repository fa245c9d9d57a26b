#pragma once

#include <span>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Makes the table of section 3.3, where a processor has many more elements than any is to get (h1 much
/// larger than h2): routing as they are, and balancing first, on crossbars of those processors, p >= 4. The
/// balance is JaJa and Ryu's, for the redistribution that the paper cites stands in papers that we lack.
/// A claim on words after a balance is judged only for h1 >= 4 h2.
/// Errors: those of machine::run.
[[nodiscard]] paper_table redistribution_table(std::span<int const> processors);

}  // namespace lockstep
