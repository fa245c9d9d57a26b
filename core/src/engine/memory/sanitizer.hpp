#pragma once

#include <cstddef>

// Sanitizers have to be told when a thread goes on on another stack. The program may be built with
// one though lockstep is not: what is called is looked up when the program is linked or loaded, and
// is nullptr where that sanitizer is not there.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(void const volatile* begin, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(void const volatile* begin, std::size_t bytes);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** save, void const* bottom,
                                                  std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* saved, void const** left_bottom,
                                                   std::size_t* left_bytes);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* at);
[[gnu::weak]] void __tsan_release(void* at);
[[gnu::weak]] void AnnotateIgnoreReadsBegin(char const* file, int line);
[[gnu::weak]] void AnnotateIgnoreReadsEnd(char const* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesBegin(char const* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(char const* file, int line);
// What is linked into every program that is compiled so: clang's -fsanitize=safe-stack, -fsplit-stack.
[[gnu::weak]] void __safestack_init();
[[gnu::weak]] void* __splitstack_find(void*, void*, std::size_t*, void**, void**, void**);
}
// NOLINTEND(readability-identifier-naming)

namespace lockstep::detail {

// --- Stacks that belong to a thread, which fibers would share ---

/// Whether the program's locals lie on a second stack as well, which no switch changes.
[[nodiscard]] inline bool safe_stack() { return __safestack_init != nullptr; }
/// Whether the program's functions compare the stack with the end of their thread's.
[[nodiscard]] inline bool split_stack() { return __splitstack_find != nullptr; }

// --- AddressSanitizer ---

[[nodiscard]] inline bool address_sanitizer() {
  return __sanitizer_start_switch_fiber != nullptr && __sanitizer_finish_switch_fiber != nullptr;
}
/// Tells it of a switch, before it; `save` keeps the data of the stack that is left, nullptr if it
/// is left for good.
inline void leave_stack(void** save, void const* bottom, std::size_t bytes) {
  if (address_sanitizer()) __sanitizer_start_switch_fiber(save, bottom, bytes);
}
/// Tells it of a switch, after it, on the new stack; gives the stack that was left.
inline void enter_stack(void* saved, void const** left_bottom, std::size_t* left_bytes) {
  if (address_sanitizer()) __sanitizer_finish_switch_fiber(saved, left_bottom, left_bytes);
}
/// Lets AddressSanitizer, if it is there, report every access to these bytes.
inline void poison(void const* begin, std::size_t bytes) {
  if (__asan_poison_memory_region != nullptr) __asan_poison_memory_region(begin, bytes);
}
inline void unpoison(void const* begin, std::size_t bytes) {
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(begin, bytes);
}

// --- ThreadSanitizer ---

[[nodiscard]] inline bool thread_sanitizer() {
  return __tsan_get_current_fiber != nullptr && __tsan_create_fiber != nullptr &&
         __tsan_destroy_fiber != nullptr && __tsan_switch_to_fiber != nullptr;
}
/// Finds the handle that ThreadSanitizer has for the running thread or fiber; nullptr without it.
[[nodiscard]] inline void* current_fiber() {
  return thread_sanitizer() ? __tsan_get_current_fiber() : nullptr;
}
[[nodiscard]] inline void* new_fiber() {
  return thread_sanitizer() ? __tsan_create_fiber(0) : nullptr;
}
inline void forget_fiber(void* fiber) {
  if (thread_sanitizer() && fiber != nullptr) __tsan_destroy_fiber(fiber);
}
/// Right before a switch. What was done before it happens before what is done after it, which is
/// so: both run on one thread. Of what other threads do it says nothing. Inlined, for
/// ThreadSanitizer looks for the return from a call where the call was made.
[[gnu::always_inline]] inline void go_to_fiber(void* fiber) {
  if (thread_sanitizer() && fiber != nullptr) __tsan_switch_to_fiber(fiber, 0);
}
/// Orders a thread's work before this call ahead of another's work after `happens_after` of the
/// same address. For oneTBB's own hand-overs only, which ThreadSanitizer does not see.
inline void happens_before(void const* at) {
  if (__tsan_release != nullptr) __tsan_release(const_cast<void*>(at));
}
inline void happens_after(void const* at) {
  if (__tsan_acquire != nullptr) __tsan_acquire(const_cast<void*>(at));
}

#if defined(__SANITIZE_THREAD__)
inline constexpr bool atomics_are_seen = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool atomics_are_seen = true;
#else
inline constexpr bool atomics_are_seen = false;
#endif
#else
inline constexpr bool atomics_are_seen = false;
#endif
/// The same for lockstep's own atomics, which ThreadSanitizer sees where lockstep is built with it, and
/// not where only the program is.
inline void publish(void const* at) {
  if (!atomics_are_seen) happens_before(at);
}
inline void observe(void const* at) {
  if (!atomics_are_seen) happens_after(at);
}

/// A scope whose plain reads and writes ThreadSanitizer does not look at. It is for the free list of
/// Boost.Lockfree, which reads nodes that another thread may have taken, and then throws away what
/// it has read.
class ignored_accesses {
 public:
  ignored_accesses() {
    if (AnnotateIgnoreReadsBegin == nullptr) return;
    AnnotateIgnoreReadsBegin(nullptr, 0);
    AnnotateIgnoreWritesBegin(nullptr, 0);
  }
  ignored_accesses(ignored_accesses const&) = delete;
  ignored_accesses& operator=(ignored_accesses const&) = delete;
  ~ignored_accesses() {
    if (AnnotateIgnoreReadsBegin == nullptr) return;
    AnnotateIgnoreWritesEnd(nullptr, 0);
    AnnotateIgnoreReadsEnd(nullptr, 0);
  }
};

}  // namespace lockstep::detail
