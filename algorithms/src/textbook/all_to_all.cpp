#include <lockstep/algorithms/textbook/all_to_all.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/torus.hpp>

#include "exchange/grid_shape.hpp"

namespace lockstep {

namespace textbook {

std::string unsupported_reason(topology const& network) {
  auto const shape = shape_of(network);
  if (!shape)
    return network.spec() + " is neither a torus nor a mesh; for example torus:12x12 or mesh:6x6";
  auto reason = reason_against_paper_sizes(*shape);
  if (!reason.empty()) reason += "; lockstep::all_to_all takes any sizes";
  return reason;
}

}  // namespace textbook

namespace detail {

std::size_t block_size(processor const& me, std::size_t elements) {
  if (auto const reason = textbook::unsupported_reason(me.topology()); !reason.empty())
    throw invalid_argument("textbook::all_to_all: " + reason);
  auto const p = static_cast<std::size_t>(me.size());
  if (elements % p != 0)
    throw invalid_argument(
        fmt::format("textbook::all_to_all: {} elements cannot be divided evenly among {} "
                    "processors; pass p * m "
                    "elements",
                    elements, p));
  return elements / p;
}

void require_two_dimensions(std::size_t dimensions) {
  if (dimensions < 2)
    throw invalid_argument(
        "textbook::exchange: the paper's rules need two dimensions or more; for example torus:4x4");
}

void require_all_arrived(processor const& me, std::size_t arrived, std::size_t sent) {
  if (arrived == sent) return;
  throw size_mismatch(
      fmt::format(
          "textbook::all_to_all: this processor sent {} elements and received {}, so blocks "
          "are not of one size; pass as many elements on every processor",
          sent, arrived),
      {.rank = me.rank(), .step = me.now(), .phase = {}});
}

bool is_torus(topology const& network) { return dynamic_cast<torus const*>(&network) != nullptr; }

std::vector<int> sizes_of(topology const& network) {
  auto sizes = network.coordinates(network.size() - 1);
  for (int& each : sizes) ++each;
  return sizes;
}

}  // namespace detail

}  // namespace lockstep
