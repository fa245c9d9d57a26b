#pragma once

#include <csetjmp>
#include <cstddef>
#include <memory>

#include "engine/memory/moved_payloads.hpp"
#include "engine/memory/private_pages.hpp"

namespace lockstep::detail {

/// What on a guarded machine nobody but its owner may touch, and what somebody touched.
struct guarded_memory {
  std::shared_ptr<private_pages> pages;
  moved_payloads moved;

  /// Since somebody else began to run: whose pages were touched, or whose moved payload.
  int touched_pages_of = private_pages::nobody;
  moved_payloads::sender const* touched_payload = nullptr;

  [[nodiscard]] bool was_touched() const {
    return touched_pages_of != private_pages::nobody || touched_payload != nullptr;
  }
  void forget_touch() {
    touched_pages_of = private_pages::nobody;
    touched_payload = nullptr;
  }
  /// Lets the address be touched, and keeps whose it is if a program runs. False if it is none of
  /// these. May be called in a signal handler.
  bool touch(std::byte const* address, bool program_runs) noexcept;
};

/// Stacks on which a fault means that a processor used up its own, and the way out.
struct guarded_stacks {
  std::byte const* begin = nullptr;
  std::byte const* end = nullptr;
  bool running = false;               ///< whether a program runs on them just now
  bool on_errand = false;             ///< or waits for what it has run on the worker's own stack
  void const* home_bottom = nullptr;  ///< the stack that the way out leads to
  std::size_t home_bytes = 0;
  void* home_fiber = nullptr;        ///< ThreadSanitizer's, of the same
  guarded_memory* memory = nullptr;  ///< on a guarded machine
  guarded_stacks* outer = nullptr;   ///< of the machine in whose program this one runs
  sigjmp_buf way_out{};              ///< set by who runs the program, on a stack of its own
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
