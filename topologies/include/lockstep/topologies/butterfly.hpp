#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/detail/built_in_network.hpp>

namespace lockstep {

/// An unwrapped butterfly of dimension d: d + 1 levels of 2^d rows, (d + 1) 2^d processors, with
/// rank = level * 2^d + row. Between levels l and l + 1 there are two links a processor: "straight"
/// keeps the row, "cross" turns bit l of the row over. The links back are named "back" and
/// "uncross".
///
///   butterfly network{3};  // 32 processors: levels 0 to 3 of 8 rows
///
/// Links go both ways: d 2^(d+2) directed ones. A message goes a shortest way: to the lower end of
/// the levels that it has to cross, to the upper end, and to its destination, or the other way
/// round if it comes from a higher level than it goes to. It changes each bit of the row when it
/// first crosses that level. Everything by formula, in time O(d) and without tables.
/// Source: Leighton, Introduction to Parallel Algorithms and Architectures, 1992, section 3.2.1.
class butterfly final : public detail::built_in_network {
 public:
  static constexpr int most_dimensions = 26;

  /// dimension: 0, a single processor, to 26. Errors: invalid_topology.
  explicit butterfly(int dimension, std::source_location where = std::source_location::current());

  [[nodiscard]] int dimension() const noexcept { return m_dimension; }
  /// 2^d.
  [[nodiscard]] int rows() const noexcept { return 1 << m_dimension; }
  /// d + 1.
  [[nodiscard]] int levels() const noexcept { return m_dimension + 1; }
  [[nodiscard]] int size() const override { return levels() * rows(); }
  /// "butterfly:3".
  [[nodiscard]] std::string spec() const override;
  /// "straight", "cross", "back", "uncross".
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override;
  [[nodiscard]] switching default_switching() const override { return switching::neighbour; }

  /// 0 to d.
  [[nodiscard]] int level(int rank) const;
  /// 0 to 2^d - 1.
  [[nodiscard]] int row(int rank) const;

  [[nodiscard]] link_number links() const override;
  [[nodiscard]] link link_at(link_number number) const override;
  [[nodiscard]] link_number number_of(link which) const override;
  [[nodiscard]] bool adjacent(int from, int to) const override;

  /// 4, and less for d < 2.
  [[nodiscard]] int degree() const override;
  /// 2d: between two processors of a level at one end, in rows that differ in the bit of the levels
  /// at the other end.
  [[nodiscard]] int diameter() const override { return 2 * m_dimension; }
  /// Known for d <= 3, by search: 0, 2, 4, 8. It is not 2^d for all d, but 0.83 * 2^d + o(2^d)
  /// (Bornstein, Litman, Maggs, Sitaraman and Yatzkar, On the bisection width and expansion of
  /// butterfly networks, 2001).
  [[nodiscard]] std::optional<std::int64_t> bisection_width() const override;

  using topology::route;
  [[nodiscard]] std::vector<int> route(int from, int to) const override;
  /// 2 (h - l) - |difference of their levels|, where l and h are the lowest and the highest level
  /// on the way: those of the two, and for each bit i in which their rows differ i and i + 1.
  [[nodiscard]] int hops(int from, int to) const override;

  /// Level and row.
  [[nodiscard]] std::vector<int> coordinates(int rank) const override;
  using topology::rank_at;
  [[nodiscard]] int rank_at(std::span<int const> coordinates) const override;
  /// Level by level, level 0 at the top, rows from left to right.
  [[nodiscard]] std::vector<layout_point> layout() const override;

 private:
  /// The levels that a message has to go over.
  struct span_of_levels {
    int lowest = 0;
    int highest = 0;
  };
  [[nodiscard]] span_of_levels levels_between(int from, int to) const;

  int m_dimension;
};

}  // namespace lockstep
