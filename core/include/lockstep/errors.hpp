#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// A place inside a library that a program has called (`library_call`), such as the algorithms.
struct library_place {
  std::source_location algorithm;  ///< the function that the program called
  std::source_location where;      ///< the processor's call inside, or the function where it threw
};

/// Writes "in NAME, FILE:LINE", the file as programs include it.
[[nodiscard]] std::string to_string(library_place const& place);

/// A processor that waits when no processor can go on.
struct waiting_processor {
  int rank = 0;
  int waits_for = -1;       ///< the processor whose message it waits for; -1 in a barrier or round
  std::uint64_t since = 0;  ///< the step that it is in
  std::string in;           ///< the call: "receive", "barrier", "phase(\"merge\")", ...
  std::source_location where;             ///< the line of the program
  std::optional<library_place> inside{};  ///< if the call stands in a library
};

/// A message that an error is about.
struct failed_message {
  int from = 0;
  int to = 0;
  std::optional<std::uint64_t> words;     ///< where they are known
  std::uint64_t step = 0;                 ///< in which it was sent
  std::vector<int> route;                 ///< processors, both ends included
  std::source_location where;             ///< of the send; the line of the program
  std::optional<library_place> inside{};  ///< if the send stands in a library
};

/// Details of some errors, for programs: deadlock and barrier_mismatch name the processors that
/// wait, link_contention the two messages, unreceived_message the messages that were left.
struct failure_details {
  std::vector<waiting_processor> waits;  ///< in rank order, 4,096 at most
  std::vector<int> cycle;                ///< processors that each wait for the next; may be empty
  std::vector<failed_message> messages;  ///< 4,096 at most
};

/// The place of an error: which processor, in which of its steps, in which phase, at which line.
struct incident {
  int rank = -1;  ///< the processor, or -1 where no processor is concerned
  /// Its step (`now`) when the call failed. For a send this is its stamp, for a receive the step of
  /// the message or later, for barriers that differ the latest of their members; 0 before the run.
  std::uint64_t step = 0;
  std::string phase;  ///< the phase that it was in; empty outside a named phase
  std::source_location where = std::source_location::current();
  std::shared_ptr<failure_details const> details{};
  /// The place inside a library, if `where` is the program's call of one.
  std::optional<library_place> inside{};
};

/// The base of everything that lockstep throws: the errors of this header, and those that other
/// headers add (`expectation_failed`, `bad_input`). Exceptions of other code come out as they are,
/// for example those of your observer, of a memory resource, or of a test framework.
/// `what()` says what was done, which rule it broke and how to mend it, followed by rank, step,
/// phase and source line.
class error : public std::runtime_error {
 public:
  error(std::string const& message, incident at);

  /// Says what was done, which rule it broke and how to mend it, without the place.
  [[nodiscard]] std::string const& message() const noexcept { return m_message; }
  [[nodiscard]] int rank() const noexcept { return m_at.rank; }
  [[nodiscard]] std::uint64_t step() const noexcept { return m_at.step; }
  [[nodiscard]] std::string const& phase() const noexcept { return m_at.phase; }
  /// The line of the program: the processor's call, or the call of a library that made it.
  [[nodiscard]] std::source_location const& where() const noexcept { return m_at.where; }
  /// The place inside that library, such as an algorithm; empty for a call of the program's own.
  [[nodiscard]] std::optional<library_place> const& inside() const noexcept { return m_at.inside; }
  /// Returns the text's details, for programs; nullptr for errors that have no more to say. They
  /// live as long as the error.
  [[nodiscard]] failure_details const* details() const noexcept { return m_at.details.get(); }
  /// The processor, step, phase and lines together.
  [[nodiscard]] incident const& at() const noexcept { return m_at; }

 private:
  std::string m_message;
  incident m_at;
};

/// Neighbour switching, and no link joins the two processors.
class not_adjacent : public error {
 public:
  using error::error;
};

/// A strict machine has no buffers, and a message would have had to queue.
class port_conflict : public error {
 public:
  using error::error;
};

/// On a strict machine two messages took one directed link in one step.
class link_contention : public error {
 public:
  using error::error;
};

/// The error of a message whose type is not the one that its receiver asked for.
class type_mismatch : public error {
 public:
  using error::error;
};

/// The error of a message whose number of elements is not the one that its receiver asked for.
class size_mismatch : public error {
 public:
  using error::error;
};

/// No processor can go on: every one that has not finished waits for another.
class deadlock : public error {
 public:
  using error::error;
};

/// Every waiter is in a barrier that some processor can never reach, or different barriers meet.
class barrier_mismatch : public error {
 public:
  using error::error;
};

/// A message was still in its channel when the run ended.
class unreceived_message : public error {
 public:
  using error::error;
};

/// The machine passed `max_steps`.
class step_limit : public error {
 public:
  using error::error;
};

/// A rank outside the machine or subset, or a processor's own.
class invalid_rank : public error {
 public:
  using error::error;
};

/// A topology with impossible sizes, one whose functions contradict each other, or a specification
/// that cannot be read.
class invalid_topology : public error {
 public:
  explicit invalid_topology(std::string const& message,
                            std::source_location where = std::source_location::current());
  using error::error;
};

/// An argument outside the range that the call takes.
class invalid_argument : public error {
 public:
  explicit invalid_argument(std::string const& message,
                            std::source_location where = std::source_location::current());
  using error::error;
};

/// On a guarded machine a program touched what another processor took from its own memory, or a
/// payload that had been moved into a message. Its source line is that of the processor's next call
/// (of the send, where it only shows at the end).
class foreign_access : public error {
 public:
  using error::error;
};

/// A processor used up its stack; its objects are abandoned, not destroyed.
class stack_overflow : public error {
 public:
  using error::error;
};

/// The machine, or what is counted of its run, needs more memory than there is, or it has more
/// processors than ThreadSanitizer follows.
class out_of_memory : public error {
 public:
  explicit out_of_memory(std::string const& message,
                         std::source_location where = std::source_location::current());
  using error::error;
};

/// An observer was not told everything (`observer::cut_off`), or a trace could not write all of it
/// (`trace::finish`). The run itself is valid.
class incomplete_trace : public error {
 public:
  explicit incomplete_trace(std::string const& message,
                            std::source_location where = std::source_location::current());
  using error::error;
};

/// A process of a cluster ended, cannot run the machine, or made another run, while others waited for it
/// (`machine_options::cluster`).
class process_lost : public error {
 public:
  explicit process_lost(std::string const& message) : error(message, incident{}) {}
  using error::error;
};

/// An invariant of lockstep's own does not hold (LOCKSTEP_ASSERT): a mistake in the library.
class broken_invariant : public error {
 public:
  using error::error;
};

/// The program threw a std::exception, which is nested (`std::rethrow_if_nested`). Anything else
/// that a program throws comes out of `machine::run` as it is. That is how the REQUIRE of Catch2
/// leaves a test case.
class processor_failed : public error {
 public:
  using error::error;
};

/// Gives the name of an error's class, such as "deadlock"; "error" for those of other headers.
[[nodiscard]] std::string_view class_name(error const& thrown);

}  // namespace lockstep
