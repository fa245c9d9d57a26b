// In place of the library's sizes: small machines have several blocks and workers in each process.

#include <lockstep/memory.hpp>

#include "core/engine/small_tuning.hpp"

lockstep::detail::tuning const lockstep::detail::usual_tuning =
    reference::small_tuning(lockstep::available_memory);
