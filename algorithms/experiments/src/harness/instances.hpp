#pragma once

#include <cstddef>
#include <cstdint>

#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// The parameter "k": how many of the same go at once. `bytes`: what a processor holds for each.
/// Errors: invalid_argument for less than 1 or more than 50,000; out_of_memory, with the figures, for
/// more than this process may take.
[[nodiscard]] std::size_t instances_from(experiment_request const& asked, std::uint64_t bytes);

}  // namespace lockstep
