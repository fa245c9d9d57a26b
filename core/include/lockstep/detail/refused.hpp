#pragma once

#include <exception>

// For calls that a reader may well write and that cannot work. Those whose arguments cannot be sent are
// declared with LOCKSTEP_REFUSED, so that a `requires` finds that there is no such call. The others have a
// body with a static_assert, after which a program that returns their result is a program still. Both give
// what the right call would, so that no second error follows.

/// A declaration that ends in LOCKSTEP_REFUSED("what to write instead") says so to whoever calls it. Clang
/// prints the text, and g++, whose message for a deleted function cannot have one, the line with the declared
/// name: keep the two on one line.
/// A deleted constructor has its text in a comment behind it: clang does not print that of an attribute there.
/// Such declarations stand between LOCKSTEP_REFUSALS_BEGIN and LOCKSTEP_REFUSALS_END.
#if defined(__clang__)
#define LOCKSTEP_REFUSALS_BEGIN \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"")
#define LOCKSTEP_REFUSALS_END _Pragma("clang diagnostic pop")
#define LOCKSTEP_REFUSED(instead) __attribute__((diagnose_if(true, instead, "error")))
#else
#define LOCKSTEP_REFUSALS_BEGIN
#define LOCKSTEP_REFUSALS_END
#define LOCKSTEP_REFUSED(instead) = delete
#endif

namespace lockstep::detail {

/// False for every type, for a static_assert in a template that nobody may call.
template <class T>
inline constexpr bool is_never = false;

/// Ends a refused call that has no result to give: no program that compiles comes here.
[[noreturn]] inline void never_reached() { std::terminate(); }

}  // namespace lockstep::detail
