#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/clock_models.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/run.hpp>

namespace lockstep {

/// The kinds of what takes a processor's time.
enum class time_kind : std::uint8_t { send, receive, work, idle, barrier };

/// "send", "receive", "work", "idle" or "barrier".
[[nodiscard]] std::string_view name_of(time_kind what);

/// A stretch of the critical path: what one processor did, or what it waited for.
struct path_piece {
  int rank = 0;
  time_kind what = time_kind::send;
  double begin = 0;
  double end = 0;
  int other = -1;  ///< of a send the receiver, of a receive the sender
  std::source_location where{};
};

/// The time of one processor, in the model's unit. What it is busy with, and what it is not, add up to
/// the makespan.
struct processor_time {
  double overhead = 0;  ///< of sends and receives
  double work = 0;
  double waiting = 0;  ///< for messages
  double held = 0;     ///< by an out-port that is still taken
  double barrier = 0;  ///< waiting in barriers
  double idled = 0;    ///< steps that the program idles, where the model prices them
  double tail = 0;     ///< from its end to the makespan

  [[nodiscard]] double busy() const { return overhead + work; }
  [[nodiscard]] double idle() const { return waiting + held + barrier + idled + tail; }
};

/// The times of a run by a clock model: each processor has a clock of its own, and goes on as soon as
/// it can (run_record::timeline).
struct timeline {
  std::string model;
  std::string unit;
  double makespan = 0;  ///< until the last processor is done, and its last byte has left
  std::vector<processor_time> processors;  ///< in rank order
  /// The chain that the makespan follows from, in the order of time: each piece begins when the event
  /// that it waited for ended, on the same processor or another.
  std::vector<path_piece> critical_path;
  double operation = 0;  ///< the model's price of a local operation; 0: work takes no time

  /// The sequential time over the makespan: what the model takes for as many operations as the
  /// sequential algorithm does.
  /// Errors: invalid_argument where the model has no price of an operation, or the run takes no time.
  /// Example: `run.timeline(loggp_clock{.latency_us = 5, .operation_us = 0.01}).speedup(n)`
  [[nodiscard]] double speedup(std::uint64_t sequential_operations) const;
  /// The same over the number of processors. Errors: those of `speedup`.
  [[nodiscard]] double efficiency(std::uint64_t sequential_operations) const;
  /// The share of the time in which processors are busy, from 0 to 1; 1 for a makespan of 0.
  [[nodiscard]] double utilisation() const;
  /// Writes the critical path as rows of text, a stretch a row, equal kinds of one processor as one.
  [[nodiscard]] std::string path_text() const;
};

/// The kinds of what a processor does, or what keeps it.
enum class stretch_kind : std::uint8_t { send, receive, work, waiting, held, barrier, idle };

/// "send", "receive", "work", "waiting", "held", "barrier" or "idle", as `processor_time` has them:
/// the overhead of sends and receives, local work, and what a processor waits for.
[[nodiscard]] std::string_view name_of(stretch_kind what);

/// A stretch of a processor's time, of one kind.
struct time_stretch {
  int rank = 0;
  stretch_kind what = stretch_kind::send;
  double begin = 0;
  double end = 0;

  friend bool operator==(time_stretch const&, time_stretch const&) = default;
};

/// The time of a step: from when a processor begins to send the first of the messages that arrive in it
/// until the last of them is taken in. By a clock steps overlap.
struct step_time {
  std::uint64_t step = 0;
  double begin = 0;
  double end = 0;

  friend bool operator==(step_time const&, step_time const&) = default;
};

namespace detail {

/// Something that a processor did, in the order of its program.
struct event {
  time_kind what = time_kind::send;
  int other = -1;            ///< the processor at the other end
  std::uint64_t amount = 0;  ///< words of a send; operations; steps that are idled
  std::size_t message = 0;   ///< that is sent or received
  std::size_t members = 0;   ///< of a barrier: 0 the whole machine, else 1 + index into `groups`
  std::int64_t port = 0;     ///< that it takes
  std::source_location where{};
};

/// All that the processors of a run did, in the order of their programs.
struct event_list {
  std::vector<std::vector<event>> by_rank;
  std::vector<std::vector<int>> groups;  ///< members of subsets' barriers
  std::vector<message_record> messages;
  std::shared_ptr<topology const> network;
  std::string left_out;  ///< why it is not complete; else empty
};

/// The record of what the processors of a run did, as the engine keeps it.
class event_record {
 public:
  event_record() = default;
  event_record(event_record const&) = delete;
  event_record& operator=(event_record const&) = delete;
  virtual ~event_record() = default;

  /// Brings it into order, when it is first asked for. Errors: those of the topology's routes, which it asks for
  /// again on machines whose processors have several ports; std::bad_alloc.
  [[nodiscard]] virtual event_list const& in_order() const = 0;
};

/// The prices of a clock model.
struct clock_prices {
  std::string model;
  std::string unit;
  std::vector<std::pair<std::uint64_t, message_times>> of_words;
  double operation = 0;
  double idle_step = 0;
  bool pays_empty = false;
  bool shares_links = false;
  bool has_in_ports = true;
};

/// Finds what the processors of a run did, which was kept for that.
/// Errors: invalid_argument where it was not kept, or not in full.
[[nodiscard]] event_list const& events_of(run_record const& run);
/// Lists the sizes of messages, in words, each once.
[[nodiscard]] std::vector<std::uint64_t> sizes_of(event_list const& events);
[[nodiscard]] timeline replay(event_list const& events, clock_prices const& prices);
/// Lists what processors do when, for `time_stretches`.
[[nodiscard]] std::vector<time_stretch> replayed_stretches(event_list const& events,
                                                           clock_prices const& prices);

/// Lists the times of steps, for `step_times`.
[[nodiscard]] std::vector<step_time> replayed_steps(event_list const& events,
                                                    clock_prices const& prices);

/// Prices the messages that there are.
template <clock_model Model>
[[nodiscard]] clock_prices prices_of(event_list const& events, Model const& model) {
  if constexpr (requires { model.check(); }) model.check();
  clock_prices prices{std::string(model.name()), std::string(model.unit()), {},
                      model.operation(),         model.idle_step(),         model.pays_empty(),
                      model.shares_links(),      model.has_in_ports()};
  for (auto const words : sizes_of(events)) prices.of_words.emplace_back(words, model.times(words));
  return prices;
}

}  // namespace detail

/// Computes the timeline of a run. Errors: those of `run_record::timeline`.
template <clock_model Model>
[[nodiscard]] timeline timeline_of(run_record const& run, Model const& model) {
  auto const& events = detail::events_of(run);
  return detail::replay(events, detail::prices_of(events, model));
}

/// Lists what each processor of a run does when, by a clock model: by rank, then by time, stretches of
/// more than no time, those of one kind that follow each other as one. What a processor does not do
/// until the makespan is left out, so that they add up to its `processor_time` but for `tail`.
/// Errors: those of `run_record::timeline`.
/// Example: `for (auto const& [rank, what, begin, end] : time_stretches(run, hockney_clock{})) ...`
template <clock_model Model>
[[nodiscard]] std::vector<time_stretch> time_stretches(run_record const& run, Model const& model) {
  auto const& events = detail::events_of(run);
  return detail::replayed_stretches(events, detail::prices_of(events, model));
}

/// Lists when the steps of a run are by a clock model, those in which messages come in, in order.
/// Errors: those of `run_record::timeline`.
/// Example: `for (auto const& [step, begin, end] : step_times(run, loggp_clock{})) ...`
template <clock_model Model>
[[nodiscard]] std::vector<step_time> step_times(run_record const& run, Model const& model) {
  auto const& events = detail::events_of(run);
  return detail::replayed_steps(events, detail::prices_of(events, model));
}

}  // namespace lockstep
