#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/topology.hpp>

#include "engine/counting/worker_counters.hpp"

namespace lockstep::detail {

/// The number of messages on each link, step by step.
///
/// A sweep goes through the steps, puts a row of messages on its links in the first of its steps and
/// takes it off after the last. So a row costs its route twice, however long it is, and a message by
/// itself once.
class link_loads {
 public:
  explicit link_loads(topology const& network) : m_topology(network) {}

  /// Finds, in each of these steps, the number of messages of the rows on the link that carries the most.
  /// Empty messages load no link. `steps`: in ascending order. Result: until the next sweep.
  [[nodiscard]] std::span<std::uint32_t const> sweep(
      std::span<std::uint64_t const> steps, std::span<std::span<link_use const> const> rows);

  /// Finds the links that a message takes, each once. Result: until the next call.
  [[nodiscard]] std::span<link_number const> links_of(link_use const& use);

 private:
  /// A row in the steps [begin, end) of the sweep, by their places in it.
  struct swept_row {
    link_use const* use;
    std::uint32_t begin;
    std::uint32_t end;
    [[nodiscard]] bool is_single() const { return end - begin == 1; }
  };

  void load_steps(std::span<std::uint64_t const> steps);
  void append_links(link_use const& use, std::vector<link_number>& links) const;
  void keep_rows_within(std::span<std::uint64_t const> steps);
  void order_rows(std::size_t steps);
  [[nodiscard]] std::uint32_t load_single(std::span<swept_row const> begun);
  [[nodiscard]] bool count_single(std::span<swept_row const> begun);
  void put_on(link_use const& row);
  void take_off(link_use const& row);

  topology const& m_topology;
  std::vector<std::uint32_t> m_loads;       ///< by link; 0 between sweeps
  std::vector<std::uint32_t> m_links_with;  ///< links that carry n messages of rows, by n
  std::uint32_t m_most = 0;                 ///< the largest n
  std::vector<swept_row> m_rows;
  // These are kept for their memory.
  std::vector<swept_row> m_by_begin;
  std::vector<link_use const*> m_by_end;     ///< rows of several steps
  std::vector<std::uint32_t> m_first_begun;  ///< by step, in m_by_begin
  std::vector<std::uint32_t> m_first_ended;  ///< by step, in m_by_end
  std::vector<std::uint32_t> m_largest;
  std::vector<link_number> m_route;
  std::vector<link_number> m_single;
  bool m_counts_at_once = true;  ///< as far as is known, the topology does
  std::vector<link> m_pairs;
  std::vector<std::uint32_t> m_single_loads;
};

}  // namespace lockstep::detail
