#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

using load_list = std::vector<std::uint64_t>;

/// n cut at p - 1 random places, or most of it on few processors.
inline load_list random_loads(int p, std::uint64_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  load_list cuts(static_cast<std::size_t>(p) - 1);
  std::uint64_t const reach = seed % 3 == 0 ? n / 8 + 1 : n + 1;
  for (auto& cut : cuts) cut = random() % reach;
  std::ranges::sort(cuts);
  cuts.push_back(n);
  std::adjacent_difference(cuts.begin(), cuts.end(), cuts.begin());
  std::ranges::shuffle(cuts, random);
  return cuts;
}

/// All on one processor, on one in three, and random ones.
inline std::vector<load_list> sampled_loads(int p, std::uint64_t n) {
  auto const count = static_cast<std::size_t>(p);
  std::vector<load_list> samples;
  for (auto const at : {std::size_t{0}, count / 2, count - 1}) {
    samples.emplace_back(count).at(at) = n;
    if (count == 1) return samples;
  }
  load_list thirds(count);
  for (std::size_t i = 0; i < n; ++i) ++thirds[i % ((count + 2) / 3) * 3 % count];
  samples.push_back(thirds);
  for (std::uint32_t seed = 1; seed <= 4; ++seed) samples.push_back(random_loads(p, n, seed));
  return samples;
}
