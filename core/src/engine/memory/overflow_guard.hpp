#pragma once

#include <csetjmp>
#include <cstddef>
#include <memory>

#include <lockstep/detail/work_meter.hpp>

#include "engine/memory/moved_payloads.hpp"
#include "engine/memory/private_pages.hpp"

namespace lockstep::detail {

/// The memory of a guarded machine that only its owner may touch, and what others touched of it.
struct guarded_memory {
  std::shared_ptr<private_pages> pages;
  moved_payloads moved;

  /// The object touched since the running processor began: pages of another one, or a moved
  /// payload.
  int touched_pages_of = private_pages::nobody;
  moved_payloads::sender const* touched_payload = nullptr;

  [[nodiscard]] bool was_touched() const {
    return touched_pages_of != private_pages::nobody || touched_payload != nullptr;
  }
  void forget_touch() {
    touched_pages_of = private_pages::nobody;
    touched_payload = nullptr;
  }
  /// Opens the memory at that address, and notes its owner if a program runs. False if the address
  /// lies elsewhere. May be called in a signal handler.
  bool touch(std::byte const* address, bool program_runs) noexcept;
};

/// The stacks on which a fault means that a processor used up its own, and the way out.
struct guarded_stacks {
  std::byte const* begin = nullptr;
  std::byte const* end = nullptr;
  bool running = false;               ///< whether a program runs on them now
  bool on_errand = false;             ///< or waits for what it has run on the worker's own stack
  void const* home_bottom = nullptr;  ///< the stack that the way out leads to
  std::size_t home_bytes = 0;
  void* home_fiber = nullptr;        ///< ThreadSanitizer's, of the same
  guarded_memory* memory = nullptr;  ///< on a guarded machine
  guarded_stacks* outer = nullptr;   ///< of the machine in whose program this one runs
  sigjmp_buf way_out{};              ///< set by the worker or thread that runs the program
};

/// Bytes of a stack that every call of the machine finds there, so that it does not overflow the stack
/// in the middle of a change to the machine's own state.
inline constexpr std::size_t stack_of_a_call = 4096;

/// Whether the caller's stack reaches below that address.
[[nodiscard, gnu::always_inline]] inline bool is_below(std::byte const* lowest) {
  return end_of_stack() < lowest;
}

/// The value of sigsetjmp of a way out where the stack has overflowed.
inline constexpr int way_of_overflow = 1;

/// A signal handler for one thread. While it lives, a fault on the stacks that `watch` was told of
/// jumps to their way out instead of ending the process. Every other fault goes to the handler that
/// was there before. Without memory for it, an overflow ends the process.
class overflow_guard {
 public:
  overflow_guard() noexcept;
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
