#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/detail/built_in_network.hpp>

namespace lockstep::detail {

/// The common base of torus and mesh: processors at whole-numbered coordinates, joined along each
/// dimension. The two differ at a dimension's ends.
///
/// Ranks are in row-major order: the last coordinate varies fastest, so that on R x C processors
/// rank = row * C + column. Messages go dimension by dimension, lowest first.
/// Everything by formula, in time O(dimensions) and without tables.
class grid : public built_in_network {
 public:
  static constexpr std::size_t most_dimensions = 8;

  [[nodiscard]] int size() const final { return static_cast<int>(m_size); }
  /// The number of processors along each dimension.
  [[nodiscard]] std::vector<int> const& sizes() const noexcept { return m_sizes; }
  /// "torus:12x12", "mesh:6x10x4".
  [[nodiscard]] std::string spec() const final;

  /// "+ along dimension 0", "- along dimension 0". The one link between the two processors of a
  /// torus dimension of size 2 is named "+" at both.
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const final;

  [[nodiscard]] link_number links() const final { return m_links; }
  [[nodiscard]] link link_at(link_number number) const final;
  [[nodiscard]] link_number number_of(link which) const final;
  [[nodiscard]] bool adjacent(int from, int to) const final;
  [[nodiscard]] int degree() const final;
  [[nodiscard]] int diameter() const final;

  [[nodiscard]] std::vector<int> route(int from, int to) const final;
  [[nodiscard]] int hops(int from, int to) const final;
  void append_links(int from, int to, std::vector<link_number>& links) const final;
  [[nodiscard]] bool count_loads(std::span<link const> pairs,
                                 std::span<std::uint32_t> loads) const final;

  /// A ring is a torus dimension of size 3 or more.
  [[nodiscard]] std::vector<network_axis> axes() const final;
  /// Errors: invalid_argument for a dimension that the network lacks; invalid_rank where the way
  /// leads off the edge of a mesh, or along a dimension of size 1, which has no links.
  [[nodiscard]] int end_of(int from, along way) const final;
  [[nodiscard]] std::vector<int> route(int from, along way) const final;

  /// One number per dimension, each from 0.
  [[nodiscard]] std::vector<int> coordinates(int rank) const final;
  using topology::rank_at;
  [[nodiscard]] int rank_at(std::span<int const> coordinates) const final;
  /// The last dimension to the right, the one before down, and so on in blocks; a single ring as a
  /// circle.
  [[nodiscard]] std::vector<layout_point> layout() const final;

  [[nodiscard]] std::vector<int> members(int rank, dimensions const& varying) const final;
  /// All processors that differ in k dimensions only, in rank order: a network of the same kind
  /// with these k sizes. Anything else: a crossbar.
  [[nodiscard]] std::shared_ptr<topology const> part(std::span<int const> members) const final;
  [[nodiscard]] std::vector<int> dimensions_of_part(std::span<int const> members) const final;

 protected:
  /// The processor after the last of a dimension.
  enum class beyond : std::uint8_t { first_processor, nothing };

  /// Errors: invalid_topology unless there are 1 to 8 sizes, each at least 1, with a product of at
  /// most 2^31 - 1. `kind` is "torus" or "mesh"; it must outlive the object.
  grid(std::string_view kind, beyond last, std::vector<int> sizes, std::source_location where);

  /// Makes a network of the same kind. Its sizes are known to be right.
  [[nodiscard]] virtual std::shared_ptr<topology const> of_sizes(std::vector<int> sizes) const = 0;

 private:
  struct dimension {
    std::uint32_t size = 1;
    std::uint32_t stride = 1;    ///< between the ranks of neighbours
    bool is_ring = false;        ///< two links a processor, + and -; else one each way between two
    link_number first_link = 0;  ///< its links are numbered from here on
  };
  /// Several links in the same direction along one dimension.
  struct stretch {
    std::uint32_t links = 0;
    bool upwards = true;
  };

  [[nodiscard]] std::span<dimension const> all() const { return {m_dimensions.data(), m_count}; }
  [[nodiscard]] static std::uint32_t position(dimension const& axis, std::uint32_t rank) {
    return rank / axis.stride % axis.size;
  }
  [[nodiscard]] bool has_link(dimension const& axis, std::uint32_t position, bool upwards) const;
  [[nodiscard]] static std::uint32_t step(dimension const& axis, std::uint32_t rank,
                                          std::uint32_t& position, bool upwards);
  [[nodiscard]] static std::uint32_t step(dimension const& axis, std::uint32_t rank, bool upwards);
  [[nodiscard]] stretch shorter_way(std::uint32_t size, std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] static link_number number(dimension const& axis, std::uint32_t from,
                                          std::uint32_t to);
  [[nodiscard]] dimension const& dimension_of(along way) const;
  template <class Visit>
  void walk(int from, int to, Visit&& visit) const;
  static void note_stretch(dimension const& axis, std::uint32_t at, std::uint32_t position,
                           stretch const& way, std::span<std::uint32_t> loads);

  std::string_view m_kind;
  beyond m_beyond;
  std::size_t m_count = 0;
  std::uint32_t m_size = 1;
  link_number m_links = 0;
  std::array<dimension, most_dimensions> m_dimensions{};
  std::vector<int> m_sizes;
};

/// Counts the links in the smallest cut of a mesh into halves. The cut goes across the largest
/// dimension; if that is odd, it has a step, and goes on across the next largest, and so on.
/// Source: Azizoglu and Egecioglu, The bisection width and the isoperimetric number of arrays,
/// 2004.
[[nodiscard]] std::int64_t mesh_bisection_width(std::vector<int> sizes);

}  // namespace lockstep::detail
