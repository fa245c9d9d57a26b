#include <lockstep/algorithms/random_access/generalize.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

using lockstep::generalize;

namespace {

using copies = std::vector<std::optional<text_hash>>;

auto generalized(pointers const& to, bucket_layout const& layout,
                 lockstep::engine engine = lockstep::engine::fibers) {
  return strict_crossbar_of(layout.processors(), engine).run([&](processor& me) {
    auto const values = letters_of(layout, me.rank());
    return generalize(me, layout, block_of(to, layout, me.rank()), std::span(values));
  });
}

/// A plain loop over the elements, with the processors that it takes values from and to.
struct looped {
  explicit looped(pointers const& to, bucket_layout const& layout) : at(layout.elements()) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i] == no_pointer) continue;
      if (next <= to[i]) pairs.emplace_back(layout.owner(i), layout.owner(next));
      for (; next <= to[i]; ++next) at[next] = letter(i);
    }
  }

  copies at;
  std::vector<std::pair<int, int>> pairs;
};

void check_generalized(pointers const& to, bucket_layout const& layout) {
  auto const run = generalized(to, layout);
  looped const expected(to, layout);
  CHECK((joined_blocks(run.results()) == expected.at));
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
  copies printed;
  for (std::size_t const element : {0U, 0U, 1U, 1U, 1U, 2U, 3U, 3U})
    printed.emplace_back(letter(element));
  CHECK((joined_blocks(
             generalized({1, 4, 5, 7, no_pointer, no_pointer, no_pointer, no_pointer}, layout)
                 .results()) == printed));
  auto const run = strict_crossbar_of(4).run([&](processor& me) {
    pointers const all{1, 4, 5, 7};
    auto const rank = static_cast<std::size_t>(me.rank());
    auto const value = letters(rank, 1);
    return generalize(me, layout, std::span(all).subspan(rank, 1), std::span(value));
  });
  CHECK((joined_blocks(run.results()) == printed));
  CHECK((run.results()[1] == copies{letter(1), letter(1)}));
}

TEST_CASE("generalize is a loop over the elements, for any number of them", "[random_access]") {
  for_each_layout([](bucket_layout const& layout) {
    for (int const dots : {0, 30, 90, 100})
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        INFO("dots " << dots << ", seed " << seed);
        check_generalized(generated_pointers(access_pattern::monotonic, layout, seed, dots),
                          layout);
      }
  });
}

TEST_CASE("generalize copies one value over all processors, and none behind the last pointer",
          "[random_access]") {
  bucket_layout const layout(13, 5);
  for_each_single_pointer(13, [&](pointers const& to) { check_generalized(to, layout); });
}

TEST_CASE("generalize gives nothing to a pointer that is the one before", "[random_access]") {
  check_generalized({2, 2, 2, 2, 5, 5, 7, 7}, bucket_layout(8, 4));
  check_generalized(pointers(8, 7), bucket_layout(8, 4));
  check_generalized(pointers(8, 0), bucket_layout(8, 3));
}

TEST_CASE("generalize counts alike on both engines", "[random_access][threads][sanitize]") {
  bucket_layout const layout(40, 6);
  auto const to = generated_pointers(access_pattern::monotonic, layout, 4, 30);
  alike_on_both_engines([&](lockstep::engine by) { return generalized(to, layout, by); });
}

TEST_CASE("generalize refuses pointers that are not in order", "[random_access]") {
  auto const refusal = [&](std::vector<pointers> const& to, std::size_t values) {
    return refused_on(2, [&](processor& me) {
      auto const mine = letters(0, values);
      return generalize(me, bucket_layout(4, 2), to[static_cast<std::size_t>(me.rank())],
                        std::span(mine))
          .size();
    });
  };
  CHECK_THAT(refusal({{1, 0}, {2, 3}}, 2), has_text("address 0, behind one to 1"));
  CHECK_THAT(refusal({{0, 3}, {2, 3}}, 2), has_text("and one of a lower rank to 3"));
  CHECK_THAT(refusal({{0, 1}, {2, 4}}, 2), has_text("pointer 1 is to address 4"));
  CHECK(refusal({{0, 1}, {2, 3}}, 1) == "processor 0 has 1 values; give 2");
}
