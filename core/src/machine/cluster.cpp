#include <lockstep/cluster.hpp>

#include <algorithm>
#include <cstdint>

#include "engine/tuning.hpp"

namespace lockstep::detail {

/// A share of more than one block of processors has whole blocks only.
rank_range share_of(int processors, int processes, int process) {
  auto const divided = [](std::int64_t of, std::int64_t by) { return (of + by - 1) / by; };
  auto const block = static_cast<std::int64_t>(usual_tuning.processors_per_block);
  auto each = divided(processors, processes);
  if (each > block) each = divided(each, block) * block;
  auto const begin = [&](std::int64_t of) {
    return static_cast<int>(std::min<std::int64_t>(processors, each * of));
  };
  return {begin(process), begin(std::int64_t{process} + 1)};
}

}  // namespace lockstep::detail
