#include <lockstep/algorithms/sorting/sample_sort.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

std::uint64_t samples_of(std::uint64_t n) {
  constexpr double for_each_e_fold = 5;
  if (n < 2) return 0;
  return static_cast<std::uint64_t>(std::ceil(for_each_e_fold * std::log(static_cast<double>(n))));
}

// Without replacement by Floyd's algorithm: one number for each sample.
std::vector<std::size_t> detail::drawn_sample(std::size_t elements, std::uint64_t count,
                                              bool with_replacement, std::mt19937_64 random) {
  std::vector<std::size_t> drawn;
  if (elements == 0) return drawn;
  if (with_replacement) {
    constexpr std::uint64_t most = 0x7fffffff;
    if (count > most)
      throw invalid_argument(
          fmt::format("sample_sort: a processor draws at most {} samples with replacement, not {}",
                      most, count));
    while (drawn.size() < count) drawn.push_back(drawn_below(elements, random));
    return drawn;
  }
  std::set<std::size_t> taken;
  for (auto last = elements - std::min<std::uint64_t>(count, elements); last < elements; ++last) {
    auto const index = drawn_below(last + 1, random);
    drawn.push_back(taken.contains(index) ? last : index);
    taken.insert(drawn.back());
  }
  return drawn;
}

// Attempts of the routing are numbered from 1.
std::mt19937_64 detail::randomness_of_samples(std::uint64_t seed, int rank) {
  return randomness_of(seed, rank, 0);
}

std::vector<std::size_t> detail::ranks_of_pivots(std::size_t samples, int processors) {
  std::vector<std::size_t> ranks;
  for (int i = 1; i < processors; ++i)
    ranks.push_back(static_cast<std::size_t>(i) * samples / static_cast<std::size_t>(processors));
  return ranks;
}

}  // namespace lockstep
