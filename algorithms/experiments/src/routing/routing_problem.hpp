#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/options.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// The routing problem: in each of k instances a processor has a record with its destination, or none,
/// and no two go to the same processor.
class routing_problem {
 public:
  using record = routed<std::int64_t>;
  using arrivals = std::vector<std::optional<std::int64_t>>;  ///< at a processor, one an instance

  /// `records`: of all processors, in the order of processors, then of instances. `by_one_port`: whether
  /// messages go from neighbour to neighbour, by one port of each.
  routing_problem(topology const& network, std::size_t k, std::vector<record> records,
                  bool by_one_port = false)
      : m_network(network), m_k(k), m_records(std::move(records)), m_by_one_port(by_one_port) {}

  [[nodiscard]] std::span<record const> part_of(processor const& me) const;
  /// Finds out whether each record is where it goes, and nothing elsewhere.
  [[nodiscard]] bool is_solved_by(std::vector<arrivals> const& found) const;
  /// Counts the records that leave their processors; of many processors nothing.
  [[nodiscard]] traffic_requirement least_traffic(std::vector<arrivals> const& found) const;
  /// Adds the words that the records take on a hypercube of one port.
  void add_bounds_to(std::vector<lower_bound>& bounds) const;
  [[nodiscard]] std::int64_t records() const;

 private:
  topology const& m_network;
  std::size_t m_k;
  std::vector<record> m_records;
  bool m_by_one_port;
};

}  // namespace lockstep
