#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "exchange/grid_shape.hpp"

namespace lockstep {

namespace {

/// On a mesh the pairs of step i load a link along each dimension as often as the highest bit of
/// i's coordinate says.
[[nodiscard]] double contention_on_mesh(std::vector<int> const& sizes, int step) {
  int contention = 1;
  for (auto size = sizes.rbegin(); size != sizes.rend(); step /= *size++)
    contention =
        std::max(contention, static_cast<int>(std::bit_floor(static_cast<unsigned>(step % *size))));
  return contention;
}

}  // namespace

std::string unsupported_reason_direct(topology const& network) {
  auto const shape = shape_of(network);
  if (!shape)
    return network.spec() + " is neither a torus nor a mesh; for example mesh:8x16 or torus:8x8";
  return why_no_powers_of_two(*shape);
}

std::vector<claim> all_to_all_direct_claims(topology const& network, std::uint64_t words) {
  if (auto const reason = unsupported_reason_direct(network); !reason.empty())
    throw invalid_argument("the direct exchange claims nothing: " + reason);
  auto const [sizes, wraps] = *shape_of(network);
  double const p = network.size();
  auto const m = static_cast<double>(words);
  auto const equal = comparison::equal;
  std::string const source = "Suh and Shin 2001, Fig. 1";
  std::vector<claim> claims{
      {"steps", "p - 1", p - 1, equal, source},
      {"startups", "p - 1", p - 1, equal, source},
      {"words", "(p - 1)m", (p - 1) * m, equal, source},
      {"volume", "p(p - 1)m", p * (p - 1) * m, equal, source},
      {"messages", "p(p - 1)", p * (p - 1), equal, source},
      {"rearrangements", "0", 0, equal, source},
      {"queued", "0", 0, equal, source},
  };
  if (wraps || p == 1) return claims;

  std::string const counted = "lockstep, links counted";
  double contention = 1;
  double serialised = 0;
  for (int step = 1; step < network.size(); ++step) {
    double const in_step = contention_on_mesh(sizes, step);
    contention = std::max(contention, in_step);
    serialised += in_step;
  }
  double hops = 0;
  for (int const size : sizes) hops += p * (size - 1) / 2;
  claims.push_back({"contention", "N1/2, at least 1", contention, equal, counted});
  claims.push_back({"serialised_steps", "sum of 2^h over the steps", serialised, equal, counted});
  claims.push_back({"hops", "p sum (N_i - 1)/2", hops, equal, counted});
  return claims;
}

}  // namespace lockstep
