#pragma once

#include <memory>
#include <source_location>
#include <string_view>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// Makes the graph of "graph:0-1,1-2,2>0", or of the file that is named behind the colon.
/// Errors: invalid_topology.
[[nodiscard]] std::shared_ptr<topology const> graph_from(std::string_view spec,
                                                         std::source_location where);

}  // namespace lockstep::detail
