#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

struct processor_state;
struct section;

/// The members of a machine or of a part of it, and the barrier that they share.
class group {
 public:
  /// Makes the group of the whole machine.
  explicit group(std::shared_ptr<lockstep::topology const> whole)
      : m_topology(std::move(whole)), m_size(m_topology->size()), m_counts_arrivals(true) {}
  /// Makes a part of it; its dimensions stand for the machine's dimensions `varying`.
  group(std::vector<int> members, std::shared_ptr<lockstep::topology const> part,
        std::vector<int> varying);

  [[nodiscard]] int size() const { return m_size; }
  [[nodiscard]] bool whole() const { return m_members.empty(); }
  /// Whether a barrier only counts those that have come: on the whole machine, unless all are noted.
  [[nodiscard]] bool counts_arrivals() const { return m_counts_arrivals; }
  /// Notes each processor that comes to a barrier from here on.
  void note_arrivals() { m_counts_arrivals = false; }
  [[nodiscard]] lockstep::topology const& topology() const { return *m_topology; }
  [[nodiscard]] std::vector<int> const& members() const { return m_members; }
  [[nodiscard]] std::vector<int> const& varying() const { return m_varying; }

  /// Finds the rank on the machine of the member of that rank, which must exist.
  [[nodiscard]] int on_machine(int rank) const {
    return whole() ? rank : m_members[static_cast<std::size_t>(rank)];
  }
  /// Finds the rank in the group of that processor of the machine, or -1.
  [[nodiscard]] int in_group(int machine_rank) const;

  /// The members that wait in the group's barrier; in use between two releases.
  std::vector<processor_state*> waiting;
  /// The step in which the last barrier let all members go on.
  std::uint64_t released = 1;
  /// Releases in a row in which no step passed.
  std::uint64_t idle_releases = 0;
  /// The run of pipelined rounds that is open.
  section* run = nullptr;

 private:
  std::shared_ptr<lockstep::topology const> m_topology;
  std::vector<int> m_members;  ///< empty: all
  std::unordered_map<int, int> m_ranks;
  std::vector<int> m_varying;
  int m_size;
  bool m_counts_arrivals = false;
};

}  // namespace lockstep::detail
