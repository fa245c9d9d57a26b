// In place of the library's sizes: small machines have several blocks and workers, and one thread runs them
// all, since two that wait for each other after a few switches take several times as long where other
// tests run, too. ThreadSanitizer, which looks for races between them, gets two.

#include <lockstep/memory.hpp>

#include "core/engine/small_tuning.hpp"
#include "engine/memory/sanitizer.hpp"

lockstep::detail::tuning const lockstep::detail::usual_tuning = [] {
  auto sizes = reference::small_tuning(lockstep::available_memory);
  if (!thread_sanitizer()) sizes.most_threads = 1;
  return sizes;
}();
