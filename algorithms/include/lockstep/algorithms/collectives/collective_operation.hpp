#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/options.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// The collective operations that go by a scheme. `scan` is `exclusive_scan`, too.
enum class collective_operation : std::uint8_t {
  broadcast,
  reduce,
  all_reduce,
  scan,
  scatter,
  gather,
  all_gather,
  reduce_scatter,
  all_to_all,
  barrier
};

/// "all_reduce" and so on, as the function is called.
/// Errors: invalid_argument for none of these.
[[nodiscard]] char const* name_of(collective_operation operation);

/// Lists the schemes of an operation that fit a network, with the switching that it has unless
/// another one is given, and a port rule. With one port the first is what `automatic` takes on a crossbar
/// and on networks that only a tree fits.
[[nodiscard]] std::vector<collective_scheme> schemes_of(collective_operation operation,
                                                        topology const& network,
                                                        std::optional<switching> how = std::nullopt,
                                                        ports with = ports::one);

}  // namespace lockstep
