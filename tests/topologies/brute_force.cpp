#include "brute_force.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

namespace brute_force {
namespace {

std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

/// The neighbours of each processor.
using listing = std::vector<std::vector<lockstep::neighbour>>;

listing neighbours_of(lockstep::topology const& network) {
  listing all;
  for (int rank = 0; rank < network.size(); ++rank) all.push_back(network.neighbours(rank));
  return all;
}

ends without_names(listing const& all) {
  ends of(all.size());
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (auto const& other : all[rank]) of[rank].push_back(other.rank);
  return of;
}

std::string wrong_names(listing const& all, expectation const& expected) {
  for (std::size_t rank = 0; expected.neighbours && rank < all.size(); ++rank) {
    if (all[rank] == expected.neighbours(static_cast<int>(rank))) continue;
    std::string text = fmt::format("neighbours of {}:", rank);
    for (auto const& other : all[rank])
      text += fmt::format(" {} by \"{}\"", other.rank, other.name);
    return text;
  }
  return {};
}

std::string wrong_ends(ends const& of) {
  int const p = static_cast<int>(of.size());
  for (int from = 0; from < p; ++from) {
    std::vector<bool> seen(index(p), false);
    for (int const to : of[index(from)]) {
      if (to < 0 || to >= p || to == from) return fmt::format("link {} -> {}", from, to);
      if (seen[index(to)]) return fmt::format("link {} -> {} twice", from, to);
      seen[index(to)] = true;
    }
  }
  return {};
}

std::string wrong_link_numbers(lockstep::topology const& network, ends const& of) {
  std::size_t links = 0;
  for (auto const& some : of) links += some.size();
  if (network.links() != static_cast<lockstep::link_number>(links))
    return fmt::format("{} links, not {}", links, network.links());
  std::vector<bool> used(links, false);
  for (int from = 0; from < network.size(); ++from)
    for (int const to : of[index(from)]) {
      auto const number = network.number_of({from, to});
      if (number < 0 || number >= network.links() || used[static_cast<std::size_t>(number)])
        return fmt::format("link {} -> {} has number {}", from, to, number);
      used[static_cast<std::size_t>(number)] = true;
      if (network.link_at(number) != lockstep::link{from, to})
        return fmt::format("link {} is {} -> {}, not {} -> {}", number, from, to,
                           network.link_at(number).from, network.link_at(number).to);
    }
  return {};
}

/// The sources to start from: both ends and some in between, at even distances.
std::vector<int> spread(int p, std::optional<int> count) {
  std::vector<int> sources;
  int const wanted = std::min(p, count.value_or(p));
  for (int i = 0; i < wanted; ++i)
    sources.push_back(wanted == 1 ? p / 3
                                  : static_cast<int>(std::int64_t{i} * (p - 1) / (wanted - 1)));
  return sources;
}

std::string wrong_from(lockstep::topology const& network, std::vector<int> const& away, int from) {
  for (int to = 0; to < network.size(); ++to) {
    int const links = away[index(to)];
    if (links < 0) continue;  // no way: other tests
    if (network.hops(from, to) != links)
      return fmt::format("{} hops from {} to {}, not {}", links, from, to, network.hops(from, to));
    if (network.adjacent(from, to) != (links == 1))
      return fmt::format("{} and {} adjacent: {}", from, to, network.adjacent(from, to));
    if (links != 1 && network.number_of({from, to}) != -1)
      return fmt::format("number {} of no link {} -> {}", network.number_of({from, to}), from, to);
  }
  return {};
}

std::string wrong_diameter(lockstep::topology const& network, ends const& of) {
  auto const longest = diameter(of);
  try {
    if (network.diameter() != longest)
      return fmt::format("diameter {}, not {}", longest.value_or(-1), network.diameter());
  } catch (lockstep::invalid_topology const&) {
    if (longest) return fmt::format("diameter {}, not an error", *longest);
  }
  return {};
}

std::string wrong_route(lockstep::topology const& network, int from, int to,
                        expectation const& expected) {
  auto const passed = network.route(from, to);
  auto const complain = [&](char const* what) {
    return fmt::format("route from {} to {} by {}: {}", from, to, passed, what);
  };
  if (static_cast<int>(passed.size()) != network.hops(from, to)) return complain("length");
  if ((passed.empty() ? from : passed.back()) != to) return complain("wrong end");
  std::vector<lockstep::link_number> numbers{-7};  // what is there stays there
  std::vector<lockstep::link_number> links{-7};
  int at = from;
  int last_dimension = 0;
  for (int const next : passed) {
    numbers.push_back(network.number_of({at, next}));
    if (numbers.back() < 0) return complain("no link");
    int const dimension = expected.dimension ? expected.dimension(at, next) : 0;
    if (dimension < last_dimension) return complain("order of dimensions");
    last_dimension = dimension;
    at = next;
  }
  network.append_links(from, to, links);
  return links == numbers ? std::string{} : complain("other links");
}

/// Compares the loads of the routes from one processor to all that it reaches, counted at once, with those counted by
/// going along each.
std::string wrong_loads(lockstep::topology const& network, int from, std::vector<int> const& away) {
  std::vector<lockstep::link> pairs;
  std::vector<lockstep::link_number> links;
  for (int to = 0; to < network.size(); ++to) {
    if (away[index(to)] < 0) continue;
    pairs.push_back({from, to});
    network.append_links(from, to, links);
  }
  std::vector<std::uint32_t> expected(static_cast<std::size_t>(network.links()));
  auto counted = expected;
  if (network.count_loads(pairs, counted))
    for (auto const number : links) ++expected[static_cast<std::size_t>(number)];
  return counted == expected ? std::string{} : fmt::format("loads of routes from {}", from);
}

std::string wrong_coordinates(lockstep::topology const& network) {
  for (int rank = 0; rank < network.size(); ++rank)
    if (network.rank_at(network.coordinates(rank)) != rank)
      return fmt::format("processor {} is at {}", rank, network.coordinates(rank));
  return {};
}

}  // namespace

ends ends_of(lockstep::topology const& network) { return without_names(neighbours_of(network)); }

std::vector<int> distances(ends const& of, int from) {
  std::vector<int> away(of.size(), -1);
  std::vector<int> reached(of.size());
  away[index(from)] = 0;
  reached[0] = from;
  std::size_t count = 1;
  for (std::size_t next = 0; next < count; ++next) {
    int const beyond = away[index(reached[next])] + 1;
    for (int const to : of[index(reached[next])]) {
      if (away[index(to)] >= 0) continue;
      away[index(to)] = beyond;
      reached[count++] = to;
    }
  }
  return away;
}

std::optional<int> diameter(ends const& of) {
  std::vector<std::bitset<256>> known(of.size());
  for (std::size_t rank = 0; rank < of.size(); ++rank) known[rank].set(rank);
  auto const knows_all = [&](auto const& what) { return what.count() == of.size(); };
  for (int round = 0;; ++round) {
    if (std::ranges::all_of(known, knows_all)) return round;
    auto const before = known;
    for (std::size_t rank = 0; rank < of.size(); ++rank)
      for (int const other : of[rank]) known[rank] |= before[index(other)];
    if (known == before) return std::nullopt;
  }
}

std::int64_t bisection_width(ends const& of) {
  std::vector<unsigned> joined(of.size(), 0);
  for (std::size_t from = 0; from < of.size(); ++from)
    for (int const to : of[from]) {
      joined[from] |= 1U << to;
      joined[index(to)] |= 1U << from;  // both directions count once
    }
  auto const half = of.size() / 2;
  auto const cut_by = [&](unsigned side) {
    std::int64_t cut = 0;
    for (unsigned left = side; left != 0; left &= left - 1)
      cut += std::popcount(joined[static_cast<std::size_t>(std::countr_zero(left))] & ~side);
    return cut;
  };
  if (half == 0) return 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  unsigned side = (1U << half) - 1;
  while (side < 1U << of.size()) {
    least = std::min(least, cut_by(side));
    unsigned const lowest = side & (~side + 1);  // on to the next number with as many ones
    unsigned const carried = side + lowest;
    side = carried | ((side ^ carried) >> 2) / lowest;
  }
  return least;
}

std::int64_t layered_bisection_width(ends const& of, int width) {
  constexpr std::int64_t impossible = 1'000'000;
  auto const subsets = std::size_t{1} << width;
  auto const half = of.size() / 2;
  auto const count_of = [](std::size_t set) {
    return static_cast<std::size_t>(std::popcount(set));
  };
  // The smallest cut so far, by the subset of the last level on one side, and the size of that
  // side.
  std::vector<std::vector<std::int64_t>> least(subsets,
                                               std::vector<std::int64_t>(half + 1, impossible));
  for (std::size_t set = 0; set < subsets; ++set)
    if (count_of(set) <= half) least[set][count_of(set)] = 0;
  for (std::size_t first = 0; first + index(width) < of.size(); first += index(width)) {
    std::vector<std::size_t> joined(index(width), 0);  // of each processor, in the next level
    for (std::size_t i = 0; i < joined.size(); ++i)
      for (int const to : of[first + i])
        if (index(to) > first + i)
          joined[i] |= std::size_t{1} << (index(to) - first - index(width));
    auto const before =
        std::exchange(least, std::vector(subsets, std::vector<std::int64_t>(half + 1, impossible)));
    for (std::size_t last = 0; last < subsets; ++last)
      for (std::size_t next = 0; next < subsets; ++next) {
        std::size_t cut = 0;
        for (std::size_t i = 0; i < joined.size(); ++i)
          cut += count_of(joined[i] & ((last >> i & 1U) != 0 ? ~next : next));
        for (std::size_t size = count_of(next); size <= half; ++size)
          least[next][size] = std::min(least[next][size], before[last][size - count_of(next)] +
                                                              static_cast<std::int64_t>(cut));
      }
  }
  std::int64_t smallest = impossible;
  for (auto const& of_set : least) smallest = std::min(smallest, of_set[half]);
  return smallest;
}

std::string contradiction(lockstep::topology const& network, expectation const& expected) {
  auto const all = neighbours_of(network);
  auto const of = without_names(all);
  if (auto wrong = wrong_names(all, expected); !wrong.empty()) return wrong;
  if (auto wrong = wrong_ends(of); !wrong.empty()) return wrong;
  auto const most = std::ranges::max(of, {}, &std::vector<int>::size).size();
  if (network.degree() != static_cast<int>(most))
    return fmt::format("degree {}, not {}", most, network.degree());
  if (auto wrong = wrong_link_numbers(network, of); !wrong.empty()) return wrong;
  if (auto wrong = wrong_diameter(network, of); !wrong.empty()) return wrong;
  for (int const from : spread(network.size(), expected.hop_sources))
    if (auto wrong = wrong_from(network, distances(of, from), from); !wrong.empty()) return wrong;
  for (int const from : spread(network.size(), expected.route_sources)) {
    auto const away = distances(of, from);
    for (int to = 0; to < network.size(); ++to) {
      if (away[index(to)] < 0) continue;
      if (auto wrong = wrong_route(network, from, to, expected); !wrong.empty()) return wrong;
    }
    if (auto wrong = wrong_loads(network, from, away); !wrong.empty()) return wrong;
  }
  return wrong_coordinates(network);
}

}  // namespace brute_force
