#pragma once

#include <source_location>
#include <string_view>

namespace lockstep::detail {

/// The number of dimensions, which has to be that of a hypercube; `what` is what runs there.
/// Errors: invalid_argument for any other than 0 to 30.
[[nodiscard]] int required_dimension(int d, std::string_view what,
                                     std::source_location where = std::source_location::current());

}  // namespace lockstep::detail
