#pragma once

#include <string>

#include <lockstep/experiments/papers.hpp>

namespace lockstep::cli {

/// A row for each point of each curve: panel, reading, curve, its basis, x and us, by the names that
/// the figure gives them.
[[nodiscard]] std::string curves_as_csv(paper_figure const& of);

/// A row for each cross-over: panel, reading, rival, x and us; the last two are empty
/// if it has none.
[[nodiscard]] std::string cross_overs_as_csv(paper_figure const& of);

/// The cross-overs for people, and how what the paper says of the shape came out.
[[nodiscard]] std::string as_text(paper_figure const& of);

}  // namespace lockstep::cli
