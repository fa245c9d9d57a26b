#include <lockstep/algorithms/numeric/detail/torus_square.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/torus.hpp>

namespace lockstep::detail {

torus_square::torus_square(processor const& me, char const* operation) {
  auto const* const network = dynamic_cast<torus const*>(&me.topology());
  if (network == nullptr || network->sizes().size() != 2 ||
      network->sizes().front() != network->sizes().back()) {
    int side = 1;
    while ((side + 1) * (side + 1) <= me.size()) ++side;
    throw invalid_argument(
        fmt::format("{}: {} is not a torus of q x q processors; take one, for example torus:{}x{}",
                    operation, me.topology().spec(), side, side));
  }
  m_side = network->sizes().front();
  m_row = me.rank() / m_side;
  m_column = me.rank() % m_side;
}

}  // namespace lockstep::detail
