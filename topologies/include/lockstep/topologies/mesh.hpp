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

/// A mesh: along each dimension the processors are joined in a line.
///
///   mesh line{{8}};
///   mesh block{{6, 10, 4}};  // rank = (x0 * 10 + x1) * 4 + x2
///
/// Messages go dimension by dimension, lowest first.
class mesh : public detail::grid {
 public:
  /// sizes: processors along each of 1 to 8 dimensions, each at least 1, at most 2^31 - 1 in all.
  /// Errors: invalid_topology.
  explicit mesh(std::vector<int> sizes,
                std::source_location where = std::source_location::current());
  /// The same, for sizes without braces of their own too: `mesh{8}`, `mesh{4, 4}`.
  template <std::same_as<int> Size>
  explicit mesh(std::initializer_list<Size> sizes,
                std::source_location where = std::source_location::current())
      : mesh(std::vector<int>(sizes), where) {}
  /// Makes a mesh of side x side processors. Errors: invalid_topology.
  [[nodiscard]] static mesh square(int side,
                                   std::source_location where = std::source_location::current()) {
    return mesh({side, side}, where);
  }

  /// p / largest where the largest size is even. Where it is odd the cut has steps (Azizoglu and
  /// Egecioglu, The bisection width and the isoperimetric number of arrays, 2004).
  [[nodiscard]] std::optional<std::int64_t> bisection_width() const override;

 private:
  [[nodiscard]] std::shared_ptr<topology const> of_sizes(std::vector<int> sizes) const override;
};

}  // namespace lockstep
