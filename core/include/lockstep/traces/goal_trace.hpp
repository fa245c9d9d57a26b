#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/traces/trace.hpp>

namespace lockstep {

/// Writes the run's messages as a GOAL schedule, the text that LogGOPSim's txt2bin reads, so that
/// they can be re-timed with the parameters of a real network:
///
///   num_ranks 2
///   rank 0 {
///   l1: send 8b to 1 tag 0
///   l2: recv 8b from 1 tag 1
///   l3: send 8b to 1 tag 2
///   l3 requires l2
///   l3 requires l1
///   }
///
/// A word has `machine_options::word_bytes`, and a message one byte at least, since LogGOPSim
/// charges for all bytes but the first. Each message has a tag of its own.
///
/// A rank's operations stand in the order of its program. What waits for what follows from the
/// counting rules: a send waits for all receives before it and for the sends before it of earlier
/// steps, a receive for the receives before it of earlier steps, and never for a send. With several
/// ports, receives after one of a later step count as of that step. Where several have to be waited
/// for, a `calc 0` stands between. Barriers, idle steps and local work are not in it: on a machine
/// with one port, the schedule takes the steps that the program takes without them, where an
/// operation takes one.
///
/// The text is in the order of ranks, so that the messages are kept until `finish`: 48 bytes each,
/// and 8 more in `finish`. After `most_messages` of them the trace ends, with what came before.
class goal_trace : public trace {
 public:
  static constexpr std::size_t default_most_messages = std::size_t{1} << 22U;

  goal_trace(std::ostream& out, machine const& traced, trace_labels labels = {},
             std::size_t most_messages = default_most_messages);

  void message(message_record const& seen) override;
  void idle_steps(step_record const& /*first*/, std::uint64_t /*count*/) override {}

 private:
  struct transfer {
    std::uint64_t step;
    std::uint64_t sent;
    std::uint64_t words;
    std::uint64_t sender_call;
    std::uint64_t receiver_call;
    int from;
    int to;
  };
  /// One of the two ends of a transfer: twice its number, and one more for the receiver's.
  struct operation {
    std::uint32_t number;

    [[nodiscard]] std::uint32_t of() const { return number / 2; }
    [[nodiscard]] bool receives() const { return number % 2 == 1; }
  };
  /// The sends, or the receives, of a processor's last step with any.
  struct last_step {
    std::uint64_t step = 0;
    std::uint64_t after = 0;              ///< the label that they wait for, or 0
    std::vector<std::uint64_t> labels{};  ///< of those so far
  };

  void complete() override;
  [[nodiscard]] std::uint64_t bytes_of(transfer const& of);
  [[nodiscard]] std::uint64_t step_of(operation const& which) const;
  [[nodiscard]] std::uint64_t call_of(operation const& which) const;
  [[nodiscard]] std::vector<std::size_t> first_operations() const;
  [[nodiscard]] std::vector<operation> operations_by_rank(std::vector<std::size_t> next) const;
  void write_rank(int rank, std::span<operation> operations);
  void write_operation(std::uint64_t label, operation const& which);
  void write_wait(std::uint64_t label, std::uint64_t for_label);
  [[nodiscard]] std::uint64_t joined(last_step& several, std::uint64_t& label);
  void go_to(last_step& last, std::uint64_t step, std::uint64_t& label);

  machine m_machine;
  std::string m_program;
  std::size_t m_most_messages;
  std::deque<transfer> m_transfers;
};

}  // namespace lockstep
