#include <lockstep/algorithms/random_access/concentrate_elements.hpp>

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
using lockstep::concentrate_elements;
using lockstep::distribute_elements;
using lockstep::no_pointer;
using lockstep::processor;

namespace {

using pointers = std::vector<std::size_t>;
using texts = std::vector<text_hash>;

/// Addresses that are chosen at random.
pointers chosen(bucket_layout const& layout, std::uint64_t seed, int dots) {
  auto const lost = generated_pointers(access_pattern::one_hot, layout, seed, dots);
  pointers all;
  for (std::size_t a = 0; a < lost.size(); ++a)
    if (lost[a] != no_pointer) all.push_back(a);
  return all;
}

auto concentrated(pointers const& kept, bucket_layout const& layout,
                  lockstep::engine engine = lockstep::engine::fibers) {
  return strict_crossbar_of(layout.processors(), engine).run([&](processor& me) {
    texts mine;
    for (auto const place : kept)
      if (layout.owner(place) == me.rank()) mine.push_back(letter(place));
    return concentrate_elements(me, layout, std::span<text_hash const>(mine));
  });
}

auto distributed(pointers const& places, bucket_layout const& layout) {
  pointers to(layout.elements(), no_pointer);
  std::ranges::copy(places, to.begin());
  texts values;
  for (std::size_t i = 0; i < to.size(); ++i) values.push_back(letter(i));
  return strict_crossbar_of(layout.processors()).run([&](processor& me) {
    return distribute_elements(me, layout, block_of(to, layout, me.rank()),
                               block_of(values, layout, me.rank()));
  });
}

void check_one_to_one(pointers const& places, bucket_layout const& layout) {
  std::vector<std::pair<int, int>> pairs;
  std::vector<std::pair<int, int>> back;
  texts together;
  std::vector<std::optional<text_hash>> apart(layout.elements());
  for (std::size_t i = 0; i < places.size(); ++i) {
    pairs.emplace_back(layout.owner(places[i]), layout.owner(i));
    back.emplace_back(layout.owner(i), layout.owner(places[i]));
    together.push_back(letter(places[i]));
    apart[places[i]] = letter(i);
  }
  auto const p = layout.processors();
  auto const forwards = concentrated(places, layout);
  CHECK(joined_blocks(forwards.results()) == together);
  CHECK(forwards.counts().startups == most_partners(pairs, p) + 4 * logarithm_of(p));
  auto const backwards = distributed(places, layout);
  CHECK(joined_blocks(backwards.results()) == apart);
  CHECK(backwards.counts().startups == most_partners(back, p) + 3 * logarithm_of(p));
  for (auto const* const phases : {&forwards.phases(), &backwards.phases()}) {
    CHECK(phases->back().name == "sends");
    CHECK(phases->back().port_words <= layout.block_size());
  }
}

}  // namespace

TEST_CASE("elements come together and go apart in order, for any number of them",
          "[random_access]") {
  for (int p = 1; p <= 17; ++p)
    for (int const n : {0, 1, p - 1, p, 2 * p + 1, 5 * p - 2})
      for (int const dots : {0, 20, 60, 95, 100}) {
        bucket_layout const layout(static_cast<std::size_t>(n), p);
        INFO("p = " << p << ", n = " << n << ", dots " << dots);
        check_one_to_one(chosen(layout, 5, dots), layout);
      }
}

TEST_CASE("a single element goes from anywhere to the first address, and back", "[random_access]") {
  bucket_layout const layout(11, 4);
  for (std::size_t place = 0; place < 11; ++place) check_one_to_one({place}, layout);
}

TEST_CASE("concentration counts alike on both engines", "[random_access][threads][sanitize]") {
  bucket_layout const layout(50, 7);
  auto const kept = chosen(layout, 2, 60);
  auto const on_fibers = concentrated(kept, layout);
  auto const on_threads = concentrated(kept, layout, lockstep::engine::threads);
  CHECK(on_fibers.counts() == on_threads.counts());
  CHECK(on_threads.results() == on_fibers.results());
}

TEST_CASE("the example of concentration gives what it says", "[random_access]") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const run = machine.run([](processor& me) {
    std::vector<int> const odd(me.rank() % 2 == 1 ? 2U : 0U, me.rank());
    bucket_layout const layout(8, me.size());
    return concentrate_elements(me, layout, std::span(odd));
  });
  CHECK(run.results()[1] == std::vector{3, 3});
}

TEST_CASE("the example of distribution gives what it says", "[random_access]") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const run = machine.run([](processor& me) {
    bucket_layout const layout(8, me.size());
    pointers const to{static_cast<std::size_t>(2 * me.rank() + 1)};
    std::vector<int> const values{me.rank()};
    return distribute_elements(me, layout, to, std::span(values));
  });
  CHECK(run.results()[3][1] == 3);
  CHECK_FALSE(run.results()[3][0].has_value());
}

TEST_CASE("concentration and distribution refuse what does not fit", "[random_access]") {
  bucket_layout const layout(4, 2);
  CHECK(refusal_of<lockstep::invalid_argument>(
            strict_crossbar_of(2),
            [&](processor& me) {
              std::vector<int> const mine(3, me.rank());
              return concentrate_elements(me, layout, std::span(mine)).size();
            }) ==
        "processor 1 has 3 elements behind 3 of lower ranks, for 4 addresses; take a layout of as "
        "many as there are elements");
  auto const refusal = [&](std::vector<pointers> const& to) {
    return refusal_of<lockstep::invalid_argument>(strict_crossbar_of(2), [&](processor& me) {
      std::vector<int> const values(2, me.rank());
      return distribute_elements(me, layout, to[static_cast<std::size_t>(me.rank())],
                                 std::span(values))
          .size();
    });
  };
  CHECK(
      refusal({{0, 1}, {1, 2}}) ==
      "an element for address 1 of processor 0 comes behind one for 1: pointers have to increase; "
      "take monotonic_write for equal ones");
  CHECK_THAT(refusal({{0, 2}, {1, 2}}), has_text("destinations have to be non-decreasing"));
  CHECK_THAT(refusal({{0, 9}, {1, 2}}), has_text("pointer 1 is to address 9"));
}
