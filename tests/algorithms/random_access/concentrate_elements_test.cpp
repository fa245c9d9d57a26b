#include <lockstep/algorithms/random_access/concentrate_elements.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

using lockstep::concentrate_elements;
using lockstep::distribute_elements;

namespace {

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
    std::vector<text_hash> mine;
    for (auto const place : kept)
      if (layout.owner(place) == me.rank()) mine.push_back(letter(place));
    return concentrate_elements(me, layout, std::span<text_hash const>(mine));
  });
}

auto distributed(pointers const& places, bucket_layout const& layout) {
  auto to = places;
  to.resize(layout.elements(), no_pointer);
  return strict_crossbar_of(layout.processors()).run([&](processor& me) {
    auto const values = letters_of(layout, me.rank());
    return distribute_elements(me, layout, block_of(to, layout, me.rank()), std::span(values));
  });
}

void check_one_to_one(pointers const& places, bucket_layout const& layout) {
  std::vector<std::pair<int, int>> pairs;
  std::vector<std::pair<int, int>> back;
  std::vector<text_hash> together;
  std::vector<std::optional<text_hash>> apart(layout.elements());
  for (std::size_t i = 0; i < places.size(); ++i) {
    pairs.emplace_back(layout.owner(places[i]), layout.owner(i));
    back.emplace_back(layout.owner(i), layout.owner(places[i]));
    together.push_back(letter(places[i]));
    apart[places[i]] = letter(i);
  }
  auto const p = layout.processors();
  auto const forwards = concentrated(places, layout);
  CHECK((joined_blocks(forwards.results()) == together));
  CHECK(forwards.counts().startups == most_partners(pairs, p) + 4 * logarithm_of(p));
  auto const backwards = distributed(places, layout);
  CHECK((joined_blocks(backwards.results()) == apart));
  CHECK(backwards.counts().startups == most_partners(back, p) + 3 * logarithm_of(p));
  for (auto const* const phases : {&forwards.phases(), &backwards.phases()}) {
    CHECK(phases->back().name == "sends");
    CHECK(phases->back().port_words <= layout.block_size());
  }
}

}  // namespace

TEST_CASE("elements come together and go apart in order, for any number of them",
          "[random_access]") {
  for_each_layout([](bucket_layout const& layout) {
    for (int const dots : {0, 20, 60, 95, 100}) {
      INFO("dots " << dots);
      check_one_to_one(chosen(layout, 5, dots), layout);
    }
  });
}

TEST_CASE("a single element goes from anywhere to the first address, and back", "[random_access]") {
  for (std::size_t place = 0; place < 11; ++place) check_one_to_one({place}, bucket_layout(11, 4));
}

TEST_CASE("concentration counts alike on both engines", "[random_access][threads][sanitize]") {
  bucket_layout const layout(50, 7);
  auto const kept = chosen(layout, 2, 60);
  alike_on_both_engines([&](lockstep::engine by) { return concentrated(kept, layout, by); });
}

TEST_CASE("concentration and distribution refuse what does not fit", "[random_access]") {
  bucket_layout const layout(4, 2);
  CHECK(refused_on(2,
                   [&](processor& me) {
                     auto const mine = letters(0, 3);
                     return concentrate_elements(me, layout, std::span(mine)).size();
                   }) ==
        "processor 1 has 3 elements behind 3 of lower ranks, for 4 addresses; take a layout of as "
        "many as there are elements");
  auto const refusal = [&](std::vector<pointers> const& to) {
    return refused_on(2, [&](processor& me) {
      auto const values = letters(0, 2);
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
