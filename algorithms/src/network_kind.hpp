#pragma once

#include <lockstep/topology.hpp>

namespace lockstep {

/// Whether the network is one of these: `is<hypercube>(network)`.
template <class Network>
[[nodiscard]] bool is(topology const& network) {
  return dynamic_cast<Network const*>(&network) != nullptr;
}

}  // namespace lockstep
