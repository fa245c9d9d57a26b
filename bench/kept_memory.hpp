#pragma once

#include <malloc.h>

namespace bench {

/// Keeps freed memory in the process, as programs of one memory keep theirs: fresh pages would take
/// a quarter of the time.
inline void keep_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

}  // namespace bench
