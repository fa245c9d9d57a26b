#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <lockstep/detail/derived_values.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// The other ends of each processor's links, in rank order, one processor after another.
struct adjacency {
  std::vector<std::size_t> first;  ///< p + 1 entries: where each processor's begin
  std::vector<int> ends;           ///< one for each link; its index is the link's number

  [[nodiscard]] std::span<int const> of(int rank) const {
    auto const at = static_cast<std::size_t>(rank);
    return {ends.data() + first[at], first[at + 1] - first[at]};
  }
};

/// Finds the other ends of one processor's links, in rank order, on a network of `size` processors.
/// Errors: invalid_topology for impossible neighbours.
[[nodiscard]] std::vector<int> sorted_ends(topology const& network, int size, int rank);

/// The results of breadth-first searches over a topology's links, kept for later calls, and what
/// else follows from the topology. Any number of threads may ask at the same time.
class topology::search_tables {
 public:
  /// Reads all links of `network`, at the first call only.
  /// Errors: invalid_topology where the network's neighbours are impossible.
  void read(topology const& network);

  [[nodiscard]] int size() const noexcept { return static_cast<int>(m_outgoing.first.size()) - 1; }
  [[nodiscard]] adjacency const& outgoing() const noexcept { return m_outgoing; }

  /// Finds for each processor the lowest-numbered of its neighbours that are nearest to `to`; -1
  /// where no way leads to `to`, and at `to` itself. Searched for at the first call for each `to`,
  /// then kept (4 p bytes).
  [[nodiscard]] std::vector<int> const& next_towards(int to) const;

  /// Finds the longest of the shortest ways, in links. Searched for at the first call, then kept.
  /// `network`: that of these tables.
  /// Errors: invalid_topology where a processor cannot reach every other.
  [[nodiscard]] int diameter(topology const& network) const;

  /// Returns the values that others have derived from the network.
  [[nodiscard]] detail::derived_values& derived() noexcept { return m_derived; }

 private:
  struct next_hops {
    std::atomic<bool> known = false;
    std::vector<int> towards;
  };

  [[nodiscard]] std::vector<int> search_towards(int to) const;

  mutable std::mutex m_one_at_a_time;
  mutable std::atomic<int> m_diameter = -1;  ///< not known
  std::atomic<bool> m_read = false;
  adjacency m_outgoing;
  adjacency m_incoming;
  std::unique_ptr<next_hops[]> m_next;  ///< one for each destination
  detail::derived_values m_derived;
};

}  // namespace lockstep
