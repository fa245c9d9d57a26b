#include "exchange/grid_shape.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

namespace lockstep {

std::string grid_shape::spec() const {
  return fmt::format("{}:{}", wraps ? "torus" : "mesh", fmt::join(sizes, "x"));
}

std::optional<grid_shape> shape_of(topology const& network) {
  if (auto const* const found = dynamic_cast<torus const*>(&network))
    return grid_shape{found->sizes(), true};
  if (auto const* const found = dynamic_cast<mesh const*>(&network))
    return grid_shape{found->sizes(), false};
  return std::nullopt;
}

std::string why_no_powers_of_two(grid_shape const& shape) {
  auto smaller = shape;
  auto larger = shape;
  for (auto& size : smaller.sizes)
    size = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
  for (auto& size : larger.sizes)
    size = static_cast<int>(std::bit_ceil(static_cast<unsigned>(size)));
  if (shape.sizes == smaller.sizes) return {};
  return fmt::format("the dimensions of {} have to be powers of two; for example {} or {}",
                     shape.spec(), smaller.spec(), larger.spec());
}

int multiple_from(int number, int unit) { return (number + unit - 1) / unit * unit; }

std::string reason_against_paper_sizes(grid_shape const& shape) {
  int const unit = shape.wraps ? 4 : 2;
  auto smaller = shape;
  auto larger = shape;
  for (auto& size : smaller.sizes) size = std::max(unit, size / unit * unit);
  for (auto& size : larger.sizes) size = multiple_from(size, unit);
  if (shape.sizes.size() == 1)
    return fmt::format("{} has one dimension, and at least two are needed; for example {}",
                       shape.spec(), grid_shape{{unit, larger.sizes[0]}, shape.wraps}.spec());
  if (shape.sizes == larger.sizes) return {};
  auto const examples =
      smaller.sizes == larger.sizes ? larger.spec() : smaller.spec() + " or " + larger.spec();
  return fmt::format("the dimensions of {} have to be multiples of {}; for example {}",
                     shape.spec(), unit, examples);
}

hypothesis sizes_in_order(exchange_schedule const& schedule) {
  bool are_in_order = true;
  for (int a = 1; a < schedule.dimensions(); ++a)
    are_in_order = are_in_order && schedule.size(a - 1) >= schedule.size(a);
  return {"N1 >= N2 >= ... >= Nn", are_in_order};
}

}  // namespace lockstep
