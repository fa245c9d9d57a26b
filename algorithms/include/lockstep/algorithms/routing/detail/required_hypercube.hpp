#pragma once

#include <source_location>
#include <string_view>

#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// The network as the hypercube that it has to be; `what` is what runs there.
/// Errors: invalid_argument for any other.
[[nodiscard]] hypercube const& required_hypercube(
    topology const& network, std::string_view what,
    std::source_location where = std::source_location::current());

}  // namespace lockstep::detail
