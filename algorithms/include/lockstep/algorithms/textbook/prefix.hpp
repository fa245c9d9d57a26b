#pragma once

#include <lockstep/algorithms/prefix/prefix.hpp>

namespace lockstep::textbook {

/// Prefix on tree, hypercube and shuffle-exchange (Mayr and Plaxton 1989, sections 2.1, 2.2 and
/// 2.3). The library's program is the paper's: `detail::prefix_on_tree`, `prefix_on_hypercube` and
/// `prefix_on_shuffle_exchange` in the header above have its lines, so there is no second one here.
using lockstep::prefix;

}  // namespace lockstep::textbook
