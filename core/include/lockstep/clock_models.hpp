#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

/// The times of one message by a clock model, in its unit. A send begins when its processor and its
/// out-port are free; what the model takes for its processor is over before the message can leave.
struct message_times {
  double send = 0;      ///< that the sender's processor takes
  double out_port = 0;  ///< from the beginning until the out-port is free again
  double latency = 0;   ///< from the beginning until the message can begin to come in
  double transfer =
      0;            ///< from then until all of it is in; as long after `send` its last byte leaves
  double link = 0;  ///< that a shared link is taken, from when `send` is over
  double in_port = 0;  ///< from when it begins to come in until the in-port is free again
  double receive = 0;  ///< that the receiver's processor takes, once all of it is in
};

/// A clock model prices what each processor does, one thing after another: anything with these members.
/// Words are whole packets; messages without words take no time unless `pays_empty` says so.
template <class Model>
concept clock_model = requires(Model const& model, std::uint64_t words) {
  { model.name() } -> std::convertible_to<std::string_view>;
  { model.unit() } -> std::convertible_to<std::string_view>;
  { model.times(words) } -> std::same_as<message_times>;
  { model.operation() } -> std::convertible_to<double>;  // the price of a local operation
  { model.idle_step() } -> std::convertible_to<double>;  // and of a step that is idled
  { model.pays_empty() } -> std::convertible_to<bool>;   // whether empty messages cost as others do
  { model.shares_links() } -> std::convertible_to<bool>;  // whether messages on one link take turns
  { model.has_in_ports() } -> std::convertible_to<bool>;  // whether messages to one processor do
};

// The clocks below check their parameters when a run is timed by them: each is a finite number of 0 or more.
// Errors of `check`: invalid_argument, with the clock and the parameter.

/// LogGP, in microseconds, processor by processor. A message of b bytes:
///
///   send:    start = max(clock, out_free);  clock = start + o;  out_free = start + g + (b - 1) G
///   receive: x = max(start + o + L, in_free);  in_free = x + g + (b - 1) G
///            clock = max(clock, x + (b - 1) G) + o
///
/// Source: Alexandrov, Ionescu, Schauser and Scheiman 1995, LogGP: incorporating long messages into
/// the LogP model. That in-ports are taken as out-ports are is ours: without it p - 1 long messages to
/// one processor would come in at the same time.
struct loggp_clock {
  double latency_us = 0;       ///< L
  double overhead_us = 0;      ///< o, of the sender and of the receiver
  double gap_us = 0;           ///< g, between two messages
  double gap_us_per_byte = 0;  ///< G, between two bytes of a message
  double word_bytes = 8;       ///< bytes of a word
  double operation_us = 0;     ///< gamma, for a local operation
  double idle_us = 0;          ///< for a step that is idled
  bool in_port = true;         ///< false: messages may come in at the same time
  bool sharing = false;        ///< messages that share a link take turns
  std::string label = "loggp-clock";

  [[nodiscard]] std::string_view name() const noexcept { return label; }
  [[nodiscard]] std::string_view unit() const noexcept { return "us"; }
  [[nodiscard]] message_times times(std::uint64_t words) const;
  void check() const;  ///< of its parameters
  [[nodiscard]] double operation() const noexcept { return operation_us; }
  [[nodiscard]] double idle_step() const noexcept { return idle_us; }
  [[nodiscard]] bool pays_empty() const noexcept { return false; }
  [[nodiscard]] bool shares_links() const noexcept { return sharing; }
  [[nodiscard]] bool has_in_ports() const noexcept { return in_port; }
};

/// Hockney's model, in microseconds, processor by processor: a message of w words takes T = alpha +
/// beta w of the out-port and of the in-port, and nothing of the processor that sends.
///
///   send:    start = max(clock, out_free);  clock = start;  out_free = start + T
///   receive: x = max(start, in_free);  in_free = x + T;  clock = max(clock, x + T)
///
/// With alpha = 1, beta = 0, idle steps of 1 and empty messages paid for, the makespan is
/// run_record::makespan(), in steps.
/// Source: Hockney 1994, The communication challenge for MPP.
struct hockney_clock {
  double alpha_us = 0;
  double beta_us_per_word = 0;
  double operation_us = 0;  ///< gamma, for a local operation
  double idle_us = 0;       ///< for a step that is idled
  bool empty = false;       ///< messages without words take alpha
  bool sharing = false;     ///< messages that share a link take turns
  std::string label = "hockney-clock";

  [[nodiscard]] std::string_view name() const noexcept { return label; }
  [[nodiscard]] std::string_view unit() const noexcept { return "us"; }
  [[nodiscard]] message_times times(std::uint64_t words) const;
  void check() const;  ///< of its parameters
  [[nodiscard]] double operation() const noexcept { return operation_us; }
  [[nodiscard]] double idle_step() const noexcept { return idle_us; }
  [[nodiscard]] bool pays_empty() const noexcept { return empty; }
  [[nodiscard]] bool shares_links() const noexcept { return sharing; }
  [[nodiscard]] bool has_in_ports() const noexcept { return true; }
};

/// Makes the clock of the max-rate model: Hockney's with beta = k / min(R_N, k R_C), where k processors
/// of a node send at once.
/// `node_rate`, `core_rate`: R_N of a node and R_C of a processor, in words a microsecond.
/// Errors: invalid_argument, with the parameter, unless alpha is a finite number of 0 or more, k is
/// positive, and both rates are finite and positive.
/// Source: Gropp, Olson and Samfass 2016, Modeling MPI communication performance on SMP nodes.
[[nodiscard]] hockney_clock max_rate_clock(double alpha_us, int processors_a_node, double node_rate,
                                           double core_rate);

}  // namespace lockstep
