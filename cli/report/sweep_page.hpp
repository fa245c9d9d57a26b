#pragma once

#include <string>
#include <vector>

#include "report/plot.hpp"
#include "report/sweep_report.hpp"

namespace lockstep::cli {

/// Writes a page of HTML that needs no other file: the command, the plots, the table that is printed, and
/// what follows it. The same bytes for the same sweep.
[[nodiscard]] std::string sweep_page(sweep_report const& of, std::vector<plot> const& plots,
                                     std::string const& after_the_table);

}  // namespace lockstep::cli
