#include <lockstep/algorithms/sorting/generated_keys.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

using lockstep::generated_keys;
using lockstep::key_distribution;

namespace {

using keys = std::vector<std::int32_t>;

/// The keys as radix sort on 16 processors leaves them.
keys sorted_on_a_machine(keys const& all) {
  lockstep::machine const machine{lockstep::crossbar{16}};
  auto const run = machine.run([&](lockstep::processor& me) {
    auto const [first, count] = lockstep::even_block(all.size(), me.size(), me.rank());
    auto const mine = std::span(all).subspan(first, count);
    return radix_sort(me, keys(mine.begin(), mine.end()), {}, {.radix = 1U << 16U});
  });
  keys sorted;
  for (auto const& block : run.results()) sorted.insert(sorted.end(), block.begin(), block.end());
  return sorted;
}

/// A class of the NAS Parallel Benchmark IS: where it looks, and the ranks that it wants there.
struct verification {
  std::int32_t largest_key;
  std::array<std::size_t, 5> index;
  std::array<std::int64_t, 5> rank;
  std::int64_t shift;  ///< of the ranks: + for the first that many, - for the others
  std::size_t raised;
};

/// The first of its iterations: two keys are given before it ranks all of them.
void check_ranks(keys all, verification const& of) {
  all[1] = 1;
  all[11] = of.largest_key - 1;
  auto const sorted = sorted_on_a_machine(all);
  for (std::size_t i = 0; i < of.index.size(); ++i) {
    auto const rank = std::ranges::lower_bound(sorted, all[of.index[i]]) - sorted.begin();
    CHECK(rank == of.rank[i] + (i < of.raised ? of.shift : -of.shift));
  }
}

double entropy_of(keys const& all) {
  double entropy = 0;
  for (unsigned bit = 0; bit < 31; ++bit) {
    auto const ones = std::ranges::count_if(
        all, [&](auto key) { return (static_cast<std::uint32_t>(key) >> bit & 1U) == 1; });
    auto const share = static_cast<double>(ones) / static_cast<double>(all.size());
    if (share > 0 && share < 1)
      entropy -= share * std::log2(share) + (1 - share) * std::log2(1 - share);
  }
  return entropy;
}

}  // namespace

TEST_CASE("keys N pass the partial verification of IS, class S", "[sorting]") {
  auto all = generated_keys(key_distribution::nas, 1U << 16U, 16);
  for (auto& key : all) key >>= 8U;  // 11 bits
  check_ranks(all, {1 << 11, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, 1, 3});
}

TEST_CASE("keys N pass the partial verification of IS, class A", "[sorting]") {
  check_ranks(generated_keys(key_distribution::nas, 1U << 23U, 16),
              {1 << 19,
               {2112377, 662041, 5336171, 3642833, 4250760},
               {104, 17523, 123928, 8288932, 8388264},
               0,
               3});
}

TEST_CASE("keys R have 31 bits, and S 6.2 of entropy", "[sorting]") {
  auto const random = generated_keys(key_distribution::random, 100'000, 3);
  auto const small = generated_keys(key_distribution::small_entropy, 100'000, 3);
  CHECK(std::ranges::min(random) >= 0);
  CHECK(std::ranges::max(random) > (1 << 30));
  CHECK(std::abs(entropy_of(random) - 31) < 0.01);
  CHECK(std::abs(entropy_of(small) - 6.2) < 0.1);  // 31 H(1/32)
  CHECK(small[0] == (random[0] & random[1] & random[2] & random[3] & random[4]));
  CHECK(small[1] == (random[5] & random[6] & random[7] & random[8] & random[9]));
}

TEST_CASE("keys C go round the processors", "[sorting]") {
  CHECK(generated_keys(key_distribution::cyclic, 8, 3) == keys{0, 3, 6, 1, 4, 7, 2, 5});
  CHECK(generated_keys(key_distribution::cyclic, 2, 3) == keys{0, 1});
  CHECK(generated_keys(key_distribution::cyclic, 0, 3).empty());
}

TEST_CASE("blocks of keys are those of all", "[sorting]") {
  for (auto const which : {key_distribution::random, key_distribution::small_entropy,
                           key_distribution::cyclic, key_distribution::nas})
    for (int const p : {1, 3, 40})
      for (std::size_t const n : {0U, 1U, 2U, 29U, 100U}) {
        auto const all = generated_keys(which, n, p);
        REQUIRE(all.size() == n);
        for (std::size_t first = 0; first <= n; ++first)
          for (auto const count : {std::size_t{0}, (n - first) / 2, n - first}) {
            CAPTURE(name_of(which), p, n, first, count);
            auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first);
            CHECK(generated_keys(which, n, p, {first, count}) ==
                  keys(begin, begin + static_cast<std::ptrdiff_t>(count)));
          }
      }
}

TEST_CASE("distributions have names", "[sorting]") {
  CHECK(name_of(key_distribution::random) == "R");
  CHECK(name_of(key_distribution::small_entropy) == "S");
  CHECK(name_of(key_distribution::cyclic) == "C");
  CHECK(name_of(key_distribution::nas) == "N");
}
