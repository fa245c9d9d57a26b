#pragma once

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// A network of the library's own. Its tests compare every answer with a search over its links, so
/// that a machine takes its word, where it checks what other topologies say.
class built_in_network : public topology {};

}  // namespace lockstep::detail
