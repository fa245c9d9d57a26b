#include <lockstep/algorithms/numeric/detail/torus_square.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/algorithms/numeric/detail/square_torus_side.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/torus.hpp>

namespace lockstep::detail {

int side_of_square_torus(topology const& network, std::string_view begin) {
  auto const* const grid = dynamic_cast<torus const*>(&network);
  if (grid == nullptr || grid->sizes().size() != 2 ||
      grid->sizes().front() != grid->sizes().back()) {
    int side = 1;
    while ((side + 1) * (side + 1) <= network.size()) ++side;
    throw invalid_argument(
        fmt::format("{}{} is not a torus of q x q processors; take one, for example torus:{}x{}",
                    begin, network.spec(), side, side));
  }
  return grid->sizes().front();
}

torus_square::torus_square(processor const& me, char const* operation)
    : m_side(side_of_square_torus(me.topology(), fmt::format("{}: ", operation))),
      m_row(me.rank() / m_side),
      m_column(me.rank() % m_side) {}

}  // namespace lockstep::detail
