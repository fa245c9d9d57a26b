#include <lockstep/algorithms/random_access/monotonic_write.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "random_access/access_samples.hpp"
#include "random_access/sequential_memory.hpp"

using lockstep::monotonic_way;

namespace {

constexpr std::size_t first_in_array = 100'000;  ///< the letter that stands at address 0

auto written(pointers const& to, bucket_layout const& layout, monotonic_way way,
             lockstep::engine engine = lockstep::engine::fibers) {
  return strict_crossbar_of(layout.processors(), engine).run([&](processor& me) {
    auto const values = letters_of(layout, me.rank());
    auto array = letters(first_in_array + layout.first_of(me.rank()), values.size());
    monotonic_write(me, layout, block_of(to, layout, me.rank()), values, concatenated,
                    std::span(array), way);
    return array;
  });
}

std::vector<text_hash> expected_array(pointers const& to) {
  lockstep::sequential_cells<text_hash> before;
  for (auto const& each : letters(first_in_array, to.size())) before.emplace_back(each);
  std::vector<text_hash> array;
  for (auto const& cell : lockstep::written_in_turn(before, to, letter, concatenated))
    array.push_back(*cell);
  return array;
}

/// Where the last element of each address goes to.
std::uint64_t expected_q(pointers const& to, bucket_layout const& layout) {
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == no_pointer) continue;
    auto const rest = std::span(to).subspan(i + 1);
    if (std::ranges::find(rest, to[i]) == rest.end())
      pairs.emplace_back(layout.owner(i), layout.owner(to[i]));
  }
  return most_partners(pairs, layout.processors());
}

void check_write(pointers const& to, bucket_layout const& layout) {
  auto const run = written(to, layout, monotonic_way::scans);
  CHECK((joined_blocks(run.results()) == expected_array(to)));
  auto const q = expected_q(to, layout);
  auto const d = logarithm_of(layout.processors());
  CHECK(run.counts().startups == q + 5 * d);
  REQUIRE(run.phases().size() == 3);
  CHECK(run.phases()[0].name == "equal pointers");
  CHECK(run.phases()[2].name == "sends");
  CHECK(run.phases()[2].startups == q);
  CHECK(run.phases()[2].port_words <= layout.block_size());
  auto const once = written(to, layout, monotonic_way::one_all_gather);
  CHECK((once.results() == run.results()));
  CHECK(once.counts().startups == q + d);
  REQUIRE(once.phases().size() == 2);
  CHECK(once.phases()[0].startups == d);
  CHECK(once.phases()[1].name == "sends");
  CHECK(once.phases()[1].steps == run.phases()[2].steps);
  CHECK(once.phases()[1].port_words == run.phases()[2].port_words);
  CHECK(once.counts().queued == 0);
}

/// Sorted pointers, of all kinds.
pointers sorted_pointers(access_pattern pattern, bucket_layout const& layout, std::uint64_t seed,
                         int dots) {
  auto to = generated_pointers(pattern, layout, seed);
  std::ranges::sort(to);
  auto const lost = generated_pointers(access_pattern::one_hot, layout, seed, dots);
  for (std::size_t i = 0; i < to.size(); ++i)
    if (lost[i] == no_pointer) to[i] = no_pointer;
  return to;
}

}  // namespace

TEST_CASE("a monotonic write is that of a sequential memory, for all patterns and sizes",
          "[random_access]") {
  for_each_layout([](bucket_layout const& layout) {
    for (auto const pattern : patterns) {
      if (pattern == access_pattern::random) continue;
      for (int const dots : {0, 40, 100}) {
        INFO(name_of(pattern) << ", dots " << dots);
        check_write(sorted_pointers(pattern, layout, 3, dots), layout);
      }
    }
  });
}

TEST_CASE("a monotonic write of one pointer, from anywhere to anywhere", "[random_access]") {
  bucket_layout const layout(10, 4);
  for_each_single_pointer(10, [&](pointers const& to) { check_write(to, layout); });
}

TEST_CASE("a monotonic write over a processor without elements keeps its runs together",
          "[random_access]") {
  bucket_layout const layout(9, 3);
  check_write({0, 3, 4, 5, 5, 5, 5, 6, 7}, layout);  // erratum 6: only the last 5 is sent
  check_write({0, 1, 4, no_pointer, no_pointer, no_pointer, 4, 4, 8}, layout);
}

TEST_CASE("a monotonic write of runs at random over processors of any sizes", "[random_access]") {
  std::mt19937_64 random(17);
  for (int repeat = 0; repeat < 1500; ++repeat) {
    int const p = 1 + static_cast<int>(random() % 9);
    auto const n = static_cast<std::size_t>(random() % 40);
    bucket_layout const layout(n, p);
    pointers to(n);
    auto const reach = 1 + random() % (n + 1);
    for (auto& one : to) one = random() % reach % std::max<std::size_t>(n, 1);
    std::ranges::sort(to);
    auto const lost = random() % 3;
    for (auto& one : to)
      if (random() % 4 < lost) one = no_pointer;
    for (int rank = 0; rank < p; ++rank)  // processors without any
      if (random() % 4 == 0)
        std::ranges::fill(std::span(to).subspan(layout.first_of(rank), layout.size_of(rank)),
                          no_pointer);
    INFO("repeat " << repeat << ": p = " << p << ", n = " << n);
    check_write(to, layout);
  }
}

TEST_CASE("a monotonic write counts alike on both engines", "[random_access][threads][sanitize]") {
  bucket_layout const layout(50, 7);
  auto const to = sorted_pointers(access_pattern::few_hot, layout, 9, 20);
  for (auto const way : {monotonic_way::scans, monotonic_way::one_all_gather}) {
    auto const run =
        alike_on_both_engines([&](lockstep::engine by) { return written(to, layout, way, by); });
    CHECK((joined_blocks(run.results()) == expected_array(to)));
  }
}

TEST_CASE("a monotonic write keeps its claims", "[random_access]") {
  auto const claims = lockstep::monotonic_write_claims(6, 100, 4);
  auto const startups = std::ranges::find_if(claims, [](lockstep::claim const& one) {
    return one.figure == "startups" && one.bound == lockstep::comparison::equal;
  });
  REQUIRE(startups != claims.end());
  CHECK(startups->value() == 4 + 5 * 3);
  auto const once = lockstep::monotonic_write_claims(6, 100, 4, monotonic_way::one_all_gather);
  CHECK(once.back().value() == 4 + 3);
}

TEST_CASE("a monotonic write refuses what is not in order, or not an address", "[random_access]") {
  auto const refusal = [](bucket_layout const& layout, std::vector<pointers> const& to,
                          std::size_t values_each, std::size_t array_size,
                          monotonic_way way = monotonic_way::scans) {
    return refused_on(static_cast<int>(to.size()), [&](processor& me) {
      std::vector<int> const values(values_each, 1);
      std::vector<int> array(array_size);
      monotonic_write(me, layout, to[static_cast<std::size_t>(me.rank())], values, std::plus<int>{},
                      std::span(array), way);
      return 0;
    });
  };
  bucket_layout const layout(4, 2);
  CHECK(refusal(layout, {{0, 1}, {3, 2}}, 2, 2) ==
        "processor 1: pointer 1 is to address 2, behind one to 3: they have to be in order; sort "
        "them, or write with the variant arbitrary");
  CHECK(
      refusal(layout, {{0, 3}, {2, 3}}, 2, 2) ==
      "processor 1: its first pointer is to address 2, and one of a lower rank to 3: they have to "
      "be in order over the ranks, too");
  CHECK(refusal(layout, {{0, 4}, {2, 3}}, 2, 2) ==
        "processor 0: pointer 1 is to address 4; there are 4 addresses, from 0 on, and no_pointer "
        "for none");
  CHECK(refusal(layout, {{0, 1}, {2, 3}}, 3, 2) == "processor 0 has 3 values; give 2");
  CHECK(refusal(layout, {{0, 1}, {2, 3}}, 2, 1) ==
        "processor 0 has 1 elements of the array; give 2");
  CHECK(refusal(bucket_layout(4, 3), {{0, 1}, {2, 3}}, 2, 2) ==
        "a layout for 3 processors on 2: make it for as many as call");
  CHECK_THAT(refusal(layout, {{}, {}}, 0, 2, monotonic_way{9}),
             has_text("monotonic_way is 9: take one of monotonic_way::scans"));
}
