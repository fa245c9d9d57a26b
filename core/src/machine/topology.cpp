#include <lockstep/topology.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/complete_network.hpp>
#include <lockstep/detail/derived_values.hpp>
#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

#include "search_tables.hpp"

namespace lockstep {

void detail::throw_no_such_rank(topology const& network, int rank) {
  throw invalid_rank(fmt::format("there is no processor {}; {} has processors 0 to {}", rank,
                                 network.spec(), network.size() - 1),
                     incident{});
}

void detail::throw_no_such_link(topology const& network, long long number) {
  throw invalid_argument(
      network.links() == 0
          ? fmt::format("there is no link {}; {} has no links", number, network.spec())
          : fmt::format("there is no link {}; {} has links 0 to {}", number, network.spec(),
                        network.links() - 1));
}

namespace {

[[noreturn]] void throw_no_dimensions(topology const& network) {
  throw invalid_argument(fmt::format(
      "{} has no dimensions; name the processors by their ranks instead", network.spec()));
}

[[noreturn]] void throw_unreachable(topology const& network, int from, int to) {
  throw invalid_topology(fmt::format(
      "{}: no way leads from processor {} to processor {}; add the links that are missing",
      network.spec(), from, to));
}

}  // namespace

// Tables belong to one object: a copy may be the base of another class, with other neighbours.
topology::topology() : m_tables(std::make_shared<search_tables>()) {}
topology::topology(topology const& /*other*/) : topology() {}
topology& topology::operator=(topology const& other) {
  if (this != &other) m_tables = std::make_shared<search_tables>();
  return *this;
}

topology::search_tables const& topology::tables() const {
  m_tables->read(*this);
  return *m_tables;
}

detail::derived_values& detail::derived_values_of(topology const& network) noexcept {
  return network.m_tables->derived();
}

link_number topology::links() const {
  return static_cast<link_number>(tables().outgoing().ends.size());
}

link topology::link_at(link_number number) const {
  auto const& outgoing = tables().outgoing();
  if (number < 0 || std::cmp_greater_equal(number, outgoing.ends.size()))
    detail::throw_no_such_link(*this, number);
  auto const index = static_cast<std::size_t>(number);
  auto const after = std::ranges::upper_bound(outgoing.first, index);
  return {static_cast<int>(after - outgoing.first.begin()) - 1, outgoing.ends[index]};
}

link_number topology::number_of(link which) const {
  auto const& known = tables();
  if (!detail::has_rank(known.size(), which.from)) return -1;
  auto const ends = known.outgoing().of(which.from);
  auto const found = std::ranges::lower_bound(ends, which.to);
  if (found == ends.end() || *found != which.to) return -1;
  return &*found - known.outgoing().ends.data();
}

bool topology::adjacent(int from, int to) const { return number_of({from, to}) >= 0; }

int topology::degree() const {
  auto const& known = tables();
  std::size_t most = 0;
  for (int rank = 0; rank < known.size(); ++rank)
    most = std::max(most, known.outgoing().of(rank).size());
  return static_cast<int>(most);
}

int topology::diameter() const { return tables().diameter(*this); }

std::vector<int> topology::route(int from, int to) const {
  int const processors = size();
  detail::check_rank(*this, processors, from);
  detail::check_rank(*this, processors, to);
  if (from == to) return {};
  if (adjacent(from, to)) return {to};
  auto const& known = tables();
  detail::check_rank(*this, known.size(), from);
  detail::check_rank(*this, known.size(), to);
  auto const& next = known.next_towards(to);
  std::vector<int> way;
  for (int at = from; at != to;) {
    at = next[static_cast<std::size_t>(at)];
    if (at < 0) throw_unreachable(*this, from, to);
    way.push_back(at);
  }
  return way;
}

int topology::hops(int from, int to) const { return static_cast<int>(route(from, to).size()); }

bool topology::count_loads(std::span<link const> /*pairs*/,
                           std::span<std::uint32_t> /*loads*/) const {
  return false;
}

void topology::append_links(int from, int to, std::vector<link_number>& links) const {
  int at = from;
  for (int const next : route(from, to)) {
    auto const number = number_of({at, next});
    if (number < 0)
      throw invalid_topology(
          fmt::format("{}: the route from processor {} to processor {} goes from {} to {}, where "
                      "there is no link; a route follows links",
                      spec(), from, to, at, next));
    links.push_back(number);
    at = next;
  }
}

int topology::end_of(int from, along /*way*/) const {
  detail::check_rank(*this, size(), from);
  throw_no_dimensions(*this);
}

std::vector<int> topology::route(int from, along way) const {
  int const end = end_of(from, way);
  along const one_link{way.dimension, way.offset > 0 ? 1 : -1};
  std::vector<int> passed;
  std::int64_t const links = way.offset > 0 ? way.offset : -std::int64_t{way.offset};
  passed.reserve(static_cast<std::size_t>(links));
  int at = from;
  for (std::int64_t taken = 0; taken < links; ++taken) {
    at = end_of(at, one_link);
    passed.push_back(at);
  }
  if (at != end)
    throw invalid_topology(fmt::format(
        "{}: {} links along dimension {} from processor {} lead to processor {} one by one, but to "
        "{} in one go; `end_of` must agree with itself",
        spec(), way.offset, way.dimension, from, at, end));
  return passed;
}

std::vector<int> topology::coordinates(int rank) const {
  detail::check_rank(*this, size(), rank);
  return {rank};
}

int topology::rank_at(std::span<int const> coordinates) const {
  if (coordinates.size() != 1 || !detail::has_rank(size(), coordinates.front()))
    throw invalid_argument(
        fmt::format("no processor is at ({}); in {} a processor's only coordinate is its rank, 0 "
                    "to {}",
                    fmt::join(coordinates, ", "), spec(), size() - 1));
  return coordinates.front();
}

std::string topology::label(int rank) const {
  auto const number = fmt::format("{:>{}}", rank, fmt::formatted_size("{}", size() - 1));
  auto const position = coordinates(rank);
  return position.size() < 2 ? number : fmt::format("{} ({})", number, fmt::join(position, ","));
}

std::vector<layout_point> topology::layout() const {
  constexpr double between_neighbours = 0.7;
  int const processors = size();
  auto const radius = std::max(0.8, between_neighbours * processors / (2 * std::numbers::pi));
  std::vector<layout_point> places;
  places.reserve(static_cast<std::size_t>(processors));
  for (int rank = 0; rank < processors; ++rank) {
    auto const angle = 2 * std::numbers::pi * rank / processors;
    places.push_back({radius * std::sin(angle), radius * std::cos(angle)});
  }
  return places;
}

std::vector<int> topology::members(int rank, dimensions const& varying) const {
  detail::check_rank(*this, size(), rank);
  if (!varying.list.empty()) throw_no_dimensions(*this);
  return {rank};
}

std::vector<int> topology::dimensions_of_part(std::span<int const> /*members*/) const { return {}; }

std::shared_ptr<topology const> topology::part(std::span<int const> members) const {
  if (members.empty())
    throw invalid_argument(
        fmt::format("a part of {} has at least one processor; name some", spec()));
  int const processors = size();
  for (int const rank : members) detail::check_rank(*this, processors, rank);
  return std::make_shared<detail::complete_network>(static_cast<int>(members.size()));
}

}  // namespace lockstep
