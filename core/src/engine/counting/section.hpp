#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/counting/step_counters.hpp"
#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

class process_team;

/// A phase or a run of pipelined rounds: its steps [begin, end), and the words that its members
/// sent and received in them.
struct section {
  group const* members;
  std::uint64_t begin;
  std::uint64_t end = never;
  std::string name{};
  std::vector<std::uint64_t> received{};  ///< by member; empty once nothing more can come
  /// By worker that took in, then by member. Many workers share one list, and add to it atomically.
  std::vector<std::vector<std::uint64_t>> sent{};
  /// Words that other processors sent to members, by worker that took in, then by rank on the
  /// machine. Many workers share one table, and its lock: few words come from outside.
  std::vector<std::unordered_map<int, std::uint64_t>> sent_from_outside{};
  std::unique_ptr<std::mutex> outside_guard{};
  std::uint64_t port_words = 0;  ///< of those already summed up
  std::size_t workers = 0;
  process_team* team = nullptr;  ///< where other processes count, too
  bool joined = false;           ///< and what they counted is here

  void open(std::size_t of_workers);
  /// The bytes that it holds at most.
  [[nodiscard]] std::size_t bytes() const;
  void count(std::size_t worker, int from, int to, std::uint64_t words);
  void count_shared(int sender, int from, std::uint64_t words);
  /// The lists of sent words.
  [[nodiscard]] std::size_t lists() const;
  [[nodiscard]] std::uint64_t sent_by(std::size_t member) const;
  /// Adds what all processes counted, once nothing more can come. All of them call it.
  void join();
  /// Sums up, and drops the numbers of each member.
  void sum_up();
};

}  // namespace lockstep::detail
