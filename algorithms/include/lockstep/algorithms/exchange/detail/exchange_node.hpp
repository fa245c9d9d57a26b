#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/algorithms/exchange/detail/axis_lists.hpp>
#include <lockstep/algorithms/exchange/detail/block_layout.hpp>
#include <lockstep/algorithms/exchange/detail/exchange_plan.hpp>
#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// The digits of a block layout that say from which source along a dimension, and for which
/// destination.
[[nodiscard]] constexpr std::size_t source_digit(int dimension) {
  return 2 * static_cast<std::size_t>(dimension);
}
[[nodiscard]] constexpr std::size_t destination_digit(int dimension) {
  return source_digit(dimension) + 1;
}

/// The blocks that one node of the larger network, real or virtual, holds and passes on in a
/// complete exchange, without the data.
///
/// At any time between two steps it holds the blocks from all sources of a box for all destinations
/// of a box: for each dimension a list of coordinates of sources and one of destinations, of real
/// nodes only. A step along a dimension changes the two lists of this dimension. The lists are
/// parts of those of the exchange (`axis_lists`).
class exchange_node {
 public:
  using coordinates = exchange_schedule::coordinates;
  using direction = exchange_schedule::direction;
  using phase_step = exchange_schedule::phase_step;

  exchange_node(exchange_schedule const& schedule, coordinates const& at);

  [[nodiscard]] coordinates const& at() const { return m_at; }

  /// How the data array has to lie for a ring phase, or for a pair of exchange steps that begins
  /// then: what goes out in a step is one piece.
  [[nodiscard]] block_layout layout_for(phase_step when) const;
  /// Where in that layout the blocks for each destination lie; at the end, those from each source
  /// in that box of it.
  [[nodiscard]] rank_walk by_destination(block_layout const& in) const;
  [[nodiscard]] rank_walk by_source(block_layout const& in, std::size_t box) const;
  /// Lists which blocks lie in that layout, in order, one array after another.
  [[nodiscard]] std::vector<block_label> labels(block_layout const& in) const;
  /// Blocks from one source along a dimension for one destination along it.
  [[nodiscard]] std::size_t blocks_across(int dimension) const;

  /// Ring phases. In step s (0: its own) the node has what the s-th node before it in its ring had
  /// for those from itself on; the blocks for its own submesh, the last of the piece, stay.
  void enter_ring(std::size_t phase);
  [[nodiscard]] direction ring_way() const { return m_ring; }
  [[nodiscard]] int ring_steps() const;
  /// The node that many steps before it in its ring, or, if negative, after it.
  [[nodiscard]] coordinates ring_node(int steps_before) const;
  /// For how many destinations along the ring blocks arrive in that step, 1 .. ring_steps(), and
  /// go out in it: 0 if they would come from a virtual source.
  [[nodiscard]] std::size_t destinations_arriving(int step) const;
  [[nodiscard]] std::size_t destinations_going_on(int step) const;
  /// Finds the part of a piece that stays, at its end, from the first source of the ring; and which
  /// of the sources it comes from in that step.
  [[nodiscard]] block_layout staying_from_first() const;
  [[nodiscard]] std::size_t source_in(int step) const;
  /// After that step: the blocks of the data array, in which places are empty until theirs come,
  /// and those of the piece that goes on.
  [[nodiscard]] std::vector<block_label> labels_so_far(block_layout const& in, int step) const;
  [[nodiscard]] std::vector<block_label> labels_going_on(int step) const;

  /// Exchange phases, for a pair of steps. The boxes B0 | B1, B3 | B2 are in three arrays. The
  /// first step swaps the second array for the partner's; the next one swaps what is then B3 and
  /// B2, which is the third array afterwards. Where a step is alone there are B0 | B1.
  [[nodiscard]] coordinates partner(int dimension, int distance) const;
  /// The lists after that step, and the layout.
  void finish_swap(int dimension, int distance);
  void finish_swap(phase_step when, block_layout& layout);

 private:
  struct axis {
    std::span<int const> sources;
    std::span<int const> destinations;
  };

  [[nodiscard]] static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] int coordinate(int dimension) const { return m_at[index(dimension)]; }
  [[nodiscard]] axis& along(int dimension) { return m_axes[index(dimension)]; }
  [[nodiscard]] axis const& along(int dimension) const { return m_axes[index(dimension)]; }
  [[nodiscard]] axis_lists const& lists(int dimension) const { return m_plans->along(dimension); }
  [[nodiscard]] int dimensions() const { return m_schedule->dimensions(); }
  [[nodiscard]] int distance(phase_step when) const {
    return m_schedule->phases()[when.phase].distance;
  }
  [[nodiscard]] std::array<block_layout::box, 2> halves(block_layout::box const& whole,
                                                        int dimension, int distance) const;
  void replace_first(phase_step when, int own_sources, int brought, block_layout& layout) const;
  [[nodiscard]] std::vector<block_layout::box> second_of(coordinates const& partner,
                                                         phase_step first, int dimension,
                                                         int own_sources) const;
  [[nodiscard]] block_layout::box everything() const;
  void append_labels(block_layout::box const& of, std::vector<block_label>& labels) const;
  [[nodiscard]] std::vector<int> digits_behind(std::vector<std::size_t> const& slowest) const;
  [[nodiscard]] std::size_t destinations_beyond(int origin, int submeshes) const;

  exchange_schedule const* m_schedule;
  exchange_plans const* m_plans;
  coordinates m_at;
  std::array<axis, exchange_schedule::most_dimensions> m_axes{};
  direction m_ring;  ///< of the phase that it is in
};

}  // namespace lockstep::detail
