#include <lockstep/algorithms/exchange/all_to_all_binary.hpp>

#include <algorithm>
#include <bit>

#include "exchange/grid_shape.hpp"

namespace lockstep {

namespace {}  // namespace

std::string unsupported_reason_binary(topology const& network) {
  auto const shape = shape_of(network);
  if (!shape || shape->wraps)
    return network.spec() + " is not a mesh, which can be cut in halves; for example mesh:8x8";
  return why_no_powers_of_two(*shape);
}

namespace detail {

std::vector<mesh_cut> cuts_of(topology const& network, int rank) {
  std::vector<mesh_cut> cuts;
  int weight = network.size();
  auto const sizes = shape_of(network)->sizes;
  for (int const size : sizes) {
    weight /= size;
    int const at = rank / weight % size;
    for (int length = size; length > 1; length /= 2) {
      int const from_edge = at % length;
      int const mirrored = length - 1 - from_edge;
      cuts.push_back({rank + (mirrored - from_edge) * weight, from_edge >= length / 2});
    }
  }
  return cuts;
}

std::vector<int> sources_after(topology const& network, int rank, std::size_t cuts) {
  if (cuts == 0) return {rank};
  auto sources = sources_after(network, rank, cuts - 1);
  auto const brought = sources_after(network, cuts_of(network, rank)[cuts - 1].partner, cuts - 1);
  sources.insert(sources.end(), brought.begin(), brought.end());
  return sources;
}

}  // namespace detail

std::vector<claim> all_to_all_binary_claims(topology const& network, std::uint64_t words) {
  if (auto const reason = unsupported_reason_binary(network); !reason.empty())
    throw invalid_argument("the binary exchange claims nothing: " + reason);
  double const p = network.size();
  auto const m = static_cast<double>(words);
  double cuts = 0;
  double longest = 1;
  double serialised = 0;
  double hops = 0;
  auto const sizes = shape_of(network)->sizes;
  for (int const size : sizes) {
    double const cuts_along = std::bit_width(static_cast<unsigned>(size)) - 1;
    cuts += cuts_along;
    longest = std::max(longest, static_cast<double>(size));
    serialised += size - 1;
    hops += 2 * (size - 1) - cuts_along;
  }
  double const rearrangements = std::max(0.0, cuts - 1);
  double const contention = p == 1 ? 0 : longest / 2;
  auto const equal = comparison::equal;
  std::string const source = "Suh and Shin 2001, section 1";
  std::string const counted = "lockstep, links counted";
  return {
      {"steps", "log2 p", cuts, equal, source},
      {"startups", "log2 p", cuts, equal, source},
      {"words", "p/2 log2 p m", p / 2 * cuts * m, equal, source},
      {"volume", "p^2/2 log2 p m", p * p / 2 * cuts * m, equal, source},
      {"messages", "p log2 p", p * cuts, equal, source},
      {"rearrangements", "log2 p - 1", rearrangements, equal, source},
      {"rearranged", "(log2 p - 1) p m", rearrangements * p * m, equal, source},
      {"contention", "N1/2", contention, equal, counted},
      {"serialised_steps", "sum (N_i - 1)", serialised, equal, counted},
      {"hops", "sum (2 (N_i - 1) - log2 N_i)", hops, equal, counted},
      {"queued", "0", 0, equal, source},
  };
}

}  // namespace lockstep
