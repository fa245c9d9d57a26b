#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <source_location>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/detail/labelled_element.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::textbook {

using lockstep::detail::labelled_element;

}  // namespace lockstep::textbook

namespace lockstep::detail {

/// Checks network and number of elements. Result: m. Errors: invalid_argument.
[[nodiscard]] std::size_t block_size(processor const& me, std::size_t elements);

/// Errors: size_mismatch unless as many elements arrived as were sent.
void require_all_arrived(processor const& me, std::size_t arrived,
                         std::size_t sent);

/// Errors: invalid_argument unless the paper's rules fit.
void require_two_dimensions(std::size_t dimensions);

[[nodiscard]] bool is_torus(topology const& network);

/// Lists the sizes of a torus or mesh: one more than the last processor's coordinates.
[[nodiscard]] std::vector<int> sizes_of(topology const& network);

/// One node of a complete exchange, with the blocks that it holds at the moment.
template <payload_element Block>
class exchanging_node {
 public:
  exchanging_node(processor& me, std::vector<Block> blocks, bool aligned)
      : m_me(me),
        m_held(std::move(blocks)),
        m_aligned(aligned),
        m_wraps(is_torus(me.topology())),
        m_sizes(sizes_of(me.topology())),
        m_at(me.topology().coordinates(me.rank())) {
    show_held();
  }

  [[nodiscard]] std::vector<int> const& at() const { return m_at; }
  [[nodiscard]] int dimensions() const {
    return static_cast<int>(m_sizes.size());
  }
  [[nodiscard]] int size(int dimension) const {
    return m_sizes[index(dimension)];
  }
  [[nodiscard]] std::vector<Block> held() && { return std::move(m_held); }

  void begin_phase(std::string_view name, std::source_location where =
                                              std::source_location::current()) {
    library_frame const frame(m_me, where);
    if (m_aligned) m_me.phase(name);
  }

  /// P(r, c) -> P(r, (c + offset) mod C): one step of a ring, whose members all do the same. On a
  /// mesh the last member sends back along the line.
  void transmit_in_ring(
      along const& next,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    int const here = m_at[index(next.dimension)];
    int const size = this->size(next.dimension);
    int const onwards =
        m_wraps ? next.offset : (here + next.offset) % size - here;
    int const before = (here - next.offset + size) % size;
    transmit({next.dimension, onwards}, std::abs(next.offset),
             rank_with(next.dimension, before));
  }

  /// P(r, c) -> P(r, c + offset), which sends to P(r, c) at the same time.
  void transmit_to_partner(
      along const& partner,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    int const there = m_at[index(partner.dimension)] + partner.offset;
    transmit(partner, std::abs(partner.offset),
             rank_with(partner.dimension, there));
  }

 private:
  static constexpr int outside = -1;

  [[nodiscard]] static std::size_t index(int dimension) {
    return static_cast<std::size_t>(dimension);
  }

  /// Sends on all blocks whose destination lies outside this node's submesh of that side, in this
  /// dimension, and receives the answer.
  void transmit(along const& to, int side, int from) {
    int const own_submesh = m_at[index(to.dimension)] / side;
    auto const stays = [&](Block const& block) {
      return coordinate(block.destination, to.dimension) / side == own_submesh;
    };
    auto const first =
        std::stable_partition(m_held.begin(), m_held.end(), stays);
    std::vector<Block> leaving(first, m_held.end());
    m_held.erase(first, m_held.end());
    auto const arrived = m_me.exchange(to, std::move(leaving), from);
    m_held.insert(m_held.end(), arrived.begin(), arrived.end());
    show_held();
  }

  /// Shows the blocks that it holds, successive elements of one block as one.
  void show_held() {
    if (m_me.is_shown()) m_me.show("data array", labels_of(m_held));
  }

  /// Ranks are in row-major order.
  [[nodiscard]] int weight(int dimension) const {
    int ranks = 1;
    for (int a = dimension + 1; a < dimensions(); ++a) ranks *= size(a);
    return ranks;
  }
  [[nodiscard]] int coordinate(int rank, int dimension) const {
    return rank / weight(dimension) % size(dimension);
  }
  /// The rank of the node that differs from this one in one coordinate.
  [[nodiscard]] int rank_with(int dimension, int coordinate) const {
    if (coordinate < 0 || coordinate >= size(dimension)) return outside;
    return m_me.rank() +
           (coordinate - m_at[index(dimension)]) * weight(dimension);
  }

  processor& m_me;
  std::vector<Block> m_held;
  bool m_aligned;
  bool m_wraps;
  std::vector<int> m_sizes;
  std::vector<int> m_at;
};

}  // namespace lockstep::detail
