#include <lockstep/processor.hpp>

#include <algorithm>
#include <vector>

namespace {

// Everybody gets all samples: in round k those of the processor k places before.
std::vector<long> all_samples(lockstep::processor& me, std::vector<long> const& own) {
  int const p = me.size();
  auto all = own;
  for (int k = 1; k < p; ++k) {
    auto const arrived = me.exchange((me.rank() + k) % p, own, (me.rank() + p - k) % p);
    all.insert(all.end(), arrived.begin(), arrived.end());
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

std::vector<long> sort(lockstep::processor& me, std::vector<long> keys) {
  int const p = me.size();
  std::ranges::sort(keys);
  std::vector<long> samples;
  for (int i = 0; i < p; ++i) samples.push_back(keys[i * keys.size() / p]);
  auto const all = all_samples(me, samples);
  // The keys for processor j lie from the splitter before it to the one after it.
  std::vector<std::vector<long>> buckets(p);
  for (long const key : keys) {
    int to = 0;
    while (to < p - 1 && key >= all[(to + 1) * p]) ++to;
    buckets[to].push_back(key);
  }
  auto part = buckets[me.rank()];
  for (int k = 1; k < p; ++k) {
    int const to = (me.rank() + k) % p;
    auto const arrived = me.exchange(to, buckets[to], (me.rank() + p - k) % p);
    part.insert(part.end(), arrived.begin(), arrived.end());
  }
  std::ranges::sort(part);
  return part;
}
