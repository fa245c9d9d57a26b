#include "engine/tuning.hpp"

#include <tbb/info.h>

#include <lockstep/memory.hpp>

namespace lockstep::detail {

tuning const usual_tuning{.processors_per_block = 2048,
                          .processors_per_worker = 8192,
                          .switches_per_turn = 64,
                          .switches_per_look = 256,
                          .bytes_lent = 2048,
                          .bytes_handed_over = std::size_t{1} << 22,
                          .entries_per_merge = std::size_t{1} << 16,
                          .steps_per_merge = std::size_t{1} << 14,
                          .most_untold = std::size_t{1} << 22,
                          .most_call_bytes = std::size_t{1} << 29,
                          .most_stretches = std::size_t{1} << 20,
                          .bytes_unasked = std::size_t{1} << 24,
                          .available_memory = available_memory,
                          .cores = [] { return tbb::info::default_concurrency(); },
                          .patience = std::chrono::milliseconds(20)};

}  // namespace lockstep::detail
