#pragma once

#include <source_location>

namespace lockstep::detail {

struct place_inside;

/// The entry of a processor into a library, by a call of the program, where errors find it. It lies with
/// the call, on the processor's own stack, which is at hand.
struct library_entry {
  std::source_location program;    ///< the call of the program
  std::source_location algorithm;  ///< the function that it calls
  place_inside const* last_place =
      nullptr;  ///< of the last send in it, if any: the next may have it again
};

}  // namespace lockstep::detail
