#pragma once

#include <cstddef>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>

#include "collectives/collective_problem.hpp"
#include "harness/harness.hpp"

namespace lockstep {

/// Finds the scheme by which a collective's short form goes: the one that is asked for or, where that is
/// `automatic`, the first that fits the network.
/// Errors: invalid_argument for a scheme without a short form, or one that does not fit.
[[nodiscard]] collective_scheme textbook_scheme(arguments const& given, collective_kind kind,
                                                collective_scheme asked);

/// Calls the short form. `scheme`: what `textbook_scheme` found; `words`: of a processor's block.
/// Result: what the problem judges.
[[nodiscard]] collective_problem::word_list by_textbook(processor& me, collective_kind kind,
                                                        collective_scheme scheme,
                                                        collective_problem::word_list mine,
                                                        std::size_t words, int root);

}  // namespace lockstep
