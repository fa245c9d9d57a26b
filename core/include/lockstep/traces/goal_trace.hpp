#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topology.hpp>
#include <lockstep/traces/trace.hpp>

namespace lockstep {

/// Writes the run's messages and local work as a GOAL schedule, the text that LogGOPSim's txt2bin
/// reads, so that they can be re-timed with the parameters of a real network:
///
///   num_ranks 2
///   rank 0 {
///   l1: send 8b to 1 tag 0
///   l2: recv 8b from 1 tag 1
///   l3: calc 100
///   l3 requires l2
///   l3 irequires l1
///   l4: send 8b to 1 tag 2
///   l4 requires l3
///   l4 requires l1
///   }
///
/// A word has `machine_options::word_bytes`, and a message one byte at least, since LogGOPSim
/// charges for all bytes but the first. Each message has a tag of its own. `calc k` stands for k local
/// operations (`processor::work`), which LogGOPSim takes for k nanoseconds.
///
/// A rank's operations stand in the order of its program. What waits for what follows from the
/// counting rules: a send waits for all receives before it and for the sends before it of earlier
/// steps, a receive for the receives before it of earlier steps, and never for a send. With several
/// ports, receives after one of a later step count as of that step. Local work waits for all receives
/// before it and for the sends before it to begin, and the operations after it wait for it. Where several
/// have to be waited for, a `calc 0` stands between.
///
/// The rest, for which GOAL has no word, stands in comments, which `goal_schedule` reads and other tools pass over:
/// "// lockstep: barrier", "idle 3", "phase ring", "pipelined begin", "pipelined end", "rearrange 24",
/// and of the next message "empty", "along 0 -1", "pass 1". So does the machine: "machine ports one switching
/// neighbour packet 1 word 8 on hypercube:4", with the bytes of a word. A schedule that is played again on
/// a machine of the same options has the counts of the run. Re-timed without the comments, on a machine with one port,
/// it takes the steps that the program takes without barriers and idle steps, where an operation takes one.
///
/// Left out are labels, notes, what processors show, and what they hold in memory. One-sided calls and
/// posts are their messages, so that `counts::hot_startups` is not in it; where ports are per pass they
/// may take the out-port of another pass, and they may overtake others between the same processors,
/// which messages do not. Where the counts may differ for one of these the file says it: "// lockstep:
/// except hot start-ups".
///
/// The text is in the order of ranks, so that messages and calls are kept until `finish`: 72 bytes for
/// a message, 24 for another call, and 8 more for each message in `finish`, besides the
/// calls that the machine keeps for observers. After `most_messages` of them the trace ends, with what came
/// before. Where the machine could not keep the calls, it has the messages alone, and `finish` says so.
class goal_trace : public trace {
 public:
  static constexpr std::size_t default_most_messages = std::size_t{1} << 22U;

  goal_trace(std::ostream& out, machine const& traced, trace_labels labels = {},
             std::size_t most_messages = default_most_messages);

  void message(message_record const& seen) override;
  void idle_steps(step_record const& /*first*/, std::uint64_t /*count*/) override {}
  [[nodiscard]] bool wants_calls() const override { return true; }
  void phase(phase_start const& begun) override;
  void call(call_record const& made) override;
  void ended(run_end const& how) override;

 private:
  struct transfer {
    std::uint64_t step;
    std::uint64_t sent;
    std::uint64_t words;
    std::uint64_t sender_call;
    std::uint64_t receiver_call;
    int from;
    int to;
    int pass;
    along way;
  };
  /// A call of a processor, of those that a schedule has a line for, or that move messages.
  struct kept_call {
    call_kind kind;
    std::uint32_t subset;  ///< of a barrier: 0 the machine, else 1 + index into m_subsets
    std::uint64_t amount;  ///< steps, operations, words, index of a phase, or a message's number
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
    std::uint64_t work_before_after = 0;  ///< the work that `after` waits for
    std::vector<std::uint64_t> labels{};  ///< of those so far
    std::uint64_t work = 0;               ///< the work that all of `labels` wait for
  };
  /// The part of a rank that has been written.
  struct rank_state {
    std::uint64_t label = 0;
    last_step sends{};
    last_step receives{};
    std::uint64_t work = 0;                         ///< the label of the last, or 0
    std::vector<std::uint64_t> sends_after_work{};  ///< labels
    int pass = 0;
    std::uint64_t unwritten_work = 0;
    bool in_pipelined = false;
    std::uint32_t pipelined_subset = 0;
  };

  void complete() override;
  [[nodiscard]] std::uint64_t bytes_of(transfer const& of);
  [[nodiscard]] std::uint64_t step_of(operation const& which) const;
  [[nodiscard]] std::uint64_t call_of(operation const& which) const;
  [[nodiscard]] std::vector<std::size_t> first_operations() const;
  [[nodiscard]] std::vector<operation> operations_by_rank(std::vector<std::size_t> next) const;
  [[nodiscard]] std::uint32_t number_of(std::vector<int> const* members);
  void write_head();
  void write_machine();
  [[nodiscard]] bool has_overtaking();
  void write_rank(int rank, std::span<operation> operations, std::span<kept_call const> calls);
  void write_call(rank_state& of, kept_call const& made);
  void write_messages(rank_state& of, std::span<operation const> operations);
  void write_work(rank_state& of);
  void write_operation(rank_state& of, operation const& which);
  void write_comment(std::string_view text);
  void write_barrier(std::string_view what, std::uint32_t subset);
  void write_wait(std::uint64_t label, std::uint64_t for_label, bool for_its_start = false);
  [[nodiscard]] std::uint64_t joined(last_step& several, std::uint64_t& label);
  void go_to(last_step& last, std::uint64_t step, std::uint64_t& label);

  machine m_machine;
  std::string m_program;
  std::size_t m_most_messages;
  std::deque<transfer> m_transfers;
  std::deque<kept_call> m_calls;              ///< in the order of ranks
  std::vector<std::size_t> m_first_calls;     ///< by rank, as far as calls are told
  std::vector<std::uint64_t> m_phases_begun;  ///< by rank
  std::vector<std::string> m_phases;
  std::map<std::vector<int>, std::uint32_t> m_subsets;
  std::vector<std::string> m_exceptions;  ///< what the counts of the schedule may lack
  bool m_has_own_channels = false;        ///< one-sided calls, or posts
};

}  // namespace lockstep
