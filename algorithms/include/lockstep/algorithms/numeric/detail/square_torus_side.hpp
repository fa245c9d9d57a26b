#pragma once

#include <string_view>

#include <lockstep/detail/debug_containers.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// Finds the q of a torus of q x q processors.
/// Errors: invalid_argument for another network, with a text that begins as `begin` says.
[[nodiscard]] int side_of_square_torus(topology const& network, std::string_view begin = {});

}  // namespace lockstep::detail
