#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include <lockstep/errors.hpp>
#include <lockstep/observer.hpp>

namespace lockstep {

/// The names that a trace writes.
struct trace_labels {
  std::string program{};           ///< what runs, for its title; may be empty
  std::string name = "the trace";  ///< what error messages call the stream, such as the file's path
};

/// An observer that writes what it sees to a stream. A stream that fails does not disturb the run:
/// `finish` tells afterwards.
///
/// Each kind says what it keeps. The machine itself keeps messages for its observers until all
/// processors are past their step, and those of a pipelined run until it ends: 120 bytes each, and
/// up to as much again while there are more and more of them. Where these become more than
/// 4,194,304 the trace ends there, and `finish` says so.
class trace : public observer {
 public:
  /// Writes the rest, and flushes. Call it once the run is over, also where it ended in an
  /// error: the trace is whole, and shows what came before.
  /// Errors: incomplete_trace, with the stream's name, if anything could not be written, or was
  /// left out since it is beyond a limit of this kind of trace.
  void finish();

  void cut_off(std::string const& why) override { leave_out(why); }

 protected:
  /// `name` is what error messages call the stream.
  trace(std::ostream& out, std::string name);

  void write(std::string_view text);
  /// Tells whether the stream has failed, so that nothing more can be written.
  [[nodiscard]] bool failed() const { return !*m_out; }
  /// Has `finish` say why the trace is incomplete.
  void leave_out(std::string why) { m_left_out = std::move(why); }

 private:
  /// Writes the rest.
  virtual void complete() {}

  std::ostream* m_out;
  std::string m_name;
  std::string m_left_out;
  bool m_completed = false;
};

}  // namespace lockstep
