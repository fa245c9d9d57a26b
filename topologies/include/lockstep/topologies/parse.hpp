#pragma once

#include <memory>
#include <source_location>
#include <string_view>

#include <lockstep/topology.hpp>

namespace lockstep {

/// The topology that a specification names: "torus:12x12", "mesh:6x10x4", "hypercube:10"
/// (dimension), "shuffle-exchange:10" (dimension), "tree:4" (levels), "crossbar:64" (processors).
/// It reads back what `topology::spec` gives.
/// Errors: invalid_topology, for a specification that cannot be read, and for impossible sizes.
[[nodiscard]] std::shared_ptr<topology const> parse(
    std::string_view spec, std::source_location where = std::source_location::current());

}  // namespace lockstep
