// Sorts more keys than one process holds: each processor makes its own, and looks at what it has got where that lies,
// by the ends of the parts and by sums.
//
//   mpirun -n 4 ./sort [PROCESSORS [KEYS_OF_EACH]]

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/algorithms/sorting/sample_sort.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/mpi/cluster.hpp>
#include <lockstep/topologies/crossbar.hpp>

namespace {

using key = std::uint64_t;

/// Makes the keys of a processor. **Source** The mixing of SplitMix64.
std::vector<key> keys_of(int rank, std::uint64_t count) {
  std::vector<key> keys;
  keys.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    key mixed = (static_cast<key>(rank) * count + i + 1) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    keys.push_back(mixed ^ mixed >> 31);
  }
  return keys;
}

/// Sums up keys: the same for the same keys in any order, and for others hardly ever.
std::vector<key> sums_of(std::vector<key> const& keys) {
  std::vector<key> sums{0, 0, 0};
  for (key const one : keys) {
    sums[0] += 1;
    sums[1] += one;
    sums[2] += (one ^ one >> 29) * 0xbf58476d1ce4e5b9;
  }
  return sums;
}

/// Tells whether what a processor has got is sorted, and not less than what all before it have.
bool is_in_order(lockstep::processor& me, std::vector<key> const& sorted) {
  auto const greatest = [](key left, key right) { return std::max(left, right); };
  key const own = sorted.empty() ? 0 : sorted.back();
  auto const before = lockstep::exclusive_scan(me, greatest, own);
  return std::ranges::is_sorted(sorted) && (sorted.empty() || before <= sorted.front());
}

}  // namespace

int main(int argc, char** argv) {
  lockstep::mpi::cluster cluster(argc, argv);
  int const processors = argc > 1 ? std::atoi(argv[1]) : 64;
  auto const each = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20'000;
  lockstep::machine const machine(lockstep::crossbar(processors), {.cluster = &cluster});
  auto const run = machine.run([each](lockstep::processor& me) {
    auto const n = each * static_cast<std::uint64_t>(me.size());
    auto const mine = keys_of(me.rank(), each);
    me.phase("sort");
    auto const sorted = lockstep::sample_sort(me, mine, n).elements;
    me.phase("check");
    auto const before = lockstep::all_reduce(me, std::plus<>{}, sums_of(mine));
    auto const after = lockstep::all_reduce(me, std::plus<>{}, sums_of(sorted));
    return is_in_order(me, sorted) && before == after;
  });
  auto const right = run.gather_results();  // on process 0, a bit of each processor
  if (cluster.process() > 0) return 0;
  bool const all = std::ranges::all_of(right, std::identity{});
  std::printf("%llu keys on %d processors: %s\n%s",
              each * static_cast<unsigned long long>(processors), processors,
              all ? "sorted" : "WRONG", run.summary().c_str());
  return all ? 0 : 1;
}
