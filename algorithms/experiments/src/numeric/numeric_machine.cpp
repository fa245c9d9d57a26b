#include "numeric/numeric_machine.hpp"

#include <algorithm>

#include <lockstep/algorithms/collectives/arity.hpp>

namespace lockstep {

std::uint64_t packet_from(arguments const& given) {
  auto packet = numeric_packet;
  packet.fallback = static_cast<std::int64_t>(given.request().options.packet);
  return given[packet];
}

int arity_from(bdm_machine const& on) {
  return tree_arity(on.tau < on.packet ? on.tau : on.tau - on.tau % on.packet, on.packet);
}

experiment_request with_room_for_libraries(experiment_request asked) {
  constexpr std::size_t room = std::size_t{512} * 1024;
  auto const& libraries = asked.libraries;
  if (libraries.transform_doubles || libraries.multiply_doubles)
    asked.options.stack = std::max(asked.options.stack, room);
  return asked;
}

}  // namespace lockstep
