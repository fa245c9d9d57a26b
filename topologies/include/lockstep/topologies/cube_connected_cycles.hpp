#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/detail/built_in_network.hpp>

namespace lockstep {

/// Cube-connected cycles of dimension d: a hypercube of dimension d with a cycle of d processors at
/// each of its corners, d 2^d in all, with rank = corner * d + position. "forward" leads to position
/// i + 1 of the cycle, "backward" to i - 1, modulo d, and "cube" to position i of the corner that
/// differs in bit i.
///
///   cube_connected_cycles network{3};  // 24 processors: 8 cycles of 3
///
/// Links are a set, as on a torus: a cycle of 2 (d = 2, a ring of 8 processors) has one link each
/// way, named "forward", and a cycle of 1 (d = 1, a pair of processors) has only its cube link.
/// A message goes a shortest way, and over each cube link when it first comes to its position.
/// Everything by formula, a route in time O(d), without tables.
/// Source: Preparata and Vuillemin, The cube-connected cycles: a versatile network for parallel
/// computation, 1981.
class cube_connected_cycles final : public detail::built_in_network {
 public:
  static constexpr int most_dimensions = 26;

  /// dimension: 1 to 26. Errors: invalid_topology.
  explicit cube_connected_cycles(int dimension,
                                 std::source_location where = std::source_location::current());

  [[nodiscard]] int dimension() const noexcept { return m_dimension; }
  [[nodiscard]] int size() const override { return m_dimension << m_dimension; }
  /// "cube-connected-cycles:3".
  [[nodiscard]] std::string spec() const override;
  /// "forward", "backward", "cube".
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override;
  [[nodiscard]] switching default_switching() const override { return switching::neighbour; }

  /// The corner of the hypercube at which the processor's cycle is: 0 to 2^d - 1.
  [[nodiscard]] int corner(int rank) const;
  /// The position in its cycle: 0 to d - 1.
  [[nodiscard]] int position(int rank) const;

  [[nodiscard]] link_number links() const override;
  [[nodiscard]] link link_at(link_number number) const override;
  [[nodiscard]] link_number number_of(link which) const override;
  [[nodiscard]] bool adjacent(int from, int to) const override;

  /// 3, and d for d < 3.
  [[nodiscard]] int degree() const override;
  /// 2d + floor(d/2) - 2 for d >= 4; 1, 4 and 6 for d = 1, 2 and 3. Source: Friš, Havel and Liebl,
  /// The diameter of the cube-connected cycles, 1997.
  [[nodiscard]] int diameter() const override;
  /// 2^(d-1). Source: Manabe, Hagihara and Tokura, The minimum bisection widths of the
  /// cube-connected cycles graph and cube graph, 1984.
  [[nodiscard]] std::optional<std::int64_t> bisection_width() const override;

  using topology::route;
  [[nodiscard]] std::vector<int> route(int from, int to) const override;
  /// The bits in which the corners differ, and the links of a shortest walk in a cycle from one
  /// position to the other that comes by the positions of these bits.
  [[nodiscard]] int hops(int from, int to) const override;

  /// Corner and position.
  [[nodiscard]] std::vector<int> coordinates(int rank) const override;
  using topology::rank_at;
  [[nodiscard]] int rank_at(std::span<int const> coordinates) const override;
  /// Each cycle on a circle, at its corner of the hypercube's picture.
  [[nodiscard]] std::vector<layout_point> layout() const override;

 private:
  /// A walk in a cycle: in turn this many links forward, backward, forward and so on.
  struct walk {
    int first = 0;
    int second = 0;
    int third = 0;
    bool begins_forward = true;

    [[nodiscard]] int links() const { return first + second + third; }
  };
  [[nodiscard]] walk walk_without(int link, int from, int to, unsigned visited) const;
  [[nodiscard]] walk shortest_walk(int from, int to) const;
  [[nodiscard]] int next(int rank, bool forward) const;
  [[nodiscard]] int across(int rank) const;
  /// Links of a processor in its cycle: 0 to 2.
  [[nodiscard]] int cycle_links() const;

  int m_dimension;
};

}  // namespace lockstep
