#include <lockstep/algorithms/random_access/monotonic_write.hpp>

#include "random_access/monotone_claims.hpp"

namespace lockstep {

std::vector<claim> monotonic_write_claims(int p, std::uint64_t n, std::uint64_t q,
                                          monotonic_way way) {
  bool const is_one = way == monotonic_way::one_all_gather;
  return monotone_claims(p, n, q).equal("startups",
                                        is_one ? "q + ceil(log2 p)" : "q + 5 ceil(log2 p)");
}

}  // namespace lockstep
