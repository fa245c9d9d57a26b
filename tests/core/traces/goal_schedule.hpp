#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace reference {

/// A GOAL schedule, as LogGOPSim's txt2bin reads it: what is wrong with it, and how long it takes.
class goal_schedule {
 public:
  enum class kind : std::uint8_t { send, receive, calculate };

  struct operation {
    kind what = kind::calculate;
    int rank = 0;
    int peer = 0;
    std::uint64_t bytes = 0;
    std::uint64_t tag = 0;
    std::uint64_t amount = 0;              ///< of a calculation
    std::vector<std::size_t> waits_for{};  ///< operations
    std::size_t matches = 0;               ///< a receive's send
  };

  explicit goal_schedule(std::string const& text);

  /// A line for each fault: one that is not of the grammar, a label that is not known before it is
  /// used, ranks that are not 0, 1, ... in this order, a rank without operations, a send without a
  /// receive of the same bytes or the other way round, operations that wait for each other.
  [[nodiscard]] std::vector<std::string> const& faults() const { return m_faults; }
  [[nodiscard]] std::vector<operation> const& operations() const { return m_operations; }
  [[nodiscard]] std::size_t count(kind what) const;
  [[nodiscard]] std::uint64_t bytes_sent() const;
  /// The sum of what is calculated.
  [[nodiscard]] std::uint64_t calculated() const;

  /// Steps that it takes where a send or receive takes one, the two ends of a message may share it,
  /// all else is free, and each operation starts as soon as it may.
  [[nodiscard]] std::uint64_t steps();

  /// The sends and receives of a rank as they stand there, "send to 1" or "recv from 1".
  [[nodiscard]] std::vector<std::string> order_of(int rank) const;
  /// The same, each followed by those of them that it waits for, at once or by way of others:
  /// "send to 1 after 0 2".
  [[nodiscard]] std::vector<std::string> waits_of(int rank) const;

 private:
  void read_line(std::string const& line);
  void read_operation(std::string const& label, std::string const& rest);
  void read_wait(std::string const& label, std::string const& for_label, bool for_its_start);
  void match();
  void fault(std::string const& what) { m_faults.push_back(what); }
  [[nodiscard]] std::uint64_t step_of(std::size_t which);
  [[nodiscard]] std::vector<std::size_t> messages_of(int rank) const;
  [[nodiscard]] std::string text_of(std::size_t which) const;
  void add_waits(std::size_t which, std::set<std::size_t>& waited) const;

  std::vector<operation> m_operations;
  std::vector<std::string> m_faults;
  std::map<std::string, std::size_t> m_labels;  ///< of this rank
  int m_ranks = -1;
  int m_rank = -1;  ///< the last that has begun
  bool m_open = false;
  std::vector<std::uint64_t> m_steps;  ///< those known, 0 for others
  std::vector<bool> m_looking;
};

}  // namespace reference
