#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif

namespace lockstep::detail {

/// The stacks that valgrind was told of, where it runs the program and lockstep was compiled with
/// its header. Without that memcheck takes a switch between stacks for one large frame, and reports
/// what lies on them as undefined.
class known_stacks {
 public:
  /// Makes place for that many stacks. Errors: std::bad_alloc.
  explicit known_stacks(std::size_t stacks) {
    if (wanted()) m_stacks.reserve(stacks);
  }
  known_stacks(known_stacks&& other) noexcept : m_stacks(std::exchange(other.m_stacks, {})) {}
  known_stacks& operator=(known_stacks&&) = delete;
  ~known_stacks() {
#ifdef VALGRIND_STACK_DEREGISTER
    for (auto const stack : m_stacks) VALGRIND_STACK_DEREGISTER(stack);
#endif
  }

  /// Tells of a stack: its lowest address, and the first above it.
  void add([[maybe_unused]] std::byte* bottom, [[maybe_unused]] std::byte* top) {
#ifdef VALGRIND_STACK_REGISTER
    m_stacks.push_back(VALGRIND_STACK_REGISTER(bottom, top - 1));
#endif
  }
  /// Tells memcheck that a stack is going to be used from `used` up, which somebody else lays there:
  /// what lay there before, of a stack that ended or was put away, holds nothing any more.
  static void begin_use([[maybe_unused]] std::byte const* used, [[maybe_unused]] std::byte* top) {
#ifdef VALGRIND_MAKE_MEM_UNDEFINED
    // A function without calls of its own uses as much below its stack (the ABI's red zone).
    constexpr std::size_t red_zone = 128;
    auto const* const lowest = used - red_zone;
    static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(lowest, static_cast<std::size_t>(top - lowest)));
#endif
  }
  /// Whether valgrind runs the program.
  [[nodiscard]] static bool wanted() {
#ifdef RUNNING_ON_VALGRIND
    return RUNNING_ON_VALGRIND != 0;
#else
    return false;
#endif
  }

 private:
  std::vector<unsigned> m_stacks;
};

}  // namespace lockstep::detail
