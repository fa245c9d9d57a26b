#include <lockstep/algorithms/random_access/monotonic_write.hpp>

#include "random_access/monotone_claims.hpp"

namespace lockstep {

std::vector<claim> monotonic_write_claims(int p, std::uint64_t n, std::uint64_t q) {
  return monotone_claims(p, n, q).equal("startups", "q + 5 ceil(log2 p)");
}

}  // namespace lockstep
