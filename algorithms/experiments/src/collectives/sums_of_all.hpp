#pragma once

#include <lockstep/claim_list.hpp>

namespace lockstep {

/// Claims the additions of n sums over all p processors, in which each is made once or, where every
/// processor gets all blocks whole, by all of them.
inline void claim_sums_of_all(claim_list& claims, bool by_all) {
  if (by_all)
    claims.equal("work", "(p - 1)n").equal("operations", "p(p - 1)n");
  else
    claims.equal("operations", "(p - 1)n");
}

}  // namespace lockstep
