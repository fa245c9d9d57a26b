#include <lockstep/algorithms/exchange/all_to_all_cyclic.hpp>

#include <algorithm>
#include <bit>

#include <lockstep/claim_list.hpp>

#include "exchange/grid_shape.hpp"

namespace lockstep {

namespace {

/// Finds the d of a 2^d x 2^d mesh.
[[nodiscard]] int dimension_of_square(topology const& network) {
  return std::countr_zero(static_cast<unsigned>(shape_of(network)->sizes.front()));
}

}  // namespace

std::string unsupported_reason_cyclic(topology const& network) {
  auto const shape = shape_of(network);
  bool const is_square = shape && !shape->wraps && shape->sizes.size() == 2 &&
                         shape->sizes[0] == shape->sizes[1] && shape->sizes[0] > 1 &&
                         std::has_single_bit(static_cast<unsigned>(shape->sizes[0]));
  if (is_square) return {};
  return network.spec() +
         " is not a mesh of 2^d x 2^d processors, d >= 1; for example mesh:4x4 or mesh:8x8";
}

namespace detail {

std::vector<cyclic_step> cyclic_steps_of(topology const& network, int rank) {
  int const d = dimension_of_square(network);
  int const side = 1 << d;
  std::vector<cyclic_step> steps;
  for (int k = 0; k < d; ++k) {
    int const distance = 1 << k;
    int const length = std::max(2, distance);  // of the phase
    // From k = 1 on the 2^k pairs in 2^(k+1) processors of a row, or of a column, each take another step. For
    // k = 0 no two pairs share a link, and submeshes take turns.
    int const turn = k == 0 ? rank / side / 2 + rank % side / 2
                            : rank / side % distance + rank % side % distance;
    int const in_row = turn % length;
    int const in_column = (in_row + length / 2) % length;
    for (int step = 0; step < length; ++step) {
      int const bit = step == in_row ? distance : step == in_column ? distance * side : 0;
      steps.push_back({.bit = bit, .distance = distance, .begins_phase = step == 0});
    }
  }
  return steps;
}

block_label cyclic_label(int rank, int place, int bits) {
  return {(rank & ~bits) | (place & bits), (rank & bits) | (place & ~bits)};
}

std::vector<block_label> cyclic_labels(processor const& me, int bits) {
  std::vector<block_label> labels;
  for (int place = 0; place < me.size(); ++place)
    labels.push_back(cyclic_label(me.rank(), place, bits));
  return labels;
}

}  // namespace detail

std::vector<claim> all_to_all_cyclic_claims(topology const& network, std::uint64_t words) {
  if (auto const reason = unsupported_reason_cyclic(network); !reason.empty())
    throw invalid_argument("the cyclic exchange claims nothing: " + reason);
  int const d = dimension_of_square(network);
  claim_list claims({{{"d", d}, {"m", static_cast<double>(words)}}});
  claims.table(R"(
    from Suh and Shin 2001, Table 2, [16]
    steps, startups = 2^d
    words = 2^(3d-1) m
    hops = (2^(2d) + 2)/3
    barriers = 2^d - 1)");
  claims.equal("rearranged", "(2^d - 1) 2^(2d) m")
      .erratum(d < 3 ? "" : detail::fewer_rearrangements_than_16);
  return claims.table(R"(
    from lockstep, after Suh and Shin 2001, section 1
    rearrangements = 2d - 1
    rearranged = (2d - 1) 2^(2d) m
    volume = d 2^(4d) m
    messages = 2d 2^(2d)
    contention = 1
    queued = 0)");
}

}  // namespace lockstep
