#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/detail/built_in_network.hpp>

namespace lockstep {

/// A hypercube of dimension d: 2^d processors, joined where their ranks differ in one bit.
///
///   hypercube cube{10};  // 1,024 processors
///
/// Messages go dimension by dimension, lowest first. Everything by formula, without tables.
/// Source of the names: Mayr and Plaxton 1989, section 2.2.
class hypercube final : public detail::built_in_network {
 public:
  static constexpr int most_dimensions = 30;

  /// dimension: 0 to 30. Errors: invalid_topology.
  explicit hypercube(int dimension, std::source_location where = std::source_location::current());

  [[nodiscard]] int dimension() const noexcept { return m_dimension; }
  [[nodiscard]] int size() const override { return 1 << m_dimension; }
  /// "hypercube:10".
  [[nodiscard]] std::string spec() const override;
  /// "dimension 0", "dimension 1", ...
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override;
  [[nodiscard]] switching default_switching() const override { return switching::neighbour; }

  [[nodiscard]] link_number links() const override;
  [[nodiscard]] link link_at(link_number number) const override;
  [[nodiscard]] link_number number_of(link which) const override;
  [[nodiscard]] bool adjacent(int from, int to) const override;

  /// d.
  [[nodiscard]] int degree() const override { return m_dimension; }
  /// d.
  [[nodiscard]] int diameter() const override { return m_dimension; }
  /// 2^(d-1), or 0 for a single processor.
  [[nodiscard]] std::optional<std::int64_t> bisection_width() const override { return size() / 2; }

  using topology::route;
  [[nodiscard]] std::vector<int> route(int from, int to) const override;
  [[nodiscard]] int hops(int from, int to) const override;
  void append_links(int from, int to, std::vector<link_number>& links) const override;

  /// The bits of the rank, dimension 0 first.
  [[nodiscard]] std::vector<int> coordinates(int rank) const override;
  using topology::rank_at;
  [[nodiscard]] int rank_at(std::span<int const> coordinates) const override;
  /// " 3 0011": the bits with the highest first.
  [[nodiscard]] std::string label(int rank) const override;
  /// Squares, or cubes seen from above on one side.
  [[nodiscard]] std::vector<layout_point> layout() const override;

  [[nodiscard]] std::vector<int> members(int rank, dimensions const& varying) const override;
  /// All processors that differ in k dimensions only, in rank order: a hypercube of dimension k.
  /// Anything else: a crossbar.
  [[nodiscard]] std::shared_ptr<topology const> part(std::span<int const> members) const override;

 private:
  [[nodiscard]] unsigned differing_bits(int from, int to) const;

  int m_dimension;
};

}  // namespace lockstep
