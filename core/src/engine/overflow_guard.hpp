#pragma once

#include <csetjmp>
#include <cstddef>
#include <memory>

namespace lockstep::detail {

/// Stacks on which a fault means that a processor used up its own, and the way out.
struct guarded_stacks {
  std::byte const* begin = nullptr;
  std::byte const* end = nullptr;
  bool running = false;               ///< whether a program runs on them just now
  void const* home_bottom = nullptr;  ///< the stack that the way out leads to
  std::size_t home_bytes = 0;
  sigjmp_buf way_out{};  ///< set by who runs the program, on a stack of its own
};

/// While it lives, a fault of this thread on the stacks that `watch` was told of jumps to their way
/// out instead of ending the process; every other fault goes to the handler that was there before.
class overflow_guard {
 public:
  overflow_guard();
  overflow_guard(overflow_guard const&) = delete;
  overflow_guard& operator=(overflow_guard const&) = delete;
  ~overflow_guard();

  void watch(guarded_stacks& stacks);

 private:
  guarded_stacks* m_outer;
  std::unique_ptr<std::byte[]> m_signal_stack;
  void* m_previous_stack = nullptr;
  std::size_t m_previous_bytes = 0;
  int m_previous_flags = 0;
};

}  // namespace lockstep::detail
