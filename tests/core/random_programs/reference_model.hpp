#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/clock_models.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/observer.hpp>

#include "random_program.hpp"

namespace reference {

/// The error that ends a run. A call can break several rules at once; it may then report any of
/// them.
struct failure {
  std::vector<std::string> kinds;  ///< names of the classes in errors.hpp
  std::uint64_t step = 0;
  int rank = -1;
};

/// What a run must give.
struct outcome {
  std::vector<std::vector<std::uint64_t>> results;
  lockstep::counts total;
  std::vector<lockstep::step_record> steps;
  std::vector<lockstep::phase_record> phases;
  std::vector<lockstep::processor_record> processors;
  std::vector<lockstep::label_record> labels;
  std::uint64_t makespan = 0;
  std::uint64_t span = 0;
  std::optional<double> clock = 0;  ///< the makespan by loggp_of_model(), where it is known
  std::vector<lockstep::message_record> messages;  ///< in the order (step, receiver, sender)
  std::uint64_t choices = 0;
  std::optional<failure> error;  ///< if there is one, nothing else of this is meaningful
  std::string contradiction{};   ///< of a run: where its record and its observers disagree
};

/// A rule that the model is told to get wrong: what random programs must find out.
enum class wrong_rule : std::uint8_t {
  none,
  two_sends_in_a_step,          ///< rule 2: the out-port is never taken
  comes_in_before_it_can,       ///< rule 2: the in-port is never taken
  comes_in_at_now,              ///< rule 2: not before the receiver's `now`
  one_port_for_all,             ///< rule 3: ports::all is as ports::one
  one_port_for_passes,          ///< rule 3: ports::per_pass has one port for all passes
  ways_as_routes,               ///< rule 4: `along` goes the topology's way
  runs_apart,                   ///< rule 5: overlapping runs count for themselves
  run_of_the_sender,            ///< rule 5: a message belongs to the run of its sender
  only_members_send,            ///< rule 5: words do not count at senders outside the run
  link_words_of_all,            ///< rule 11: words of a step's link are those of runs, too
  run_ignores_links,            ///< rule 11: a run's link words are its words
  run_pays_for_empty_messages,  ///< rules 5 and 7: a run's first step may hold empty messages only
  no_packets,                   ///< rule 6
  elements_as_words,            ///< rule 6: words_of is 1
  empty_messages_pay,           ///< rule 7
  empty_messages_load_links,    ///< rule 7
  barrier_in_the_step_of_a_send,  ///< rule 8: the out-port may be in use
  phase_of_the_send,              ///< rule 9: a message counts in the phase in which it was sent
  trailing_idles_in_phases,       ///< rule 9: a phase ends where the next begins
  phases_of_subsets,              ///< rule 9: `phase` in a subset names something
  stamped_by_the_asker,           ///< rule 10: a read is stamped by the asker's clock
  writes_first,                   ///< rule 10: in a round
  high_ranks_first,               ///< rule 10: of those that want one port
  lowest_write_stays,             ///< rule 10
  reads_see_writes,               ///< rule 10
  meeting_is_free,                ///< rule 10: pipelined requests that meet pay nothing besides
  mail_by_rank,                   ///< rule 12: messages of a superstep go by rank of the receiver
  posts_as_messages,              ///< rule 12: each post is rounded to packets
  announcement_is_free,           ///< rule 12
  first_by_stamp,                 ///< rule 13: whatever the in-port does
  highest_sender_first,           ///< rule 13: of those that come in the same step
  pending_in_this_step,           ///< rule 13: messages of `now`, too
  polling_is_free,                ///< rule 13: no step passes
  choices_without_clocks,         ///< rule 13: no message follows a call
  first_error_found,              ///< not that of the least (step, rank)
  no_link_contention,             ///< strict
  strict_only_for_words,          ///< strict: empty messages may share links
  queueing_at_its_stamp,          ///< the step of port_conflict
  sizes_unchecked,                ///< of what is received
  deadlock_of_the_latest,         ///< the step and rank of deadlock
  deadlock_for_barriers,          ///< instead of barrier_mismatch
  peak_at_the_end,                ///< memory: what is held at the end
  work_ignores_barriers,          ///< rule 14: all work of a step counts together
  work_of_runs_by_step,           ///< rule 14: that of a pipelined run does not
  work_of_all_processors,         ///< rule 14: work is the operations of all
  paths_end_at_messages,          ///< rule 14: no path leads through a message
  labels_of_the_inner,            ///< what counts under a label does not under those around it
  count
};

/// The clock by which the model times runs. All its times are sums of powers of two.
[[nodiscard]] lockstep::loggp_clock const& loggp_of_model();

/// Counting rules 1 to 14, word by word: runs any processor that can go on until nobody can, one
/// call after another in one thread, and counts afterwards from the list of all messages.
[[nodiscard]] outcome interpret(experiment const& of, wrong_rule wrong = wrong_rule::none);

}  // namespace reference
