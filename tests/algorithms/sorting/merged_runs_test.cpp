#include <lockstep/algorithms/sorting/detail/merged_runs.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <random>
#include <vector>

#include "catch.hpp"

using lockstep::detail::merged;

namespace {

struct labelled_key {
  int key;
  int run;

  friend bool operator==(labelled_key const&, labelled_key const&) = default;
};

}  // namespace

TEST_CASE("sorted runs are merged", "[sorting][sanitize]") {
  using runs = std::vector<std::vector<int>>;
  CHECK(merged(runs{}, std::less{}).empty());
  CHECK(merged(runs{{}, {}}, std::less{}).empty());
  CHECK(merged(runs{{1, 3}}, std::less{}) == std::vector{1, 3});
  CHECK(merged(runs{{}, {2}, {}, {1, 3}, {}, {0}}, std::less{}) == std::vector{0, 1, 2, 3});
  CHECK(merged(runs{{3, 1}, {2}, {5, 0}}, std::greater{}) == std::vector{5, 3, 2, 1, 0});
}

TEST_CASE("equal elements of merged runs stay in the order of the runs", "[sorting]") {
  std::mt19937 random(7);
  for (std::size_t runs = 1; runs <= 9; ++runs) {
    std::vector<std::vector<labelled_key>> all(runs);
    std::vector<labelled_key> expected;
    for (std::size_t run = 0; run < runs; ++run) {
      all[run].resize(random() % 20);
      for (auto& one : all[run]) one = {static_cast<int>(random() % 5), static_cast<int>(run)};
      std::ranges::stable_sort(all[run], {}, &labelled_key::key);
      expected.insert(expected.end(), all[run].begin(), all[run].end());
    }
    std::ranges::stable_sort(expected, {}, &labelled_key::key);
    CHECK(merged(all, [](auto const& a, auto const& b) { return a.key < b.key; }) == expected);
  }
}
