#pragma once

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// A network of the library's own. Tests compare each of its answers with a search over its links,
/// so that a machine need not check them, as it does those of other topologies.
class built_in_network : public topology {};

}  // namespace lockstep::detail
