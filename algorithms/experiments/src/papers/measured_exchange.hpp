#pragma once

#include <string>

#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// Runs the complete exchange with blocks of one word on that torus or mesh, strict, and checks
/// what every processor has in the end.
/// Errors: those of machine::run; out_of_memory, naming the network, also where the blocks
/// themselves do not fit.
[[nodiscard]] experiment_result measured_exchange(std::string const& network);

}  // namespace lockstep
