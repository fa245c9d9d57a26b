#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/detail/block_layout.hpp>
#include <lockstep/algorithms/exchange/detail/exchange_plan.hpp>
#include <lockstep/algorithms/exchange/detail/spare_buffers.hpp>
#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// The data array of one node of a complete exchange: what the fast form adds to the textbook's
/// lists.
/// It lies so that a step sends one contiguous piece, and receives one, too.
/// A layout says which block is where, so that no message needs a header.
template <payload_element T>
class data_array {
 public:
  using piece = std::vector<T>;

  /// `block`: elements in a block.
  explicit data_array(std::size_t block) : m_block(block) {}

  void make_room_for(array_sizes const& blocks) {
    for (std::size_t array = 0; array < m_arrays.size(); ++array) {
      auto const elements = blocks[array] * m_block;
      auto& room = m_arrays[array];
      if (room.capacity() < elements || room.capacity() > 2 * elements) {
        m_spare.keep(std::exchange(room, {}));
        room = m_spare.take(elements);
      }
      room.resize(elements);
    }
  }
  /// Takes a piece that is not needed any more.
  void keep_for_later(piece unused) { m_spare.keep(std::move(unused)); }
  /// The elements of an array from a place on.
  [[nodiscard]] T* at(std::size_t array, std::size_t place) {
    return m_arrays[array].data() + place * m_block;
  }
  [[nodiscard]] std::span<T> block(std::size_t array, std::size_t place) {
    return std::span<T>(m_arrays[array]).subspan(place * m_block, m_block);
  }
  [[nodiscard]] std::span<T const> block(std::size_t array, std::size_t place) const {
    return std::span<T const>(m_arrays[array]).subspan(place * m_block, m_block);
  }
  [[nodiscard]] std::size_t elements() const {
    std::size_t elements = 0;
    for (auto const& each : m_arrays) elements += each.size();
    return elements;
  }

  /// Begins a ring phase: all of the array goes out, and what stays will lie in arrays of these
  /// sizes.
  void begin_ring(array_sizes const& next, piece& out) {
    std::swap(out, m_arrays.front());
    make_room_for(next);
  }

  /// Keeps the blocks for this node's own submesh, which are the last of the piece and come from
  /// that source of its ring; the others go on.
  void keep_blocks_of_own_submesh(exchange_plan::ring_phase const& by, std::size_t source,
                                  piece& in) {
    if (in.empty()) return;
    auto const going_on = in.size() - by.staying * m_block;
    for (auto const& [copy, source_apart] : by.kept)
      copy_blocks(copy, in.data() + going_on,
                  m_arrays[copy.to_array].data() + source * source_apart * m_block, m_block);
    in.resize(going_on);
  }

  /// Takes out what goes to the partner. The first step of a pair sends the second array as it is;
  /// the next one sends the end of what came in for it, behind `staying` blocks, and the third
  /// array.
  void pack_outgoing(bool is_first, std::size_t staying, piece& out) {
    if (is_first) return std::swap(out, m_arrays[1]);
    auto const end = m_arrays[1].begin() + static_cast<std::ptrdiff_t>(staying * m_block);
    auto const going = static_cast<std::size_t>(m_arrays[1].end() - end) + m_arrays[2].size();
    if (out.capacity() < going) m_spare.keep(std::exchange(out, m_spare.take_empty(going)));
    out.assign(end, m_arrays[1].end());
    out.insert(out.end(), m_arrays[2].begin(), m_arrays[2].end());
    m_arrays[1].erase(end, m_arrays[1].end());
  }
  /// Puts in its place what came from the partner.
  void put_incoming(bool is_first, piece& in) { std::swap(m_arrays[is_first ? 1 : 2], in); }

  /// Lays the blocks anew, in arrays of these sizes.
  void rearrange(std::vector<copy_plan> const& copies, array_sizes const& next) {
    arrays laid;
    for (std::size_t array = 0; array < laid.size(); ++array)
      laid[array] = m_spare.take(next[array] * m_block);
    for (auto const& plan : copies)
      copy_blocks(plan, m_arrays[plan.from_array].data(), laid[plan.to_array].data(), m_block);
    for (auto& each : m_arrays) m_spare.keep(std::move(each));
    m_arrays = std::move(laid);
  }

 private:
  using arrays = std::array<std::vector<T>, 3>;

  arrays m_arrays;
  spare_buffers<T> m_spare;
  std::size_t m_block;
};

}  // namespace lockstep::detail
