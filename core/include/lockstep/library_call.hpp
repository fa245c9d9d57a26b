#pragma once

#include <source_location>

#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// A processor's call of a library: as long as it lives, errors of this processor, of its messages
/// and of its waiting name the line of the program that called the library first, and the
/// line inside second (`error::where`, `error::inside`). Made at the beginning of each function of
/// the library that programs call. Where one such function calls another, the outermost counts;
/// observers are told of those inside, too (`call_record::frame`).
///
/// **Errors** none.
/// **Cost** no step; memory once for each line: some nanoseconds, and a search of a table where the processor sends, or enters
/// a library, from another line than before. Where an observer wants calls, the frame is noted, too.
/// **Example**
/// ```cpp
/// int shift(lockstep::processor& me, int value,
///           std::source_location where = std::source_location::current()) {
///   lockstep::library_call const call(me, where);
///   int const p = me.size();
///   return me.exchange((me.rank() + 1) % p, value, (me.rank() + p - 1) % p);
/// }
/// ```
class library_call {
 public:
  /// `where`: the line of the program, the default argument of the function that it calls.
  /// `called`: the function itself, whose name errors give; leave it out.
  library_call(processor& me, std::source_location where,
               std::source_location called = std::source_location::current()) noexcept;
  library_call(library_call const&) = delete;
  library_call& operator=(library_call const&) = delete;
  ~library_call();

  /// The line of the program, for errors that the library throws itself: that of the outermost call.
  [[nodiscard]] std::source_location where() const noexcept;

 private:
  void begin() noexcept;
  void begin_elsewhere(processor& me, std::source_location called) noexcept;
  void end_elsewhere() noexcept;

  static constexpr int inner = -1;

  detail::processor_state* m_state;
  std::source_location m_where;  ///< the line that made it: of the program, if outermost
  int m_exceptions = inner;      ///< in flight when the outermost call began
  detail::processor_state* m_shown = nullptr;  ///< where observers are told of the call
};

}  // namespace lockstep
