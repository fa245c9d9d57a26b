#include "numeric/numeric_machine.hpp"

#include <algorithm>
#include <cstddef>

namespace lockstep {

experiment_request with_room_for_libraries(experiment_request asked) {
  constexpr std::size_t room = std::size_t{512} * 1024;
  auto const& libraries = asked.libraries;
  if (libraries.transform_doubles || libraries.multiply_doubles)
    asked.options.stack = std::max(asked.options.stack, room);
  return asked;
}

}  // namespace lockstep
