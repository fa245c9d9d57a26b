#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <lockstep/lower_bounds.hpp>
#include <lockstep/run.hpp>

namespace lockstep::cli {

/// Says with its numbers why no program does better than a bound, and names what `drawing`, which is
/// that of `drawing_of`, shows of the run's machine.
[[nodiscard]] std::string sentence_on(lower_bound const& bound, run_record const& run,
                                      nlohmann::ordered_json const& drawing);

}  // namespace lockstep::cli
