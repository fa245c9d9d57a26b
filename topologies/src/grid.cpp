#include <lockstep/topologies/detail/grid.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

#include "block_layout.hpp"

namespace lockstep::detail {
namespace {

std::uint32_t checked_product(std::string_view kind, std::vector<int> const& sizes,
                              std::source_location where) {
  auto const throw_invalid = [&](std::string const& reason) {
    throw invalid_topology(fmt::format("a {} of sizes {{{}}} cannot be built: {}", kind,
                                       fmt::join(sizes, ", "), reason),
                           where);
  };
  if (sizes.empty() || sizes.size() > grid::most_dimensions)
    throw_invalid(
        fmt::format("it has 1 to {} dimensions, not {}", grid::most_dimensions, sizes.size()));
  std::int64_t product = 1;
  for (int const size : sizes) {
    if (size < 1) throw_invalid(fmt::format("every size is at least 1, not {}", size));
    product *= size;  // both factors are below 2^31
    if (product > std::numeric_limits<int>::max())
      throw_invalid("it has at most 2147483647 processors; take smaller sizes");
  }
  return static_cast<std::uint32_t>(product);
}

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

}  // namespace

grid::grid(std::string_view kind, beyond last, std::vector<int> sizes, std::source_location where)
    : m_kind(kind),
      m_beyond(last),
      m_count(sizes.size()),
      m_size(checked_product(kind, sizes, where)),
      m_sizes(std::move(sizes)) {
  std::uint32_t stride = m_size;
  for (std::size_t k = 0; k < m_count; ++k) {
    auto const size = static_cast<std::uint32_t>(m_sizes[k]);
    stride /= size;
    bool const is_ring = m_beyond == beyond::first_processor && size > 2;
    m_dimensions[k] = {size, stride, is_ring, m_links};
    m_links += 2 * link_number{is_ring ? m_size : m_size - m_size / size};
  }
}

std::string grid::spec() const { return fmt::format("{}:{}", m_kind, fmt::join(m_sizes, "x")); }

// One link

/// Tells whether a processor at that position has a link up or down. In a torus dimension of size 2
/// the only link is the one up.
bool grid::has_link(dimension const& axis, std::uint32_t position, bool upwards) const {
  if (axis.is_ring) return true;
  if (m_beyond == beyond::first_processor) return upwards && axis.size == 2;
  return upwards ? position + 1 < axis.size : position > 0;
}

/// The next processor, and in `position` its position along the dimension.
std::uint32_t grid::step(dimension const& axis, std::uint32_t rank, std::uint32_t& position,
                         bool upwards) {
  std::uint32_t const around = (axis.size - 1) * axis.stride;
  if (upwards) {
    bool const is_last = position + 1 == axis.size;
    position = is_last ? 0 : position + 1;
    return is_last ? rank - around : rank + axis.stride;
  }
  bool const is_first = position == 0;
  position = is_first ? axis.size - 1 : position - 1;
  return is_first ? rank + around : rank - axis.stride;
}

std::uint32_t grid::step(dimension const& axis, std::uint32_t rank, bool upwards) {
  std::uint32_t at = position(axis, rank);
  return step(axis, rank, at, upwards);
}

std::vector<neighbour> grid::neighbours(int rank) const {
  check_rank(*this, size(), rank);
  auto const from = static_cast<std::uint32_t>(rank);
  std::vector<neighbour> joined;
  for (std::size_t k = 0; k < m_count; ++k)
    for (bool const upwards : {true, false})
      if (auto const& axis = m_dimensions[k]; has_link(axis, position(axis, from), upwards))
        joined.push_back({static_cast<int>(step(axis, from, upwards)),
                          fmt::format("{} along dimension {}", upwards ? '+' : '-', k)});
  return joined;
}

bool grid::adjacent(int from, int to) const {
  return has_rank(size(), from) && has_rank(size(), to) && hops(from, to) == 1;
}

// Numbers of links. On a ring every processor has a link up and a link down, which follow each
// other in the order of ranks. On a line of n processors these are the n - 1 pairs of neighbours,
// in the order of the lower ranks, which leave out the last processor of each line.

link_number grid::number(dimension const& axis, std::uint32_t from, std::uint32_t to) {
  if (axis.is_ring) {
    bool const upwards = (to > from) == (distance(from, to) == axis.stride);
    return axis.first_link + 2 * link_number{from} + (upwards ? 0 : 1);
  }
  std::uint32_t const lower = std::min(from, to);
  std::uint32_t const left_out = lower / (axis.size * axis.stride) * axis.stride;
  return axis.first_link + 2 * link_number{lower - left_out} + (from < to ? 0 : 1);
}

link grid::link_at(link_number number) const {
  if (number < 0 || number >= m_links) throw_no_such_link(*this, number);
  std::size_t k = m_count - 1;
  while (m_dimensions[k].first_link > number || m_dimensions[k].size == 1) --k;
  auto const& axis = m_dimensions[k];
  auto const index = static_cast<std::uint32_t>((number - axis.first_link) / 2);
  bool const upwards = (number - axis.first_link) % 2 == 0;
  if (axis.is_ring) return {static_cast<int>(index), static_cast<int>(step(axis, index, upwards))};
  std::uint32_t const lower = index + index / ((axis.size - 1) * axis.stride) * axis.stride;
  std::uint32_t const upper = lower + axis.stride;
  return {static_cast<int>(upwards ? lower : upper), static_cast<int>(upwards ? upper : lower)};
}

link_number grid::number_of(link which) const {
  if (!adjacent(which.from, which.to)) return -1;
  auto const from = static_cast<std::uint32_t>(which.from);
  auto const to = static_cast<std::uint32_t>(which.to);
  std::uint32_t const apart = distance(from, to);
  for (auto const& axis : all())
    if (axis.size > 1 && (apart == axis.stride || apart == (axis.size - 1) * axis.stride))
      return number(axis, from, to);
  return -1;
}

// Degree, diameter, bisection width

int grid::degree() const {
  std::size_t most = 0;
  for (auto const& axis : all())
    most += axis.is_ring || (m_beyond == beyond::nothing && axis.size > 2) ? 2
            : axis.size == 2                                               ? 1
                                                                           : 0;
  return static_cast<int>(most);
}

int grid::diameter() const {
  std::uint32_t longest = 0;
  for (auto const& axis : all())
    longest += m_beyond == beyond::nothing ? axis.size - 1 : axis.size / 2;
  return static_cast<int>(longest);
}

std::int64_t mesh_bisection_width(std::vector<int> sizes) {
  std::ranges::sort(sizes, std::greater{});
  std::int64_t across = 1;
  for (int const size : sizes) across *= size;
  std::int64_t width = 0;
  for (int const size : sizes) {
    if (size == 1) break;
    across /= size;
    width += across;
    if (size % 2 == 0) break;
  }
  return width;
}

// Routes

grid::stretch grid::shorter_way(std::uint32_t size, std::uint32_t from, std::uint32_t to) const {
  if (m_beyond == beyond::nothing) return {distance(from, to), to > from};
  std::uint32_t const up = to >= from ? to - from : to + (size - from);
  std::uint32_t const down = size - up;
  return up <= down ? stretch{up, true} : stretch{down, false};
}

int grid::hops(int from, int to) const {
  check_rank(*this, size(), from);
  check_rank(*this, size(), to);
  auto a = static_cast<std::uint32_t>(from);
  auto b = static_cast<std::uint32_t>(to);
  std::uint32_t links = 0;
  for (std::size_t k = m_count; a != b; a /= m_dimensions[k].size, b /= m_dimensions[k].size) {
    std::uint32_t const size = m_dimensions[--k].size;
    links += shorter_way(size, a % size, b % size).links;
  }
  return static_cast<int>(links);
}

/// Calls visit(dimension, at, position, stretch) for each dimension along which the route goes: from the
/// processor `at`, which has that position in it.
template <class Visit>
void grid::walk(int from, int to, Visit&& visit) const {
  check_rank(*this, size(), from);
  check_rank(*this, size(), to);
  auto at = static_cast<std::uint32_t>(from);
  auto const end = static_cast<std::uint32_t>(to);
  std::uint32_t from_rest = at;  // of the ranks, what the dimensions to come account for
  std::uint32_t to_rest = end;
  for (std::size_t k = 0; at != end; ++k) {
    auto const& axis = m_dimensions[k];
    std::uint32_t const position = from_rest / axis.stride;
    std::uint32_t const to_position = to_rest / axis.stride;
    from_rest -= position * axis.stride;
    to_rest -= to_position * axis.stride;
    if (position == to_position) continue;
    visit(axis, at, position, shorter_way(axis.size, position, to_position));
    at += (to_position - position) * axis.stride;
  }
}

std::vector<int> grid::route(int from, int to) const {
  std::vector<int> passed;
  passed.reserve(static_cast<std::size_t>(hops(from, to)));
  walk(from, to,
       [&](dimension const& axis, std::uint32_t at, std::uint32_t position, stretch const& way) {
         for (std::uint32_t taken = 0; taken < way.links; ++taken) {
           at = step(axis, at, position, way.upwards);
           passed.push_back(static_cast<int>(at));
         }
       });
  return passed;
}

void grid::append_links(int from, int to, std::vector<link_number>& links) const {
  walk(from, to,
       [&](dimension const& axis, std::uint32_t at, std::uint32_t position, stretch const& way) {
         // The numbers along a line are evenly apart. A ring goes on at its other end.
         std::uint32_t const until_end = way.upwards ? axis.size - position : position + 1;
         auto const apart = 2 * link_number{axis.stride} * (way.upwards ? 1 : -1);
         auto next = number(axis, at, step(axis, at, position, way.upwards));
         auto const first = links.size();
         links.resize(first + way.links);
         for (std::uint32_t taken = 0; taken < way.links; ++taken, next += apart) {
           if (taken == until_end) next -= apart * axis.size;
           links[first + taken] = next;
         }
       });
}

// Loads. A stretch of a route takes consecutive links of a line. It adds 1 where they begin and takes 1
// away behind them, as differences from one link of the line to the next, which are summed up at the
// end. A link up and the link down beside it have numbers that follow each other, so all links between
// two neighbouring positions lie side by side.

bool grid::count_loads(std::span<link const> pairs, std::span<std::uint32_t> loads) const {
  for (auto const& [from, to] : pairs)
    walk(from, to,
         [&](dimension const& axis, std::uint32_t at, std::uint32_t position, stretch const& way) {
           note_stretch(axis, at, position, way, loads);
         });
  for (auto const& axis : all()) {
    auto const length = axis.is_ring ? axis.size : axis.size - 1;  // in links, of a line
    auto const across = std::size_t{2} * axis.stride;
    auto const lines = m_size / (axis.size * axis.stride);
    auto line = loads.subspan(static_cast<std::size_t>(axis.first_link));
    for (std::uint32_t done = 0; done < lines; ++done, line = line.subspan(length * across))
      for (std::size_t next = across; next < length * across; ++next)
        line[next] += line[next - across];
  }
  return true;
}

/// Notes the differences of a stretch from the processor `at`, which has that position along the
/// dimension.
void grid::note_stretch(dimension const& axis, std::uint32_t at, std::uint32_t position,
                        stretch const& way, std::span<std::uint32_t> loads) {
  // In a torus dimension of size 2 both ways are called up.
  bool const upwards = way.upwards && (axis.is_ring || position + way.links < axis.size);
  auto const length = axis.is_ring ? axis.size : axis.size - 1;
  std::uint32_t const below = position * axis.stride;
  std::uint32_t const left_out = axis.is_ring ? 0 : at / (axis.size * axis.stride) * axis.stride;
  auto const line = static_cast<std::size_t>(axis.first_link) +
                    std::size_t{2} * (at - below - left_out) + (upwards ? 0 : 1);
  auto const difference = [&](std::uint32_t place) -> std::uint32_t& {
    return loads[line + std::size_t{2} * place * axis.stride];
  };
  // The links down are numbered by their upper end on a ring, and by their lower end elsewhere.
  auto const behind = axis.is_ring ? position + 1 : position;
  auto const begin_down = behind < way.links ? behind + length - way.links : behind - way.links;
  auto const begin = upwards ? position : begin_down;
  auto const end = begin + way.links;
  ++difference(begin);
  if (end > length) ++difference(0);
  if (end != length) --difference(end > length ? end - length : end);
}

grid::dimension const& grid::dimension_of(along way) const {
  if (way.dimension < 0 || static_cast<std::size_t>(way.dimension) >= m_count)
    throw invalid_argument(fmt::format("there is no dimension {}; {} has dimensions 0 to {}",
                                       way.dimension, spec(), m_count - 1));
  return m_dimensions[static_cast<std::size_t>(way.dimension)];
}

std::vector<network_axis> grid::axes() const {
  std::vector<network_axis> found;
  for (auto const& each : all()) found.push_back({static_cast<int>(each.size), each.is_ring});
  return found;
}

int grid::end_of(int from, along way) const {
  check_rank(*this, size(), from);
  auto const& axis = dimension_of(way);
  if (way.offset == 0) return from;
  std::int64_t const size = axis.size;
  std::int64_t const at = position(axis, static_cast<std::uint32_t>(from));
  std::int64_t end = at + way.offset;
  bool const wraps = m_beyond == beyond::first_processor && size > 1;
  if (wraps) end = (end % size + size) % size;
  if (end < 0 || end >= size) {
    incident at_sender;
    at_sender.rank = from;
    throw invalid_rank(
        fmt::format("{:+} along dimension {} leads from processor {} off the edge of {}: it is at "
                    "{} of 0 to {} there; take an offset of {} to {}",
                    way.offset, way.dimension, from, spec(), at, size - 1, -at, size - 1 - at),
        at_sender);
  }
  return static_cast<int>(from + (end - at) * axis.stride);
}

std::vector<int> grid::route(int from, along way) const {
  static_cast<void>(end_of(from, way));  // checks the way
  auto const& axis = dimension_of(way);
  std::int64_t const links = way.offset > 0 ? way.offset : -std::int64_t{way.offset};
  std::vector<int> passed(static_cast<std::size_t>(links));
  auto at = static_cast<std::uint32_t>(from);
  std::uint32_t place = position(axis, at);
  for (int& next : passed) {
    at = step(axis, at, place, way.offset > 0);
    next = static_cast<int>(at);
  }
  return passed;
}

// Coordinates and parts

std::vector<int> grid::coordinates(int rank) const {
  check_rank(*this, size(), rank);
  std::vector<int> place;
  place.reserve(m_count);
  for (auto const& axis : all())
    place.push_back(static_cast<int>(position(axis, static_cast<std::uint32_t>(rank))));
  return place;
}

int grid::rank_at(std::span<int const> coordinates) const {
  auto const throw_invalid = [&](std::string const& reason) {
    throw invalid_argument(fmt::format("no processor of {} is at ({}): {}", spec(),
                                       fmt::join(coordinates, ", "), reason));
  };
  if (coordinates.size() != m_count)
    throw_invalid(fmt::format("a place has {} coordinates", m_count));
  std::uint32_t rank = 0;
  for (std::size_t k = 0; k < m_count; ++k) {
    if (!has_rank(m_sizes[k], coordinates[k]))
      throw_invalid(fmt::format("coordinate {} goes from 0 to {}", k, m_sizes[k] - 1));
    rank += static_cast<std::uint32_t>(coordinates[k]) * m_dimensions[k].stride;
  }
  return static_cast<int>(rank);
}

std::vector<layout_point> grid::layout() const {
  if (m_count == 1 && m_dimensions[0].is_ring) return topology::layout();
  std::vector<layout_point> places;
  places.reserve(m_size);
  for (std::uint32_t rank = 0; rank < m_size; ++rank) {
    block_layout at(1, 1);
    for (std::size_t k = m_count; k-- > 0;)
      at.move(position(m_dimensions[k], rank), m_dimensions[k].size);
    places.push_back(at.at());
  }
  return places;
}

std::vector<int> grid::members(int rank, dimensions const& varying) const {
  check_rank(*this, size(), rank);
  std::array<bool, most_dimensions> varies{};
  for (int const k : varying.list)
    varies[static_cast<std::size_t>(&dimension_of({k, 0}) - m_dimensions.data())] = true;
  auto first = static_cast<std::uint32_t>(rank);
  for (std::size_t k = 0; k < m_count; ++k)
    if (varies[k]) first -= position(m_dimensions[k], first) * m_dimensions[k].stride;
  std::vector<int> found{static_cast<int>(first)};
  for (std::size_t k = 0; k < m_count; ++k) {
    if (!varies[k]) continue;
    std::vector<int> more;
    more.reserve(found.size() * m_dimensions[k].size);
    for (int const at : found)
      for (std::uint32_t x = 0; x < m_dimensions[k].size; ++x)
        more.push_back(at + static_cast<int>(x * m_dimensions[k].stride));
    found = std::move(more);
  }
  return found;
}

std::vector<int> grid::dimensions_of_part(std::span<int const> members) const {
  for (int const rank : members) check_rank(*this, size(), rank);
  std::vector<int> differing;
  std::size_t processors = 1;
  for (std::size_t k = 0; k < m_count; ++k) {
    auto const& axis = m_dimensions[k];
    auto const place = [&](int rank) { return position(axis, static_cast<std::uint32_t>(rank)); };
    if (std::ranges::all_of(members, [&](int rank) { return place(rank) == place(members[0]); }))
      continue;
    differing.push_back(static_cast<int>(k));
    processors *= axis.size;
  }
  bool const whole = processors == members.size() &&
                     std::ranges::equal(members, this->members(members[0], dimensions(differing)));
  return whole ? differing : std::vector<int>{};
}

std::shared_ptr<topology const> grid::part(std::span<int const> members) const {
  auto crossbar = topology::part(members);  // checks the members
  std::vector<int> part_sizes;
  for (int const k : dimensions_of_part(members))
    part_sizes.push_back(m_sizes[static_cast<std::size_t>(k)]);
  if (members.size() == 1) part_sizes.push_back(1);
  return part_sizes.empty() ? crossbar : of_sizes(std::move(part_sizes));
}

}  // namespace lockstep::detail
