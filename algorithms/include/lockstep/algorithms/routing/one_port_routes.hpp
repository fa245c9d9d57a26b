#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// Makes the claims about k routes of one-word records at once, on one port: `concentrate`,
/// `inverse_concentrate` and `monotone_route` as they are, which gain nothing there by running at once.
/// The paper has a lower bound only: of the order of k sqrt(log p) steps for some monotone routes.
/// Errors: invalid_argument for a network that is not a hypercube.
/// **Source** Mayr and Plaxton 1989, section 4.
[[nodiscard]] std::vector<claim> one_port_route_claims(topology const& network, route which,
                                                       std::uint64_t k);

}  // namespace lockstep
