#pragma once

#include <nlohmann/json.hpp>

#include <lockstep/lower_bounds.hpp>
#include <lockstep/run.hpp>

namespace lockstep::cli {

/// Gives the part of the machine that makes a bound, for a picture: a port, a path or a cut, as the
/// page's data have it; null where no part does.
[[nodiscard]] nlohmann::ordered_json drawing_of(lower_bound const& bound, run_record const& run);

}  // namespace lockstep::cli
