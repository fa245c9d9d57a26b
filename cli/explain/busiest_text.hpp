#pragma once

#include <string>

#include <lockstep/experiments/registry.hpp>

#include "in_port_chart.hpp"

namespace lockstep::cli {

/// For people: which in-port is the busiest, how busy it is and when; how many steps any program
/// takes that sends the same messages there; and what that says of each claim on steps that the run
/// did not keep. The chart has to have a busiest in-port.
[[nodiscard]] std::string about_busiest(in_port_chart const& chart,
                                        experiment_result const& result);

}  // namespace lockstep::cli
