#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <utility>

namespace lockstep::detail {

/// Finds where the caller's stack ends. Where the processor is known, the caller needs no frame
/// pointer for that, a register that the path of a message has other use for.
[[nodiscard, gnu::always_inline]] inline std::byte const* end_of_stack() {
#if defined(__x86_64__)
  std::byte const* end = nullptr;
  asm("movq %%rsp, %0" : "=r"(end));
  return end;
#elif defined(__aarch64__)
  std::byte const* end = nullptr;
  asm("mov %0, sp" : "=r"(end));
  return end;
#else
  return static_cast<std::byte const*>(__builtin_frame_address(0));
#endif
}

/// The part of a processor that `processor::work` needs: what decides whether operations count
/// together with the last, and the place of the last call.
struct work_surroundings {
  std::byte const* stack = nullptr;     ///< of the processor's own program, its lowest byte
  std::size_t stack_bytes = 0;          ///< 0 where others have the same
  unsigned const* uncaught = nullptr;   ///< exceptions that unwind it
  std::uint8_t const* stops = nullptr;  ///< not 0 where it makes no calls
  std::uint64_t const* now = nullptr;   ///< its step
  std::uint64_t const* whole_barriers = nullptr;  ///< that all have passed
  std::uintptr_t* where = nullptr;                ///< a source_location, of its last call
};

/// A counter of the operations that a processor does at one time. The machine opens it when it has
/// counted some itself, for as many as it has room for; in the same step, after as many barriers,
/// more of them are added here without a call of the machine, which takes them when it looks at the
/// processor's work. It closes the counter where anything else changes, such as the label.
class work_meter {
 public:
  /// Adds operations. Result: false where the machine has to count them: none, too many, or such as
  /// may be no part of what the counter was opened for.
  [[nodiscard]] bool add(std::uint64_t operations, std::source_location where) noexcept {
    // Another's program gets no further than this, for it runs on another stack.
    auto const above = reinterpret_cast<std::uintptr_t>(end_of_stack()) -
                       reinterpret_cast<std::uintptr_t>(m_in.stack);
    if (above >= m_in.stack_bytes || operations - 1 >= m_left || *m_in.now != m_step ||
        *m_in.whole_barriers != m_whole_barriers || *m_in.stops != 0 || *m_in.uncaught != 0)
        [[unlikely]]
      return false;
    m_left -= operations;
    *m_in.where = std::bit_cast<std::uintptr_t>(where);
    return true;
  }

  /// Says where it counts. It stays closed.
  void place(work_surroundings const& in) noexcept { m_in = in; }
  [[nodiscard]] bool is_placed() const noexcept { return m_in.now != nullptr; }
  /// Takes up to `most` operations at this time.
  void open(std::uint64_t most, std::uint64_t step, std::uint64_t whole_barriers) noexcept {
    m_granted = m_left = most;
    m_step = step;
    m_whole_barriers = whole_barriers;
  }
  /// Takes none until it is opened again. Those that it has stay.
  void close() noexcept {
    m_granted -= m_left;
    m_left = 0;
  }
  /// Whether operations were added since the last call of `take`.
  [[nodiscard]] bool has_some() const noexcept { return m_granted != m_left; }
  /// Gives the operations that were added since the last call.
  [[nodiscard]] std::uint64_t take() noexcept { return std::exchange(m_granted, m_left) - m_left; }

 private:
  std::uint64_t m_left = 0;     ///< operations that it still takes
  std::uint64_t m_granted = 0;  ///< and with those that it has
  std::uint64_t m_step = 0;
  std::uint64_t m_whole_barriers = 0;
  work_surroundings m_in;
};

}  // namespace lockstep::detail
