#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/topology.hpp>

/// Checks of what a topology says of itself against searches over its neighbours. These know only
/// `size` and `neighbours`. Each returns the first contradiction in words, or nothing.
namespace brute_force {

/// The other ends of each processor's links, as `neighbours` lists them.
using ends = std::vector<std::vector<int>>;

[[nodiscard]] ends ends_of(lockstep::topology const& network);

/// Counts the links from `from` to every processor by breadth-first search; -1 for no way.
[[nodiscard]] std::vector<int> distances(ends const& of, int from);

/// Measures the longest of all shortest ways: each processor knows itself, and a round later what
/// its neighbours know. It is the number of rounds until all know all, or nothing where some never
/// do. p <= 256.
[[nodiscard]] std::optional<int> diameter(ends const& of);

/// Counts the pairs of neighbours between two halves, the least over all halves. p <= 24.
[[nodiscard]] std::int64_t bisection_width(ends const& of);

/// Counts the same in a network of `width` processors a level, in rank order, all of whose links
/// lead from a level to the next one or back: level by level, over all subsets of each. width <= 8.
[[nodiscard]] std::int64_t layered_bisection_width(ends const& of, int width);

/// Facts that are known besides, and the number of processors to start searches from: by default
/// all.
struct expectation {
  /// Neighbours with their names, in order.
  std::function<std::vector<lockstep::neighbour>(int rank)> neighbours = nullptr;
  /// The dimension of the link between two neighbours, where routes go in the order of dimensions.
  std::function<int(int from, int to)> dimension = nullptr;
  std::optional<int> hop_sources = std::nullopt;
  std::optional<int> route_sources = std::nullopt;
};

/// Neighbours, degree, link numbers, adjacency, hops, diameter, routes, coordinates. p <= 256.
[[nodiscard]] std::string contradiction(lockstep::topology const& network,
                                        expectation const& expected = {});

}  // namespace brute_force
