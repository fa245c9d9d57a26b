#pragma once

#include <source_location>

namespace lockstep::detail {

/// A call of a library's function (`library_call`) that a processor is in, and those around it. Each
/// chain exists once in a run, and as long as it.
struct call_frame {
  std::source_location line;      ///< that makes the call
  std::source_location function;  ///< that is called: the line of its `library_call`
  call_frame const* caller;       ///< the call that `line` is in; nullptr: in the program itself
};

/// An observer that wants to know from where in the program a library made each call: an `observer`
/// that wants calls, and derives from this, too.
class frames_observer {
 public:
  /// Is told before each call, and what was shown or said, in which calls of a library it was made: the
  /// innermost; nullptr for a call of the program itself.
  virtual void called_in(call_frame const* innermost) = 0;

 protected:
  frames_observer() = default;
  frames_observer(frames_observer const&) = default;
  frames_observer& operator=(frames_observer const&) = default;
  ~frames_observer() = default;
};

}  // namespace lockstep::detail
