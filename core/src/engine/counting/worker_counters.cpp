#include "engine/counting/worker_counters.hpp"

#include <algorithm>

namespace lockstep::detail {

void worker_counters::drop_uses(std::uint64_t step) {
  if (last_use < step)
    link_uses.clear();
  else
    std::erase_if(link_uses, [&](link_use const& use) { return use.step + use.steps <= step; });
}

void worker_counters::rearrange(std::vector<std::uint64_t>& by_call, std::uint64_t call,
                                std::uint64_t words) {
  if (call >= by_call.size()) by_call.resize(call + 1);
  by_call[call] = std::max(by_call[call], words);
}

}  // namespace lockstep::detail
