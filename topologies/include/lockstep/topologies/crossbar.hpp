#pragma once

#include <lockstep/detail/complete_network.hpp>

namespace lockstep {

/// A crossbar of p processors: every processor has a link to every other, named "processor 5".
///
///   crossbar any_to_any{64};
///
/// p(p-1) links; degree p - 1; diameter 1; bisection width floor(p/2) * ceil(p/2).
/// Everything by formula: p may be in the millions. Errors: invalid_topology for p < 1.
class crossbar final : public detail::complete_network {
 public:
  using complete_network::complete_network;
};

}  // namespace lockstep
