#pragma once

#include <lockstep/algorithms/sorting/multiway_merge.hpp>

namespace lockstep::textbook {

/// MultiWayMerge (Mayr and Plaxton 1989, section 4). The library's program is the paper's:
/// `detail::multiway_merger::run` has its seven steps, so there is no second one here.
using lockstep::multiway_merge;

}  // namespace lockstep::textbook
