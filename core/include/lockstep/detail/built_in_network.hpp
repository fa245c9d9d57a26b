#pragma once

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// A network of the library's own. The tests compare its answers with a search over its links, so a
/// machine does not check them as it checks those of other topologies.
class built_in_network : public topology {};

}  // namespace lockstep::detail
