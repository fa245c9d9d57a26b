#pragma once

#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// Errors: invalid_argument for another network than a crossbar.
void require_crossbar(experiment_request const& asked);

/// Errors: invalid_argument where all ports of a processor are to work at once: an algorithm's rounds
/// are steps of one port.
void require_one_port(experiment_request const& asked);

}  // namespace lockstep
