#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// One message, as an observer sees it.
struct message_record {
  std::uint64_t step = 0;  ///< the step in which it came in
  std::uint64_t sent = 0;  ///< the step in which it was sent; it queued step - sent steps
  int from = 0;
  int to = 0;
  std::uint64_t words = 0;       ///< rounded up to whole packets; 0 for an empty message
  std::uint64_t hops = 0;        ///< length of its route, in links
  int pass = 0;                  ///< on a machine with ports per pass
  std::size_t phase = no_phase;  ///< index into phases()
  along way{};                   ///< where its sender chose the way; offset 0: the topology's route
  /// Which of its sender's sends and receives it was, in the order of the program, from 1 on; 0
  /// where it is not known, in what `messages_in` gives. In a one-sided round sends come first.
  std::uint64_t sender_call = 0;
  std::uint64_t receiver_call = 0;  ///< the same of its receiver

  friend bool operator==(message_record const&, message_record const&) = default;
};

/// The beginning of a phase, as an observer sees it.
struct phase_start {
  std::size_t index = 0;    ///< into phases()
  std::uint64_t step = 0;   ///< its first
  std::string_view name{};  ///< as long as the call lasts
};

/// Whether an observer is told of `left` before `right`: by step, receiver, sender, pass, and then
/// by the other members.
[[nodiscard]] bool seen_before(message_record const& left, message_record const& right);

/// Finds the links that a message crossed, in order.
/// Errors: those of `topology::route`.
[[nodiscard]] std::vector<link> links_of(topology const& network, message_record const& crossed);

/// An observer of a run. It is told of each message in the order (step, receiver, sender), of each
/// step, idle ones included, after its messages, and of each phase before its first step, except
/// phases that begin after the last message. It is told at the latest before `run` returns, and
/// never from two threads at once. A run that ends in an error tells what came before. An exception
/// of an observer ends the run, and comes out of `run`.
class observer {
 public:
  virtual ~observer() = default;
  virtual void phase(phase_start const& /*begun*/) {}
  virtual void message(message_record const& /*seen*/) {}
  virtual void step(step_record const& /*seen*/) {}
  /// Is called when nothing more will be told, though the run goes on: more than 4,194,304 messages
  /// would have to be kept, for example those of one pipelined run. Ends the run unless overridden.
  /// Errors: incomplete_trace.
  virtual void cut_off(std::string const& why);

 protected:
  observer() = default;
  observer(observer const&) = default;
  observer& operator=(observer const&) = default;
};

}  // namespace lockstep
