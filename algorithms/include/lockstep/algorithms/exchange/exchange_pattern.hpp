#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep {

/// Who sends which piece of the data array to whom in the complete exchange: the communication
/// pattern and the data array of one processor, without the data.
///
/// Every block has a *name*, its relative address: how far its destination is from its source,
/// along each dimension, as the source sees it (`name`). Every name has a *place* in the data
/// array, the same on all processors that talk to each other. Before the exchange a processor holds
/// at the place of a name the block that it sends to that relative address, after it the block that
/// has come from there; each step deals with one digit of the names, by swapping the places where
/// that digit is not zero yet. A layout says in which order the names lie, so that these places are
/// contiguous: the digit of the step varies slowest.
///
/// Works for n >= 2 dimensions, torus (multiples of four) and mesh (even).
///
/// **Source** Suh and Shin 2001, sections 3.1.2, 3.1.3, 3.2 and 4.1. Places follow the distance in
/// submeshes and the place within the submesh; the paper's "hops" hold for P(0,0) only.
class exchange_pattern {
 public:
  /// A dimension, and which way round: +1 or -1.
  struct direction {
    int dimension = 0;
    int sign = 1;

    friend bool operator==(direction const&, direction const&) = default;
  };

  /// One message: blocks first .. last-1 of the data array go out, and as many come in there.
  struct transfer {
    along to;
    int from = 0;
    int first = 0;
    int last = 0;
  };

  /// An order of the data array: its digits, slowest first, each as what its values add to a name.
  struct layout {
    std::vector<std::vector<int>> digits;
  };

  /// Errors: invalid_argument for a network that does not fit (`why_not`).
  exchange_pattern(topology const& network, int rank);

  /// Why there is no complete exchange on this network, and what would do; empty if there is one.
  [[nodiscard]] static std::string why_not(topology const& network);

  /// Number of dimensions, n.
  [[nodiscard]] int dimensions() const { return static_cast<int>(m_sizes.size()); }
  /// Distance of neighbours in a ring: 4 on a torus, 2 on a mesh.
  [[nodiscard]] int stride() const { return m_stride; }

  /// Where this processor sends in ring phase 1 .. n.
  [[nodiscard]] direction ring(int phase) const { return m_rings[index(phase - 1)]; }
  /// Steps of this processor in that ring phase: one less than its ring has nodes.
  [[nodiscard]] int ring_steps(int phase) const;
  /// Size of the largest dimension that any processor takes in that ring phase.
  [[nodiscard]] int largest_size(int phase) const;
  [[nodiscard]] layout ring_layout(int phase) const;
  [[nodiscard]] transfer ring_step(int phase, int step) const;

  /// Steps 1 .. n of the exchange between nodes at distance 2 (torus only) or 1. A layout serves
  /// the odd step for which it is made, and the next.
  [[nodiscard]] layout exchange_layout(int distance, int step) const;
  [[nodiscard]] transfer exchange_step(int distance, int step) const;

  /// The names, 0 .. size()-1, of the block that this processor has for `destination`, and of the
  /// block that `source` has for it. A processor's block for itself has the name 0.
  [[nodiscard]] int name_of_block_for(int destination) const;
  [[nodiscard]] int name_of_block_from(int source) const;
  /// Where the names lie in that layout, indexed by name.
  [[nodiscard]] static std::vector<int> places(layout const& order);

 private:
  static constexpr int most_dimensions = 8;
  using coordinates = std::array<int, most_dimensions>;

  /// A digit of the names: its number of values, and what 1 adds.
  struct digit {
    int size = 1;
    int weight = 1;
  };

  [[nodiscard]] static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] coordinates position(int rank) const;
  [[nodiscard]] direction direction_at(coordinates const& at, int phase) const;
  [[nodiscard]] int distance_along(direction way, int from, int to) const;
  [[nodiscard]] int ring_length(int dimension) const {
    return m_sizes[index(dimension)] / m_stride;
  }
  [[nodiscard]] int exchange_dimension(int distance, int step) const;
  [[nodiscard]] int rank_along(int dimension, int offset) const;
  void append_other_digits(layout& order, std::vector<digit> const& taken) const;

  std::vector<int> m_sizes;
  std::vector<int> m_weights;  ///< of a coordinate in a rank, and of a distance in a name
  std::vector<int> m_order;    ///< e: the order in which the rule takes the dimensions
  int m_processors = 1;
  bool m_wraps = false;
  int m_stride = 2;
  int m_rank = 0;
  coordinates m_at{};
  std::vector<direction> m_rings;
};

/// Dimension and direction of the node `at` in ring phase 1 .. n (Suh and Shin 2001, 3.1.2 and
/// 3.2): in two dimensions by (r + c) mod 4; in dimension k > 2 nodes in an even unit follow the
/// pattern of k - 1 dimensions first and dimension k last, those in an odd unit dimension k first.
/// `order` lists the dimensions as the rule takes them, n >= 2.
[[nodiscard]] exchange_pattern::direction axis_and_sign(std::span<int const> at,
                                                        std::span<int const> order, int phase);

}  // namespace lockstep
