#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <vector>

#include <lockstep/topologies/detail/grid.hpp>

namespace lockstep {

/// A torus: along each dimension the processors are joined in a ring.
///
///   torus ring{{8}};
///   torus square{{12, 12}};  // rank = row * 12 + column; dimension 0 goes from row to row
///
/// Messages go dimension by dimension, lowest first, each the shorter way round, in the + direction
/// if both are as short. Links are a set: along a dimension of size 2 there is one link each way
/// between two processors, along one of size 1 none.
class torus : public detail::grid {
 public:
  /// sizes: processors along each of 1 to 8 dimensions, each at least 1, at most 2^31 - 1 in all.
  /// Errors: invalid_topology.
  explicit torus(std::vector<int> sizes,
                 std::source_location where = std::source_location::current());
  /// The same, for sizes without braces of their own too: `torus{8}`, `torus{4, 4}`.
  template <std::same_as<int> Size>
  explicit torus(std::initializer_list<Size> sizes,
                 std::source_location where = std::source_location::current())
      : torus(std::vector<int>(sizes), where) {}
  /// Makes a torus of side x side processors. Errors: invalid_topology.
  [[nodiscard]] static torus square(int side,
                                    std::source_location where = std::source_location::current()) {
    return torus({side, side}, where);
  }

  /// Twice a mesh's where all sizes are above 2 (Aroca and Fernandez Anta, Bisection (band)width of
  /// product networks with application to data centers, 2012) or the largest is even (no link has
  /// to carry more than p * largest / 8 of the p * (p - 1) messages of an all-to-all exchange, so
  /// that p * p / 4 of them need 2 p / largest links each way); p / 2 where the largest is 2. Not
  /// known where the largest is odd and another is 2.
  [[nodiscard]] std::optional<std::int64_t> bisection_width() const override;

 private:
  [[nodiscard]] std::shared_ptr<topology const> of_sizes(std::vector<int> sizes) const override;
};

}  // namespace lockstep
