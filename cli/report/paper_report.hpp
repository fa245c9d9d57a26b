#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/experiments/papers.hpp>

namespace lockstep::cli {

/// All that is shown of a paper's tables.
struct paper_report {
  std::string name;
  std::string source;
  std::vector<paper_table> tables;
  std::vector<printed_figure> figures{};
  double seconds = 0;  ///< wall time
};

/// Whether tables and figures are.
[[nodiscard]] bool all_right(paper_report const& of);

/// For people: for each table its formulas, then for each network the formulas' values, the
/// measured values and the verdicts; the errata that were met, and the conclusion.
[[nodiscard]] std::string as_text(paper_report const& of);

/// For programs: {"paper", "source", "all_right", "tables": [{"title", "rows": [{"network",
/// "algorithm", "correct", "cells": [{"figure", "formula", "claimed", "measured", "verdict",
/// "erratum": {"number", "text"}}]}]}], "figures": [{"title", "text", "as_printed"}],
/// "seconds"}; a time has "paper" and "priced", too. What there is not is null; "erratum" is left out
/// where the verdict is another, and "figures" where the paper has none in text. A figure that is compared
/// with statements of the paper, and not with what it prints, has "as_said" and these as "compared" in the
/// place of "as_printed".
[[nodiscard]] nlohmann::ordered_json as_json(paper_report const& of);

}  // namespace lockstep::cli
