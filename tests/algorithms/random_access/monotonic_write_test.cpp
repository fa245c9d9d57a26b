#include <lockstep/algorithms/random_access/monotonic_write.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "random_access/access_samples.hpp"

using lockstep::access_pattern;
using lockstep::bucket_layout;
using lockstep::no_pointer;
using lockstep::processor;

namespace {

using pointers = std::vector<std::size_t>;

auto written(pointers const& to, bucket_layout const& layout,
             lockstep::monotonic_way way = lockstep::monotonic_way::scans,
             lockstep::engine engine = lockstep::engine::fibers) {
  return strict_crossbar_of(layout.processors(), engine).run([&](processor& me) {
    std::vector<text_hash> values;
    std::vector<text_hash> array;
    for (std::size_t i = 0; i < layout.size_of(me.rank()); ++i) {
      values.push_back(letter(layout.first_of(me.rank()) + i));
      array.push_back(letter(100'000 + layout.first_of(me.rank()) + i));
    }
    monotonic_write(me, layout, block_of(to, layout, me.rank()), values, concatenated,
                    std::span(array), way);
    return array;
  });
}

/// A plain loop over the elements.
std::vector<text_hash> expected_array(pointers const& to) {
  std::vector<text_hash> array;
  for (std::size_t a = 0; a < to.size(); ++a) array.push_back(letter(100'000 + a));
  for (std::size_t i = 0; i < to.size(); ++i)
    if (to[i] != no_pointer) array[to[i]] = concatenated(array[to[i]], letter(i));
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
  auto const run = written(to, layout);
  CHECK(joined_blocks(run.results()) == expected_array(to));
  auto const q = expected_q(to, layout);
  CHECK(run.counts().startups == q + 5 * logarithm_of(layout.processors()));
  REQUIRE(run.phases().size() == 3);
  CHECK(run.phases()[0].name == "equal pointers");
  CHECK(run.phases()[2].name == "sends");
  CHECK(run.phases()[2].startups == q);
  CHECK(run.phases()[2].port_words <= layout.block_size());
  auto const once = written(to, layout, lockstep::monotonic_way::one_all_gather);
  CHECK(once.results() == run.results());
  CHECK(once.counts().startups == q + logarithm_of(layout.processors()));
  REQUIRE(once.phases().size() == 2);
  CHECK(once.phases()[0].startups == logarithm_of(layout.processors()));
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

TEST_CASE("a monotonic write is that of a loop, for all patterns and numbers of elements",
          "[random_access]") {
  for (int p = 1; p <= 17; ++p)
    for (int const n : {0, 1, p - 1, p, 2 * p + 1, 5 * p - 2}) {
      bucket_layout const layout(static_cast<std::size_t>(n), p);
      for (auto const pattern :
           {access_pattern::monotonic, access_pattern::one_hot, access_pattern::few_hot,
            access_pattern::local, access_pattern::permutation, access_pattern::singles})
        for (int const dots : {0, 40, 100}) {
          INFO("p = " << p << ", n = " << n << ", " << name_of(pattern) << ", dots " << dots);
          check_write(sorted_pointers(pattern, layout, 3, dots), layout);
        }
    }
}

TEST_CASE("a monotonic write of one pointer, from anywhere to anywhere", "[random_access]") {
  bucket_layout const layout(10, 4);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t a = 0; a < 10; ++a) {
      pointers to(10, no_pointer);
      to[i] = a;
      INFO(i << " to " << a);
      check_write(to, layout);
    }
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
        for (std::size_t i = 0; i < n; ++i)
          if (layout.owner(i) == rank) to[i] = no_pointer;
    INFO("repeat " << repeat << ": p = " << p << ", n = " << n);
    check_write(to, layout);
  }
}

TEST_CASE("a monotonic write counts alike on both engines", "[random_access][threads][sanitize]") {
  bucket_layout const layout(50, 7);
  auto const to = sorted_pointers(access_pattern::few_hot, layout, 9, 20);
  for (auto const way : {lockstep::monotonic_way::scans, lockstep::monotonic_way::one_all_gather}) {
    auto const on_fibers = written(to, layout, way);
    auto const on_threads = written(to, layout, way, lockstep::engine::threads);
    CHECK(on_fibers.counts() == on_threads.counts());
    CHECK(on_threads.results() == on_fibers.results());
    CHECK(joined_blocks(on_threads.results()) == expected_array(to));
  }
}

TEST_CASE("the example of a monotonic write gives what it says", "[random_access]") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const run = machine.run([](processor& me) {
    bucket_layout const layout(8, me.size());
    pointers const to{5, 5};
    std::vector<int> const values{1, 2};
    std::vector<int> array(layout.size_of(me.rank()));
    lockstep::monotonic_write(me, layout, to, std::span(values), std::plus<int>{},
                              std::span(array));
    return array;
  });
  CHECK(run.results()[2] == std::vector{0, 12});
  CHECK(run.results()[0] == std::vector{0, 0});
}

TEST_CASE("a monotonic write keeps its claims", "[random_access]") {
  auto const claims = lockstep::monotonic_write_claims(6, 100, 4);
  auto const startups = std::ranges::find_if(claims, [](lockstep::claim const& one) {
    return one.figure == "startups" && one.bound == lockstep::comparison::equal;
  });
  REQUIRE(startups != claims.end());
  CHECK(startups->value() == 4 + 5 * 3);
  auto const once =
      lockstep::monotonic_write_claims(6, 100, 4, lockstep::monotonic_way::one_all_gather);
  CHECK(once.back().value() == 4 + 3);
}

TEST_CASE("a monotonic write refuses what is not in order, or not an address", "[random_access]") {
  auto const refusal = [](bucket_layout const& layout, std::vector<pointers> const& to,
                          std::size_t values_each, std::size_t array_size) {
    return refusal_of<lockstep::invalid_argument>(
        strict_crossbar_of(static_cast<int>(to.size())), [&](processor& me) {
          std::vector<int> const values(values_each, 1);
          std::vector<int> array(array_size);
          monotonic_write(me, layout, to[static_cast<std::size_t>(me.rank())], values,
                          std::plus<int>{}, std::span(array));
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
  auto const no_way =
      refusal_of<lockstep::invalid_argument>(strict_crossbar_of(2), [&](processor& me) {
        std::vector<int> array(layout.size_of(me.rank()));
        monotonic_write(me, layout, pointers{}, std::vector<int>(), std::plus<int>{},
                        std::span(array), lockstep::monotonic_way{9});
        return 0;
      });
  CHECK_THAT(no_way, has_text("monotonic_way is 9: take one of monotonic_way::scans"));
}
