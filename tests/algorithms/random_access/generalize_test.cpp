#include <lockstep/algorithms/random_access/generalize.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "random_access/access_samples.hpp"

using lockstep::access_pattern;
using lockstep::bucket_layout;
using lockstep::generalize;
using lockstep::no_pointer;
using lockstep::processor;

namespace {

using pointers = std::vector<std::size_t>;
using copies = std::vector<std::optional<int>>;

std::vector<int> numbered(std::size_t n) {
  std::vector<int> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<int>(10 + i));
  return values;
}

auto generalized(pointers const& to, bucket_layout const& layout,
                 lockstep::engine engine = lockstep::engine::fibers) {
  auto const values = numbered(to.size());
  return strict_crossbar_of(layout.processors(), engine).run([&](processor& me) {
    return generalize(me, layout, block_of(to, layout, me.rank()),
                      block_of(values, layout, me.rank()));
  });
}

/// A plain loop over the elements, with the processors that it takes values from and to.
struct looped {
  explicit looped(pointers const& to, bucket_layout const& layout) : at(layout.elements()) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i] == no_pointer) continue;
      if (next <= to[i]) pairs.emplace_back(layout.owner(i), layout.owner(next));
      for (; next <= to[i]; ++next) at[next] = static_cast<int>(10 + i);
    }
  }

  copies at;
  std::vector<std::pair<int, int>> pairs;
};

void check_generalized(pointers const& to, bucket_layout const& layout) {
  auto const run = generalized(to, layout);
  looped const expected(to, layout);
  CHECK(joined_blocks(run.results()) == expected.at);
  auto const q = most_partners(expected.pairs, layout.processors());
  CHECK(run.counts().startups == q + 5 * logarithm_of(layout.processors()));
  REQUIRE(run.phases().size() == 4);
  CHECK(run.phases()[2].name == "sends");
  CHECK(run.phases()[2].startups == q);
  CHECK(run.phases()[2].port_words <= layout.block_size());
}

}  // namespace

TEST_CASE("Figure 12: generalize, with the elements on the first processors or spread",
          "[random_access]") {
  bucket_layout const layout(8, 4);
  copies const printed{10, 10, 11, 11, 11, 12, 13, 13};
  CHECK(joined_blocks(
            generalized({1, 4, 5, 7, no_pointer, no_pointer, no_pointer, no_pointer}, layout)
                .results()) == printed);
  auto const run = strict_crossbar_of(4).run([&](processor& me) {
    pointers const all{1, 4, 5, 7};
    auto const values = numbered(4);
    auto const rank = static_cast<std::size_t>(me.rank());
    return generalize(me, layout, std::span(all).subspan(rank, 1),
                      std::span(values).subspan(rank, 1));
  });
  CHECK(joined_blocks(run.results()) == printed);
  CHECK(run.results()[1] == copies{11, 11});
}

TEST_CASE("generalize is a loop over the elements, for any number of them", "[random_access]") {
  for (int p = 1; p <= 17; ++p)
    for (int const n : {0, 1, p - 1, p, 2 * p + 1, 5 * p - 2})
      for (int const dots : {0, 30, 90, 100})
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
          bucket_layout const layout(static_cast<std::size_t>(n), p);
          INFO("p = " << p << ", n = " << n << ", dots " << dots << ", seed " << seed);
          check_generalized(generated_pointers(access_pattern::monotonic, layout, seed, dots),
                            layout);
        }
}

TEST_CASE("generalize copies one value over all processors, and none behind the last pointer",
          "[random_access]") {
  bucket_layout const layout(13, 5);
  for (std::size_t i = 0; i < 13; ++i)
    for (std::size_t last = 0; last < 13; ++last) {
      pointers to(13, no_pointer);
      to[i] = last;
      INFO(i << " up to " << last);
      check_generalized(to, layout);
    }
}

TEST_CASE("generalize gives nothing to a pointer that is the one before", "[random_access]") {
  check_generalized({2, 2, 2, 2, 5, 5, 7, 7}, bucket_layout(8, 4));
  check_generalized({7, 7, 7, 7, 7, 7, 7, 7}, bucket_layout(8, 4));
  check_generalized({0, 0, 0, 0, 0, 0, 0, 0}, bucket_layout(8, 3));
}

TEST_CASE("generalize counts alike on both engines", "[random_access][threads][sanitize]") {
  bucket_layout const layout(40, 6);
  auto const to = generated_pointers(access_pattern::monotonic, layout, 4, 30);
  auto const on_fibers = generalized(to, layout);
  auto const on_threads = generalized(to, layout, lockstep::engine::threads);
  CHECK(on_fibers.counts() == on_threads.counts());
  CHECK(on_threads.results() == on_fibers.results());
}

TEST_CASE("generalize refuses pointers that are not in order", "[random_access]") {
  bucket_layout const layout(4, 2);
  auto const refusal = [&](std::vector<pointers> const& to, std::size_t values) {
    return refusal_of<lockstep::invalid_argument>(strict_crossbar_of(2), [&](processor& me) {
      auto const mine = numbered(values);
      return generalize(me, layout, to[static_cast<std::size_t>(me.rank())],
                        std::span<int const>(mine))
          .size();
    });
  };
  CHECK_THAT(refusal({{1, 0}, {2, 3}}, 2), has_text("address 0, behind one to 1"));
  CHECK_THAT(refusal({{0, 3}, {2, 3}}, 2), has_text("and one of a lower rank to 3"));
  CHECK_THAT(refusal({{0, 1}, {2, 4}}, 2), has_text("pointer 1 is to address 4"));
  CHECK(refusal({{0, 1}, {2, 3}}, 1) == "processor 0 has 1 values; give 2");
}
