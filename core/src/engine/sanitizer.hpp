#pragma once

#include <cstddef>

// AddressSanitizer has to be told when a thread goes on on another stack.

#if defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSTEP_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef LOCKSTEP_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
// There where the program was built with it, though lockstep was not.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(void const volatile* begin, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(void const volatile* begin, std::size_t bytes);
}
// NOLINTEND(bugprone-reserved-identifier)
#endif

namespace lockstep::detail {

#ifdef LOCKSTEP_ADDRESS_SANITIZER
inline constexpr bool address_sanitizer = true;
/// Before a switch; `save` keeps what belongs to the stack that is left, nullptr if it is left for
/// good.
inline void leave_stack(void** save, void const* bottom, std::size_t bytes) {
  __sanitizer_start_switch_fiber(save, bottom, bytes);
}
/// After a switch, on the stack that was gone to; gives the stack that was left.
inline void enter_stack(void* saved, void const** left_bottom, std::size_t* left_bytes) {
  __sanitizer_finish_switch_fiber(saved, left_bottom, left_bytes);
}
/// What lay on a stack is gone, and its addresses may come back as something else.
inline void forget_poison(void const* begin, std::size_t bytes) {
  __asan_unpoison_memory_region(begin, bytes);
}
/// Whoever touches these bytes is reported, if AddressSanitizer is there.
inline void poison(void const* begin, std::size_t bytes) {
  __asan_poison_memory_region(begin, bytes);
}
inline void unpoison(void const* begin, std::size_t bytes) { forget_poison(begin, bytes); }
#else
inline constexpr bool address_sanitizer = false;
inline void forget_poison(void const*, std::size_t) {}
inline void leave_stack(void**, void const*, std::size_t) {}
inline void enter_stack(void*, void const**, std::size_t*) {}
inline void poison(void const* begin, std::size_t bytes) {
  if (__asan_poison_memory_region != nullptr) __asan_poison_memory_region(begin, bytes);
}
inline void unpoison(void const* begin, std::size_t bytes) {
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(begin, bytes);
}
#endif

}  // namespace lockstep::detail
