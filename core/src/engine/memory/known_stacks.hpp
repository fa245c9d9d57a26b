#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
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
