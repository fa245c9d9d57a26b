#pragma once

#include <lockstep/algorithms/sorting/multiway_merge.hpp>

namespace lockstep::textbook {

/// MultiWayMerge (Mayr and Plaxton 1989, section 4). `detail::multiway_merger::run` has the paper's seven
/// steps, step 4 mended (number 14 of docs/errata), so there is no second program here.
using lockstep::multiway_merge;

}  // namespace lockstep::textbook
