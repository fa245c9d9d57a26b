#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// The real coordinates along one dimension of a complete exchange, in the orders in which nodes
/// hold blocks from them and for them. Nodes whose coordinates agree modulo the stride share
/// a list, and each sees a part.
class axis_lists {
 public:
  /// `filled_up`: the size with virtual nodes, a multiple of the stride.
  axis_lists(int size, int filled_up, int stride);

  /// This coordinate alone, if it is real.
  [[nodiscard]] std::span<int const> itself(int coordinate) const;
  /// All, by the distance of their submesh round the ring that goes in the direction `sign`, the
  /// farthest first, the node's own last. In a submesh they lie by their place relative to the
  /// node's.
  [[nodiscard]] std::span<int const> round_the_ring(int coordinate, int sign) const;
  /// The real ones among the first `places` relative places of the node's own submesh.
  [[nodiscard]] std::span<int const> own_submesh(int coordinate, int places) const;
  /// Those that agree with the coordinate modulo `modulus`, which is the stride or a power of two
  /// below it: the node's ring, then what each partner has brought. Of a smaller modulus they begin
  /// with those of a larger one.
  [[nodiscard]] std::span<int const> sources(int coordinate, int modulus) const;

  /// How many of them lie in the submeshes from a coordinate's own on, `submeshes` in number, in
  /// that direction.
  [[nodiscard]] int within(int coordinate, int sign, int submeshes) const;
  /// Whether a coordinate is in the last submesh, which may have fewer real nodes than others.
  [[nodiscard]] bool in_last_submesh(int coordinate) const;

 private:
  /// The lists of nodes whose coordinates agree modulo the stride.
  struct class_lists {
    std::vector<int> upwards;    ///< submesh by submesh, twice round
    std::vector<int> downwards;  ///< the same the other way round
    std::vector<int> sources;    ///< modulo the stride, then those that partners bring
  };

  [[nodiscard]] class_lists const& lists_at(int coordinate) const;
  [[nodiscard]] int real_in_submesh(int submesh) const;
  void append_submesh(int submesh, int residue, std::vector<int>& list) const;
  [[nodiscard]] std::vector<int> sources_of(int residue, int modulus) const;

  int m_size;
  int m_stride;
  int m_length;  ///< submeshes
  std::vector<int> m_numbers;
  std::vector<class_lists> m_by_residue;
};

}  // namespace lockstep::detail
