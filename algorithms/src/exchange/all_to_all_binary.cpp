#include <lockstep/algorithms/exchange/all_to_all_binary.hpp>

#include <algorithm>

#include <lockstep/claim_list.hpp>

#include "exchange/grid_shape.hpp"

namespace lockstep {

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

/// The destinations that are left are successive ranks, for the halves of a mesh are.
std::vector<block_label> labels_after(topology const& network, int rank, std::size_t cuts) {
  auto const sources = sources_after(network, rank, cuts);
  auto const destinations = network.size() >> cuts;
  int const first = rank / destinations * destinations;
  std::vector<block_label> labels;
  for (int destination = first; destination < first + destinations; ++destination)
    for (int const source : sources) labels.push_back({source, destination});
  return labels;
}

}  // namespace detail

std::vector<claim> all_to_all_binary_claims(topology const& network, std::uint64_t words) {
  if (auto const reason = unsupported_reason_binary(network); !reason.empty())
    throw invalid_argument("the binary exchange claims nothing: " + reason);
  auto const sizes = shape_of(network)->sizes;
  claim_list claims(
      {{{"p", network.size()}, {"m", static_cast<double>(words)}, {"N1", std::ranges::max(sizes)}},
       {{"N_i", {sizes.begin(), sizes.end()}}}});
  bool const alone = network.size() == 1;
  auto const unless_alone = [&](char const* figure, char const* formula) {
    claims.equal(figure, formula, alone ? 0 : claims.value(formula));
  };
  claims.table(R"(
    from lockstep, of Suh and Shin 2001, section 1
    steps, startups = log2 p
    words = p/2 log2 p m
    volume = p^2/2 log2 p m
    messages = p log2 p)");
  unless_alone("rearrangements", "log2 p - 1");
  unless_alone("rearranged", "(log2 p - 1) p m");
  claims.from("lockstep, links counted");
  unless_alone("contention", "N1/2");
  return claims.table(R"(
    serialised_steps = sum (N_i - 1)
    hops = sum (2 (N_i - 1) - log2 N_i)
    from lockstep, of Suh and Shin 2001, section 1
    queued = 0)");
}

}  // namespace lockstep
