#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "cell_content.hpp"
#include "in_port_chart.hpp"

namespace lockstep::cli {

/// The chart for people: a row for each processor and a column for each step, in blocks that are as
/// wide as a page, under the names of phases; the meaning of its characters, and the parts left
/// out.
[[nodiscard]] std::string as_text(in_port_chart const& of,
                                  cell_content content = cell_content::senders);

/// For programs: {"ports", "steps", "shown", "rows", "busiest"}.
[[nodiscard]] nlohmann::ordered_json as_json(in_port_chart const& of);

}  // namespace lockstep::cli
