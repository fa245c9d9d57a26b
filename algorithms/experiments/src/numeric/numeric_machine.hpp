#pragma once

#include <lockstep/experiments/experiment.hpp>

namespace lockstep {

/// Copies a request, with stacks on which the libraries that it lends have room.
[[nodiscard]] experiment_request with_room_for_libraries(experiment_request asked);

}  // namespace lockstep
