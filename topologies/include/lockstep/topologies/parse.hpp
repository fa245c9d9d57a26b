#pragma once

#include <memory>
#include <source_location>
#include <string_view>

#include <lockstep/topology.hpp>

namespace lockstep {

/// Makes the topology that a specification names, such as "torus:12x12" or "hypercube:10".
/// lockstep/topologies/catalog.hpp lists all kinds. It reads back what `topology::spec` gives.
/// `machine{"torus:12x12"}` makes a machine of it at once.
/// Errors: invalid_topology, for a specification that cannot be read, and for impossible sizes.
[[nodiscard]] std::shared_ptr<topology const> parse(
    std::string_view spec, std::source_location where = std::source_location::current());

}  // namespace lockstep
