#pragma once

#include <cstddef>

// As in core: these are looked up when the module is loaded, and are nullptr without AddressSanitizer.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** save, void const* bottom,
                                                  std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* saved, void const** left_bottom,
                                                   std::size_t* left_bytes);
}
// NOLINTEND(readability-identifier-naming)

namespace lockstep::python {

/// A stack that waits while another runs, as AddressSanitizer knows it: it has to be told of each switch.
struct waiting_stack {
  void const* bottom = nullptr;
  std::size_t bytes = 0;
};

/// A switch from the stack on which it is made to another, told to AddressSanitizer.
class stack_switch {
 public:
  /// Begins it; the stack that is left comes back later, unless it is left for good.
  explicit stack_switch(waiting_stack const& to, bool for_good = false) {
    if (__sanitizer_start_switch_fiber != nullptr)
      __sanitizer_start_switch_fiber(for_good ? nullptr : &m_kept, to.bottom, to.bytes);
  }
  /// Ends it where this stack goes on again. Result: the stack from which that was done.
  [[nodiscard]] waiting_stack end() const { return came_from(m_kept); }
  /// Ends a switch to a new stack, where that begins.
  [[nodiscard]] static waiting_stack begin() { return came_from(nullptr); }

 private:
  [[nodiscard]] static waiting_stack came_from(void* kept) {
    waiting_stack from;
    if (__sanitizer_finish_switch_fiber != nullptr)
      __sanitizer_finish_switch_fiber(kept, &from.bottom, &from.bytes);
    return from;
  }

  void* m_kept = nullptr;
};

}  // namespace lockstep::python
