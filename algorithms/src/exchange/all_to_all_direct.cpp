#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>

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

std::vector<block_label> detail::labels_of_pairs(processor const& me, int step) {
  std::vector<block_label> labels;
  for (int other = 0; other < me.size(); ++other) {
    bool const came = (other ^ me.rank()) <= step;
    labels.push_back(came ? block_label{other, me.rank()} : block_label{me.rank(), other});
  }
  return labels;
}

std::string unsupported_reason_direct(topology const& network) {
  auto const shape = shape_of(network);
  if (!shape)
    return network.spec() + " is neither a torus nor a mesh; for example mesh:8x16 or torus:8x8";
  return why_no_powers_of_two(*shape);
}

std::uint64_t direct_exchange_bound(std::uint64_t a, std::source_location where) {
  constexpr std::uint64_t most = 2'000'000;
  if (a > most)
    throw invalid_argument(
        fmt::format("a mesh of side {} is too large for 64-bit counts; take {} at most", a, most),
        where);
  return (a * a * a - (a % 2 == 0 ? 0 : a)) / 4;
}

std::vector<claim> all_to_all_direct_claims(topology const& network, std::uint64_t words) {
  if (auto const reason = unsupported_reason_direct(network); !reason.empty())
    throw invalid_argument("the direct exchange claims nothing: " + reason);
  auto const [sizes, wraps] = *shape_of(network);
  claim_list claims({{{"p", network.size()}, {"m", static_cast<double>(words)}},
                     {{"N_i", {sizes.begin(), sizes.end()}}}});
  claims.table(R"(
    from Suh and Shin 2001, section 1
    steps, startups = p - 1
    from lockstep, of Suh and Shin 2001, section 1
    words = (p - 1)m
    volume = p(p - 1)m
    messages = p(p - 1)
    rearrangements, queued = 0)");
  if (wraps || network.size() == 1) return claims;
  double serialised = 0;
  for (int step = 1; step < network.size(); ++step) serialised += contention_on_mesh(sizes, step);
  return claims.from("lockstep, links counted")
      .with("N1", std::ranges::max(sizes))
      .equal("contention", "N1/2, at least 1")
      .equal("serialised_steps", "sum of 2^h over the steps", serialised)
      .equal("hops", "p sum (N_i - 1)/2");
}

}  // namespace lockstep
