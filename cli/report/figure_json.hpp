#pragma once

#include <nlohmann/json.hpp>

#include <lockstep/experiments/papers.hpp>

namespace lockstep::cli {

/// A figure for programs: what its axes show, and "points", "cross_overs" and "checks", each a list of objects;
/// those of points and cross-overs have the names of the columns of the CSV files.
[[nodiscard]] nlohmann::ordered_json as_json(paper_figure const& of);

}  // namespace lockstep::cli
