#include "sender_marks.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

constexpr std::string_view numbers =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

sender_mark elsewhere() { return {'*', "elsewhere"}; }

/// Marks a sender by its rank, "processor 5", as on a crossbar.
sender_mark of_rank(int rank) {
  auto const index = static_cast<std::size_t>(rank);
  return {index < numbers.size() ? numbers[index] : '*', fmt::format("processor {}", rank)};
}

/// Reads the number at the end of a link's name.
std::optional<std::size_t> number_in(std::string_view name) {
  auto const start = name.rfind(' ') + 1;
  std::size_t number = 0;
  auto const [stopped, problem] =
      std::from_chars(name.data() + start, name.data() + name.size(), number);
  if (problem != std::errc{} || stopped != name.data() + name.size()) return std::nullopt;
  return number;
}

char symbol_of(std::string_view name) {
  if (name.empty()) return '*';
  auto const number = number_in(name);
  if (!number) return name.front();
  return *number < numbers.size() ? numbers[*number] : '*';
}

/// The way in which a message came along a dimension.
enum class way : std::uint8_t { upwards, downwards, half_way };

/// Shows by an arrow how it moved, as the processors stand on paper. With more than two dimensions
/// it is a letter, or the dimension's digit for half-way round.
char arrow(way moved, std::size_t dimension, std::size_t dimensions) {
  auto const which = static_cast<std::size_t>(moved);
  if (dimensions > 2)
    return static_cast<char>((moved == way::upwards     ? 'a'
                              : moved == way::downwards ? 'A'
                                                        : '0') +
                             static_cast<int>(dimension));
  bool const is_vertical = dimensions == 2 && dimension == 0;
  return is_vertical ? "v^|"[which] : "><-"[which];
}

sender_mark mark_of(way moved, std::size_t dimension, std::size_t dimensions) {
  auto const symbol = arrow(moved, dimension, dimensions);
  if (moved == way::half_way)
    return {symbol, fmt::format("half-way round dimension {}", dimension)};
  return {symbol,
          fmt::format("the {} side of dimension {}", moved == way::upwards ? '-' : '+', dimension)};
}

/// Finds the only dimension in which two places differ.
std::optional<std::size_t> dimension_between(std::vector<int> const& from,
                                             std::vector<int> const& to) {
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < std::min(from.size(), to.size()); ++k) {
    if (from[k] == to[k]) continue;
    if (found) return std::nullopt;
    found = k;
  }
  return found;
}

/// Finds the way in which it came round a ring to a processor `distance` further up.
std::optional<way> way_round(int size, int distance, std::uint64_t hops) {
  auto const upwards = static_cast<std::uint64_t>(distance > 0 ? distance : distance + size);
  auto const downwards = static_cast<std::uint64_t>(size) - upwards;
  if (upwards == downwards) return way::half_way;
  if (hops == upwards) return way::upwards;
  if (hops == downwards) return way::downwards;
  return std::nullopt;
}

sender_mark along_axes(topology const& network, std::vector<network_axis> const& axes,
                       message_record const& seen) {
  auto const from = network.coordinates(seen.from);
  auto const to = network.coordinates(seen.to);
  auto const dimension = dimension_between(from, to);
  if (!dimension || *dimension >= axes.size()) return elsewhere();
  int const distance = to[*dimension] - from[*dimension];
  auto const& axis = axes[*dimension];
  auto moved = std::optional(distance > 0 ? way::upwards : way::downwards);
  if (axis.is_ring) moved = way_round(axis.size, distance, seen.hops);
  return moved ? mark_of(*moved, *dimension, axes.size()) : elsewhere();
}

}  // namespace

sender_marks::sender_marks(topology const& network, int rank)
    : m_network(&network),
      m_axes(network.axes()),
      m_are_ranks(network.degree() >= static_cast<int>(numbers.size())) {
  if (!m_axes.empty() || m_are_ranks) return;
  for (auto& joined : network.neighbours(rank)) {
    auto const symbol = symbol_of(joined.name);
    m_neighbours[joined.rank] = {symbol, std::move(joined.name)};
  }
}

sender_mark sender_marks::of(message_record const& seen) const {
  if (!m_axes.empty()) return along_axes(*m_network, m_axes, seen);
  if (m_are_ranks) return of_rank(seen.from);
  auto const joined = m_neighbours.find(seen.from);
  return joined == m_neighbours.end() ? elsewhere() : joined->second;
}

}  // namespace lockstep::cli
