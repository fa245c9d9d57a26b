#include <lockstep/topologies/butterfly.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

#include "dimension_check.hpp"

namespace lockstep {

butterfly::butterfly(int dimension, std::source_location where) : m_dimension(dimension) {
  detail::require_dimension(
      "a butterfly", dimension,
      {0, most_dimensions, "one level more than that of 2 to that power processors"}, where);
}

std::string butterfly::spec() const { return fmt::format("butterfly:{}", m_dimension); }

int butterfly::level(int rank) const {
  detail::check_rank(*this, size(), rank);
  return rank >> m_dimension;
}

int butterfly::row(int rank) const {
  detail::check_rank(*this, size(), rank);
  return rank & (rows() - 1);
}

std::vector<neighbour> butterfly::neighbours(int rank) const {
  int const at = level(rank);
  std::vector<neighbour> joined;
  if (at < m_dimension) {
    joined.push_back({rank + rows(), "straight"});
    joined.push_back({(rank + rows()) ^ (1 << at), "cross"});
  }
  if (at > 0) {
    joined.push_back({rank - rows(), "back"});
    joined.push_back({(rank - rows()) ^ (1 << (at - 1)), "uncross"});
  }
  return joined;
}

// Every processor but those of the last level has four links in a row: straight, its way back,
// cross, its way back.

link_number butterfly::links() const { return link_number{4} * m_dimension * rows(); }

link butterfly::link_at(link_number number) const {
  if (number < 0 || number >= links()) detail::throw_no_such_link(*this, number);
  int const lower = static_cast<int>(number / 4);
  bool const is_cross = number % 4 >= 2;
  int const upper = (lower + rows()) ^ (is_cross ? 1 << level(lower) : 0);
  return number % 2 == 0 ? link{lower, upper} : link{upper, lower};
}

link_number butterfly::number_of(link which) const {
  if (!detail::has_rank(size(), which.from) || !detail::has_rank(size(), which.to)) return -1;
  auto const [lower, upper] = std::minmax({which.from, which.to});
  if (level(upper) != level(lower) + 1) return -1;
  int const changed = row(lower) ^ row(upper);
  if (changed != 0 && changed != 1 << level(lower)) return -1;
  return 4 * link_number{lower} + (changed != 0 ? 2 : 0) + (which.from > which.to ? 1 : 0);
}

bool butterfly::adjacent(int from, int to) const { return number_of({from, to}) >= 0; }

int butterfly::degree() const { return 2 * std::min(m_dimension, 2); }

std::optional<std::int64_t> butterfly::bisection_width() const {
  constexpr int most_searched = 3;
  if (m_dimension > most_searched) return std::nullopt;
  return m_dimension == 0 ? 0 : rows();
}

butterfly::span_of_levels butterfly::levels_between(int from, int to) const {
  auto const [lower, upper] = std::minmax({level(from), level(to)});
  auto const changed = static_cast<unsigned>(row(from) ^ row(to));
  if (changed == 0) return {lower, upper};
  return {std::min(lower, std::countr_zero(changed)),
          std::max(upper, static_cast<int>(std::bit_width(changed)))};
}

int butterfly::hops(int from, int to) const {
  auto const [lowest, highest] = levels_between(from, to);
  return 2 * (highest - lowest) - std::abs(level(from) - level(to));
}

std::vector<int> butterfly::route(int from, int to) const {
  auto const [lowest, highest] = levels_between(from, to);
  std::vector<int> passed;
  passed.reserve(static_cast<std::size_t>(hops(from, to)));
  int at = from;
  auto const go_to_level = [&](int end) {
    while (level(at) != end) {
      int const straight = end > level(at) ? at + rows() : at - rows();
      int const bit = 1 << std::min(level(at), level(straight));
      at = straight ^ ((row(straight) ^ row(to)) & bit);
      passed.push_back(at);
    }
  };
  bool const is_upwards = level(from) <= level(to);
  go_to_level(is_upwards ? lowest : highest);
  go_to_level(is_upwards ? highest : lowest);
  go_to_level(level(to));
  return passed;
}

std::vector<int> butterfly::coordinates(int rank) const { return {level(rank), row(rank)}; }

int butterfly::rank_at(std::span<int const> coordinates) const {
  bool const exists = coordinates.size() == 2 && detail::has_rank(levels(), coordinates[0]) &&
                      detail::has_rank(rows(), coordinates[1]);
  if (!exists)
    throw invalid_argument(fmt::format(
        "no processor of {} is at ({}): a place is a level, 0 to {}, and a row, 0 to {}", spec(),
        fmt::join(coordinates, ", "), m_dimension, rows() - 1));
  return coordinates[0] * rows() + coordinates[1];
}

std::vector<layout_point> butterfly::layout() const {
  std::vector<layout_point> places;
  places.reserve(static_cast<std::size_t>(size()));
  double height = 0;
  for (int at = 0; at <= m_dimension; ++at) {
    for (int x = 0; x < rows(); ++x) places.push_back({static_cast<double>(x), height});
    height -= std::max(1.2, 0.35 * (1 << at));  // cross links are not too flat
  }
  return places;
}

}  // namespace lockstep
