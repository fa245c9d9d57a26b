// Counts what a processor asks of the memory in a call of all_to_all, once its run has gone on for a while:
// small buffers are used again (without that there are four more). Exit status 1 where it is more.

#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>

#include "counted_allocations.hpp"

namespace {

constexpr int side = 8;
constexpr double most_each = 17;

/// Calls of operator new in a run with that many exchanges.
std::uint64_t allocations_of(lockstep::machine const& on, int exchanges) {
  auto const before = allocations_so_far();
  static_cast<void>(on.run([&](lockstep::processor& me) {
    std::vector<std::uint64_t> blocks(static_cast<std::size_t>(me.size()));
    for (int i = 0; i < exchanges; ++i) blocks = lockstep::all_to_all(me, std::move(blocks));
  }));
  return allocations_so_far() - before;
}

}  // namespace

int main() {
  lockstep::machine const on(lockstep::torus{{side, side}}, {.workers = 1});
  constexpr int few = 5;
  constexpr int many = 45;
  auto const before = allocations_of(on, few);
  auto const more = static_cast<double>(allocations_of(on, many) - before);
  auto const each = more / (many - few) / (side * side);
  fmt::print("{:.1f} allocations a processor and call, {} at most\n", each, most_each);
  return each <= most_each ? 0 : 1;
}
