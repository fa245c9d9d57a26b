#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/shown.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

class run_record;

/// One message, as an observer sees it.
struct message_record {
  std::uint64_t step = 0;  ///< the step in which it came in
  std::uint64_t sent = 0;  ///< the step in which it was sent; it queued step - sent steps
  int from = 0;
  int to = 0;
  std::uint64_t words = 0;       ///< rounded up to whole packets; 0 for an empty message
  std::uint64_t hops = 0;        ///< length of its route, in links
  int pass = 0;                  ///< on a machine with ports per pass; elsewhere the tag
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

/// The kinds of calls of a processor.
enum class call_kind : std::uint8_t {
  send,
  receive,
  barrier,
  phase,
  begin_pipelined,
  end_pipelined,
  rearrange,
  idle,
  one_sided,  ///< `read`, `write` or `serve`
  show,
  work,
  label,  ///< the processor's label is another from here on
  note
};

/// A call of a function that begins with a `library_call`, or of a helper inside the library, and the
/// one around it. Each chain exists once in a run, and as long as it.
struct call_frame {
  std::source_location line{};         ///< that makes the call
  call_frame const* caller = nullptr;  ///< that `line` is in; nullptr: in none
};

/// One call of a processor, as an observer sees it. An exchange is two: a send and a receive.
struct call_record {
  int rank = 0;  ///< on the machine
  call_kind kind = call_kind::send;
  /// The processor that it sends to, receives from, reads from or writes to; else -1.
  int other = -1;
  std::uint64_t begin = 0;  ///< the step that the processor was in
  std::uint64_t end = 0;    ///< the step that it was in afterwards; 0 if the call never ended
  /// Of a send the `message_record::sender_call` of its message, of a receive its `receiver_call`;
  /// of a one-sided call, and of the beginning of a superstep's exchange (`deliver`), the number of the
  /// first message that it sends or receives, if any; else 0.
  std::uint64_t number = 0;
  std::uint64_t words = 0;  ///< that a rearrangement re-laid; operations of `work`
  std::source_location where{};
  /// Of a barrier of a subset (a phase and the ends of a pipelined run are barriers, too) its members, as
  /// ranks on the machine; else nullptr. As long as the run.
  std::vector<int> const* members = nullptr;
  call_frame const* frame = nullptr;  ///< the innermost that `where` is in; nullptr: in none
};

/// The end of a run, as an observer sees it.
struct run_end {
  run_record const* record = nullptr;  ///< as long as the call lasts; nullptr if the run failed
  std::exception_ptr failure{};  ///< the exception out of `machine::run`; nullptr if nothing does
  /// Why no calls were told, nor what processors showed, to an observer that wants them; else empty.
  std::string calls_left_out{};
};

/// Whether an observer is told of `left` before `right`: by step, receiver, sender, pass, and then
/// by the other members.
[[nodiscard]] bool seen_before(message_record const& left, message_record const& right);

/// Finds the links that a message crossed, in order.
/// Errors: those of `topology::route`.
[[nodiscard]] std::vector<link> links_of(topology const& network, message_record const& crossed);

/// An observer of a run. It is told of each message in the order (step, receiver, sender), of each
/// step, idle ones included (`idle_steps`), after its messages, and of each phase before its first
/// step, except phases that begin after the last message. It is told at the latest before `run`
/// returns, and never from two threads at once. A run that ends in an error tells what came before. An
/// exception of an observer ends the run, and comes out of `run`.
///
/// At the end of the run, an observer that wants calls is told what each processor did and showed,
/// in the order of ranks, and for each in the order of its program; after an error in step s, the
/// calls that began in steps up to s, and what was shown before step s ended. At last each observer
/// is told how the run ended.
class observer {
 public:
  virtual ~observer() = default;
  virtual void phase(phase_start const& /*begun*/) {}
  virtual void message(message_record const& /*seen*/) {}
  virtual void step(step_record const& seen);
  /// Is told of that many steps in a row in which no message came in, alike but for their numbers.
  /// There may be 2^61 of them. Unless overridden, tells `step` each of them, up to
  /// `most_idle_steps_told`; more than 4,096 take no time where `step` is not overridden either (an
  /// override that calls the one of `observer` counts as none).
  /// Errors: incomplete_trace for more where `step` is overridden: override this, too.
  virtual void idle_steps(step_record const& first, std::uint64_t count);
  /// Idle steps in a row that are told one by one.
  static constexpr std::uint64_t most_idle_steps_told = std::uint64_t{1} << 20U;
  /// Is called when nothing more will be told, though the run goes on: more than 4,194,304 messages
  /// would have to be kept, for example those of one pipelined run. Ends the run unless overridden.
  /// Errors: incomplete_trace.
  virtual void cut_off(std::string const& why);

  /// Whether the observer wants calls, and what processors show. It is asked before the run. They
  /// are kept until its end, 72 bytes a call, besides the values that are shown: above 512 MiB none
  /// is told, and `run_end::calls_left_out` says so.
  [[nodiscard]] virtual bool wants_calls() const { return false; }
  virtual void call(call_record const& /*made*/) {}
  /// Is told where the call of kind `show` that said it was told just before.
  virtual void shown(shown_record const& /*value*/) {}
  /// Is told the text of a call of kind `note` or `label`, just after it. The text of a label has the
  /// names of those that enclose it, "ring > skew", and is empty where none is valid any more. The end
  /// of a label that encloses others is told at the next call, with its place.
  virtual void said(call_record const& /*made*/, std::string_view /*text*/) {}
  virtual void ended(run_end const& /*how*/) {}

 protected:
  observer() = default;
  observer(observer const&) = default;
  observer& operator=(observer const&) = default;
};

}  // namespace lockstep
