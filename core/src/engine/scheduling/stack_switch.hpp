#pragma once

#include <cstddef>

// A switch to another stack. On x86-64 and aarch64 it is written by hand (stack_switch.cpp), and on
// x86-64 takes half as long as Boost.Context's, which is used elsewhere: on other processors, under
// sanitizers, and where the program is compiled for shadow stacks (-fcf-protection, on aarch64
// -mbranch-protection=gcs), which neither switches.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOCKSTEP_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LOCKSTEP_SANITIZED 1
#endif
#endif
#if defined(__CET__)
#define LOCKSTEP_SHADOW_STACK (__CET__ & 2)
#elif defined(__ARM_FEATURE_GCS_DEFAULT)
#define LOCKSTEP_SHADOW_STACK 1
#else
#define LOCKSTEP_SHADOW_STACK 0
#endif
#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__) && defined(__ELF__) && \
    !defined(LOCKSTEP_SANITIZED) && !LOCKSTEP_SHADOW_STACK && !defined(LOCKSTEP_BOOST_CONTEXT)
#define LOCKSTEP_OWN_SWITCH 1
#endif

#ifdef LOCKSTEP_OWN_SWITCH

/// Saves what a call preserves (registers and the floating-point modes) on this stack, keeps in
/// *left where the stack is left, and goes on with the stack that was left at `to`.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" [[gnu::visibility("hidden")]] void lockstep_switch_stack(void** left, void* to) noexcept;

#ifdef __x86_64__
#define LOCKSTEP_SWITCH_BY_CHOICE 1
/// The same, where `choose(data)`, which runs on the stack below `helper`, says what to go on with.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" [[gnu::visibility("hidden")]] void lockstep_switch_stack_by(void** left, void* helper,
                                                                       void* (*choose)(void*),
                                                                       void* data) noexcept;
#endif

#else
#include <boost/context/detail/fcontext.hpp>
#endif

namespace lockstep::detail {

#ifdef LOCKSTEP_OWN_SWITCH

/// Lays out a stack that ends at `top`. Its first switch calls `entry`.
[[nodiscard]] void* lay_out_stack(std::byte* top, void (*entry)());

#else

/// Begins a stack: keeps where the other one was left.
template <void (*Entry)()>
void enter_first(boost::context::detail::transfer_t from) {
  *static_cast<void**>(from.data) = from.fctx;
  Entry();
}

#endif

/// Prepares a stack. Result: what to switch to, so that it calls Entry, which never returns.
template <void (*Entry)()>
[[nodiscard]] void* begin_stack(std::byte* top, [[maybe_unused]] std::size_t bytes) {
#ifdef LOCKSTEP_OWN_SWITCH
  return lay_out_stack(top, Entry);
#else
  return boost::context::detail::make_fcontext(top, bytes, enter_first<Entry>);
#endif
}

/// Keeps in *left where this stack is left, and goes on with another. Comes back when something
/// switches to *left. Inlined, as ThreadSanitizer wants it (see `go_to_fiber`).
[[gnu::always_inline]] inline void switch_stack(void** left, void* to) {
#ifdef LOCKSTEP_OWN_SWITCH
  lockstep_switch_stack(left, to);
#else
  // What was left for this stack tells where to keep its context.
  auto const from = boost::context::detail::jump_fcontext(to, left);
  *static_cast<void**>(from.data) = from.fctx;
#endif
}

}  // namespace lockstep::detail
