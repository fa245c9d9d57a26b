#include <lockstep/algorithms/numeric/halo.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

/// The network as a grid.
struct grid_of_blocks {
  std::vector<int> sizes;
  bool wraps = false;  ///< a torus

  [[nodiscard]] bool has_rim(std::size_t d) const { return wraps || sizes[d] > 1; }
  /// The rims along a dimension that lie in the field, at the processor with most.
  [[nodiscard]] std::size_t most_rims(std::size_t d) const {
    return wraps ? 2 : static_cast<std::size_t>(std::min(sizes[d], 3) - 1);
  }
};

[[noreturn]] void refuse(std::string const& reason) {
  throw invalid_argument("exchange_halo: " + reason);
}

grid_of_blocks grid_for(topology const& network, halo_shape const& shape) {
  grid_of_blocks grid;
  if (auto const* const found = dynamic_cast<torus const*>(&network))
    grid = {found->sizes(), true};
  else if (auto const* const open = dynamic_cast<mesh const*>(&network))
    grid = {open->sizes(), false};
  else
    refuse(fmt::format("{} is not a torus or mesh; take one, for example mesh:{}", network.spec(),
                       network.size()));
  if (grid.sizes.size() != shape.inner.size())
    refuse(fmt::format("{} has {} dimensions, and the shape has {} sizes; give one for each",
                       network.spec(), grid.sizes.size(), shape.inner.size()));
  for (auto const size : shape.inner)
    if (shape.width > size)
      refuse(
          fmt::format("a rim of width {} is more than a neighbour's block has, {} elements; "
                      "take larger blocks, or several exchanges",
                      shape.width, size));
  return grid;
}

/// Counts the elements of a field; nothing if they pass 64 bits.
std::optional<std::size_t> elements_of(halo_shape const& shape) {
  std::size_t product = 1;
  for (auto const size : shape.inner) {
    std::size_t rims = 0;
    std::size_t extent = 0;
    if (__builtin_mul_overflow(shape.width, std::size_t{2}, &rims) ||
        __builtin_add_overflow(size, rims, &extent) ||
        __builtin_mul_overflow(product, extent, &product))
      return std::nullopt;
  }
  return product;
}

/// Finds the processor beside `rank`: on a torus of one processor itself.
std::optional<int> beside(topology const& network, grid_of_blocks const& grid, int rank,
                          std::size_t d, int offset) {
  auto const size = grid.sizes[d];
  auto at = network.coordinates(rank);
  auto const next = at[d] + offset;
  if (!grid.wraps && (next < 0 || next >= size)) return std::nullopt;
  at[d] = (next + size) % size;
  return network.rank_at(at);
}

}  // namespace

std::vector<detail::halo_turn> detail::halo_turns(processor const& me, halo_shape const& shape,
                                                  std::size_t elements) {
  auto const& network = me.topology();
  auto const grid = grid_for(network, shape);
  if (elements_of(shape) != elements)
    refuse(fmt::format("a field of {} elements is not of its shape; give the block and its rim",
                       elements));
  std::vector<halo_turn> turns;
  if (shape.width == 0) return turns;
  auto const w = shape.width;
  field_box block{std::vector(shape.inner.size(), w), shape.inner};  // and the rims that are filled
  for (std::size_t d = 0; d < shape.inner.size(); ++d) {
    auto const n = shape.inner[d];
    auto const below = beside(network, grid, me.rank(), d, -1);
    auto const above = beside(network, grid, me.rank(), d, +1);
    auto const layer = [&](std::size_t first) {
      auto box = block;
      box.first[d] = first;
      box.count[d] = w;
      return box;
    };
    if (grid.has_rim(d)) {
      auto const dimension = static_cast<int>(d);
      turns.push_back({{dimension, +1}, above, below, layer(n), layer(0)});
      turns.push_back({{dimension, -1}, below, above, layer(w), layer(n + w)});
    }
    if (below) block.first[d] -= w;
    block.count[d] += (below ? w : 0) + (above ? w : 0);
  }
  return turns;
}

std::vector<claim> halo_claims(topology const& network, halo_shape const& shape,
                               std::uint64_t packet) {
  auto const grid = grid_for(network, shape);
  if (packet == 0) throw invalid_argument("halo_claims: a packet has at least one word");
  if (!elements_of(shape)) throw invalid_argument("halo_claims: a field passes 64 bits");
  double steps = 0;
  double words = 0;
  double messages = 0;
  for (std::size_t d = 0; d < shape.inner.size(); ++d) {
    if (grid.sizes[d] < 2) continue;
    std::uint64_t face = shape.width;
    for (std::size_t k = 0; k < shape.inner.size(); ++k)
      if (k != d) face *= shape.inner[k] + (k < d ? grid.most_rims(k) * shape.width : 0);
    if (face == 0) continue;
    steps += 2;
    words += 2 * static_cast<double>((face - 1) / packet + 1) * static_cast<double>(packet);
    auto const lines = static_cast<double>(network.size()) / grid.sizes[d];
    messages += 2 * lines * (grid.sizes[d] - (grid.wraps ? 0 : 1));
  }
  return claim_list()
      .from("lockstep, the schedule counted")
      .equal("steps, startups, hops", "2 for each dimension of more than one processor", steps)
      .equal("words", "twice the packets of a face, for each of these", words)
      .equal("messages", "two for each pair of neighbours that a dimension joins", messages);
}

}  // namespace lockstep
