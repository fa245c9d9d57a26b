#pragma once

#include <source_location>
#include <string_view>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

/// The dimensions that a network can have, and the processors that follow from one.
struct dimension_range {
  int least;
  int most;
  std::string_view processors;
};

/// Errors: invalid_topology for a dimension that the network cannot have.
inline void require_dimension(std::string_view network, int dimension, dimension_range const& in,
                              std::source_location where) {
  if (dimension < in.least || dimension > in.most)
    throw invalid_topology(
        fmt::format("{} of dimension {} cannot be built: the dimension is {} to {}, for {}",
                    network, dimension, in.least, in.most, in.processors),
        where);
}

}  // namespace lockstep::detail
