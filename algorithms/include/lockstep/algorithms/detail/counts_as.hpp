#pragma once

#include <cstdint>

#include <lockstep/payload.hpp>

namespace lockstep {

/// The words of an element with which something else travels, for example its address: those of the
/// element alone, whose type it names as `counts_as`. So do the papers count.
template <class T>
  requires requires { typename T::counts_as; }
inline constexpr std::uint64_t words_of<T> = words_of<typename T::counts_as>;

}  // namespace lockstep
