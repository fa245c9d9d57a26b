#pragma once

#include <source_location>
#include <string>

#include <lockstep/errors.hpp>

/// LOCKSTEP_ASSERT(level, condition): checks an invariant of lockstep's own, which holds whatever a
/// program does, and throws broken_invariant where it does not. (Programs that break the machine's
/// rules are always told, at any level.) Levels:
///
///   light   once a step, a barrier or a run: costs nothing that can be measured
///   heavy   once a message, or more
///
/// The CMake option LOCKSTEP_ASSERT_LEVEL says which are looked at: off, light (the default) or
/// heavy (light ones, too). A condition that is not looked at is compiled all the same.
///
///   LOCKSTEP_ASSERT(heavy, step >= message.stamp);

// NOLINTBEGIN(modernize-macro-to-enum): options of compilers are compared with them
#define LOCKSTEP_ASSERT_OFF 0
#define LOCKSTEP_ASSERT_LIGHT 1
#define LOCKSTEP_ASSERT_HEAVY 2
// NOLINTEND(modernize-macro-to-enum)

#ifndef LOCKSTEP_ASSERT_LEVEL
#define LOCKSTEP_ASSERT_LEVEL LOCKSTEP_ASSERT_LIGHT
#endif

namespace lockstep::detail {

/// The levels as LOCKSTEP_ASSERT names them.
namespace assertion {
inline constexpr int light = LOCKSTEP_ASSERT_LIGHT;
inline constexpr int heavy = LOCKSTEP_ASSERT_HEAVY;
}  // namespace assertion

[[noreturn]] void throw_broken_invariant(char const* condition, std::source_location where);

}  // namespace lockstep::detail

#define LOCKSTEP_ASSERT(level, ...)                                                    \
  do {                                                                                 \
    if constexpr (::lockstep::detail::assertion::level <= LOCKSTEP_ASSERT_LEVEL) {     \
      if (!(__VA_ARGS__)) [[unlikely]]                                                 \
        ::lockstep::detail::throw_broken_invariant(#__VA_ARGS__,                       \
                                                   ::std::source_location::current()); \
    } else {                                                                           \
      static_cast<void>(sizeof(!(__VA_ARGS__)));                                       \
    }                                                                                  \
  } while (false)
