#pragma once

#include <lockstep/algorithms/routing/h_relation_inputs.hpp>

namespace lockstep {

/// The pattern g-group.
/// Errors: invalid_argument for n, p, h, g, t for which it is not defined, with an example for
/// which it is.
[[nodiscard]] h_relation_input generated_g_group(h_relation_size size);

}  // namespace lockstep
