#pragma once

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/routes.hpp>

namespace lockstep::detail {

/// A processor on which packets cross some dimensions greedily, the highest first: each waits in the
/// queue of the first dimension in which its destination lies on the other side.
template <payload_element T>
class greedy_node {
 public:
  /// The dimensions: `lowest` to lowest + dimensions - 1.
  greedy_node(int rank, int lowest, int dimensions)
      : m_rank(rank), m_lowest(lowest), m_queues(static_cast<std::size_t>(dimensions)) {}

  void put(routed<T> const& packet) {
    for (auto s = m_queues.size(); s-- > 0;)
      if (((packet.destination ^ m_rank) >> m_lowest >> s & 1) != 0) {
        m_queues[s].push_back(packet);
        return;
      }
    m_arrived.push_back(packet);
  }

  /// Takes the first packet of the queue of a dimension, counted from the lowest: it or nothing.
  [[nodiscard]] std::vector<routed<T>> take(std::size_t dimension) {
    auto& queue = m_queues[dimension];
    if (queue.empty()) return {};
    std::vector<routed<T>> first{queue.front()};
    queue.pop_front();
    return first;
  }

  [[nodiscard]] bool has_packets_on_their_way() const {
    for (auto const& queue : m_queues)
      if (!queue.empty()) return true;
    return false;
  }

  /// The packets that need none of the dimensions any more, in the order in which they came.
  [[nodiscard]] std::vector<routed<T>> const& arrived() const { return m_arrived; }

  /// All packets: those that have arrived, then those on their way.
  [[nodiscard]] std::vector<routed<T>> packets() const {
    auto all = m_arrived;
    for (auto const& queue : m_queues) all.insert(all.end(), queue.begin(), queue.end());
    return all;
  }

 private:
  int m_rank;
  int m_lowest;
  std::vector<std::deque<routed<T>>> m_queues;  ///< by dimension
  std::vector<routed<T>> m_arrived;
};

}  // namespace lockstep::detail
