#pragma once

#include <string>

#include <lockstep/algorithms/papers.hpp>

namespace lockstep::cli {

/// A row for each point of each curve: network, reading, algorithm, basis, block_bytes, us.
[[nodiscard]] std::string curves_as_csv(paper_figure const& of);

/// A row for each cross-over: network, reading, rival, block_bytes, us; the last two are empty where
/// there is none.
[[nodiscard]] std::string cross_overs_as_csv(paper_figure const& of);

/// The cross-overs for people.
[[nodiscard]] std::string as_text(paper_figure const& of);

/// A script that lets gnuplot print the figure as SVG: a panel for each network and reading, axes
/// logarithmic, cross-over points marked with their block sizes.
[[nodiscard]] std::string as_gnuplot_script(paper_figure const& of);

}  // namespace lockstep::cli
