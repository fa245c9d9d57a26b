#include "search_tables.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

std::vector<int> sorted_ends(topology const& network, int size, int rank) {
  std::vector<int> ends;
  for (auto const& other : network.neighbours(rank)) {
    if (other.rank == rank)
      throw invalid_topology(fmt::format(
          "{}: processor {} cannot have processor {} as its neighbour, which is itself; "
          "leave that loop out, since no processor sends to itself",
          network.spec(), rank, other.rank));
    if (!detail::has_rank(size, other.rank))
      throw invalid_topology(
          fmt::format("{}: processor {} cannot have processor {} as its neighbour; neighbours are "
                      "other processors, 0 to {}",
                      network.spec(), rank, other.rank, size - 1));
    ends.push_back(other.rank);
  }
  std::ranges::sort(ends);
  if (auto const twice = std::ranges::adjacent_find(ends); twice != ends.end())
    throw invalid_topology(
        fmt::format("{}: processor {} has processor {} as its neighbour twice; name each neighbour "
                    "once",
                    network.spec(), rank, *twice));
  return ends;
}

namespace {

adjacency outgoing_links(topology const& network) {
  int const size = network.size();
  if (size < 1)
    throw invalid_topology(
        fmt::format("{} has {} processors; a network has at least 1", network.spec(), size));
  adjacency links;
  links.first.reserve(static_cast<std::size_t>(size) + 1);
  links.first.push_back(0);
  for (int rank = 0; rank < size; ++rank) {
    auto const ends = sorted_ends(network, size, rank);
    links.ends.insert(links.ends.end(), ends.begin(), ends.end());
    links.first.push_back(links.ends.size());
  }
  return links;
}

/// Lists the same links at the processors that they lead to.
adjacency reversed(adjacency const& links) {
  adjacency back;
  back.first.assign(links.first.size(), 0);
  back.ends.resize(links.ends.size());
  for (int const to : links.ends) ++back.first[static_cast<std::size_t>(to) + 1];
  for (std::size_t at = 1; at < back.first.size(); ++at) back.first[at] += back.first[at - 1];
  auto room = back.first;
  int const size = static_cast<int>(links.first.size()) - 1;
  for (int from = 0; from < size; ++from)
    for (int const to : links.of(from)) back.ends[room[static_cast<std::size_t>(to)]++] = from;
  return back;
}

/// The result of a breadth-first search: the processors in the order in which they are reached, and
/// their distances (-1: out of reach).
struct reached {
  std::vector<int> order;
  std::vector<int> distance;
};

reached search(adjacency const& links, int start) {
  reached found;
  found.distance.assign(links.first.size() - 1, -1);
  found.distance[static_cast<std::size_t>(start)] = 0;
  found.order.push_back(start);
  for (std::size_t next = 0; next < found.order.size(); ++next) {
    int const at = found.order[next];
    for (int const end : links.of(at)) {
      int& distance = found.distance[static_cast<std::size_t>(end)];
      if (distance >= 0) continue;
      distance = found.distance[static_cast<std::size_t>(at)] + 1;
      found.order.push_back(end);
    }
  }
  return found;
}

constexpr int searches_at_once = 64;  // a bit of a word for each

/// The longest of the shortest ways from some processors, in links, and the first of them that cannot reach
/// every other, or -1.
struct longest_ways {
  int links = 0;
  int cut_off = -1;
};

/// Searches from `first` and those behind it, `count` in all, at once: bit i of a processor's word is that of
/// first + i.
longest_ways longest_way(adjacency const& links, int first, int count) {
  std::vector<std::uint64_t> seen(links.first.size() - 1);
  auto arrived = seen;  // in the last round
  auto next = seen;
  std::vector<int> active;
  for (int from = first; from < first + count; ++from) {
    auto const at = static_cast<std::size_t>(from);
    seen[at] = arrived[at] = std::uint64_t{1} << static_cast<unsigned>(from - first);
    active.push_back(from);
  }
  longest_ways found;
  for (std::vector<int> reached;; active.swap(reached), ++found.links) {
    reached.clear();
    for (int const at : active) {
      auto const searches = arrived[static_cast<std::size_t>(at)];
      for (int const end : links.of(at)) {
        auto const to = static_cast<std::size_t>(end);
        auto const come = searches & ~seen[to];
        if (come != 0 && next[to] == 0) reached.push_back(end);
        next[to] |= come;
      }
    }
    if (reached.empty()) break;
    for (int const at : reached) {
      auto const to = static_cast<std::size_t>(at);
      seen[to] |= arrived[to] = std::exchange(next[to], 0);
    }
  }
  auto const everywhere =
      std::accumulate(seen.begin(), seen.end(), ~std::uint64_t{0}, std::bit_and<>());
  if (int const complete = std::countr_one(everywhere); complete < count)
    found.cut_off = first + complete;
  return found;
}

}  // namespace

void topology::search_tables::read(topology const& network) {
  if (m_read.load(std::memory_order_acquire)) return;
  std::lock_guard const lock(m_one_at_a_time);
  if (m_read.load(std::memory_order_relaxed)) return;
  auto outgoing = outgoing_links(network);
  m_incoming = reversed(outgoing);
  m_next = std::make_unique<next_hops[]>(outgoing.first.size() - 1);
  m_outgoing = std::move(outgoing);
  m_read.store(true, std::memory_order_release);
}

std::vector<int> const& topology::search_tables::next_towards(int to) const {
  auto& wanted = m_next[static_cast<std::size_t>(to)];
  if (wanted.known.load(std::memory_order_acquire)) return wanted.towards;
  std::lock_guard const lock(m_one_at_a_time);
  if (!wanted.known.load(std::memory_order_relaxed)) {
    wanted.towards = search_towards(to);
    wanted.known.store(true, std::memory_order_release);
  }
  return wanted.towards;
}

std::vector<int> topology::search_tables::search_towards(int to) const {
  auto const found = search(m_incoming, to);
  std::vector<int> next(found.distance.size(), -1);
  for (int const at : found.order) {
    int const nearer = found.distance[static_cast<std::size_t>(at)] - 1;
    for (int const end : m_outgoing.of(at)) {  // in rank order
      if (nearer < 0 || found.distance[static_cast<std::size_t>(end)] != nearer) continue;
      next[static_cast<std::size_t>(at)] = end;
      break;
    }
  }
  return next;
}

int topology::search_tables::diameter(topology const& network) const {
  if (int const known = m_diameter.load(std::memory_order_relaxed); known >= 0) return known;
  int longest = 0;
  for (int first = 0; first < size(); first += searches_at_once) {
    auto const [links, cut_off] =
        longest_way(m_outgoing, first, std::min(searches_at_once, size() - first));
    if (cut_off >= 0)
      throw invalid_topology(fmt::format(
          "{} has no diameter: processor {} cannot reach every other; add the links that are "
          "missing",
          network.spec(), cut_off));
    longest = std::max(longest, links);
  }
  m_diameter.store(longest, std::memory_order_relaxed);
  return longest;
}

}  // namespace lockstep
