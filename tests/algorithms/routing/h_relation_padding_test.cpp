#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>

#include "catch.hpp"
#include "routing/h_relation_samples.hpp"

using lockstep::block_format;
using lockstep::block_rule;
using lockstep::h_limits;
using lockstep::processor;

namespace {

/// Counts as three words.
struct three_words {
  double value = 0;
  std::uint8_t home = 0;

  friend bool operator==(three_words const&, three_words const&) = default;
};

}  // namespace

template <>
inline constexpr std::uint64_t lockstep::words_of<three_words> = 3;

namespace {

h_limits limits_of(parcels const& all) {
  h_limits limits;
  for (auto const& sent : all) limits.sent = std::max<std::uint64_t>(limits.sent, sent.size());
  for (auto const& received : lockstep::by_destination(all))
    limits.received = std::max<std::uint64_t>(limits.received, received.size());
  return limits;
}

auto in_blocks(block_format const& blocks) {
  return [blocks](processor& me, std::span<parcel const> mine) {
    return h_relation(me, mine, &parcel::home, blocks);
  };
}

}  // namespace

TEST_CASE(
    "padded blocks carry the same elements in the same order, in words that the input does not "
    "change") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  auto const rule = GENERATE(block_rule::bound, block_rule::text, block_rule::exact);
  for (auto const& all : sampled_parcels(p, 2 * p)) {
    block_format const blocks{rule, limits_of(all)};
    auto const padded = run_routing(all, in_blocks(blocks));
    auto const plain = run_routing(all, in_blocks({.rule = block_rule::real}));
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      CHECK(padded.results()[rank].elements == plain.results()[rank].elements);
    auto const slots = blocks_of(rule, blocks.limits, p);
    auto const others = static_cast<std::uint64_t>(p - 1);
    CHECK(padded.counts().words == others * (slots.out + slots.through));
    CHECK(padded.counts().rounds == 2 * others);
    CHECK(padded.counts().startups == (p == 1 || slots.out + slots.through == 0 ? 0 : 2));
    CHECK(padded.counts().queued == 0);
    CHECK(plain.counts().words <= padded.counts().words);
  }
}

TEST_CASE("blocks have the sizes of their rule") {
  h_limits const limits{.sent = 64, .received = 128};  // p = 8: 8 + 3.5 and 16 + 3.5
  auto const sizes = [&](block_rule rule) {
    auto const slots = blocks_of(rule, limits, 8);
    return std::vector{slots.out, slots.through};
  };
  CHECK(sizes(block_rule::real) == std::vector<std::uint64_t>{0, 0});
  CHECK(sizes(block_rule::bound) == std::vector<std::uint64_t>{12, 20});
  CHECK(sizes(block_rule::text) == std::vector<std::uint64_t>{12, 20});
  CHECK(sizes(block_rule::appendix) == std::vector<std::uint64_t>{13, 20});
  CHECK(sizes(block_rule::exact) == std::vector<std::uint64_t>{12, 20});
  CHECK(blocks_of(block_rule::exact, {64, 64}, 64).out == 11);  // where the bound says 32 + 1
  CHECK(blocks_of(block_rule::bound, {9, 9}, 3).out == 5);
  CHECK(blocks_of(block_rule::appendix, {9, 9}, 3).through == 4);
}

TEST_CASE("padded blocks carry elements of any size, in the words of their type") {
  constexpr int p = 3;
  lockstep::machine const machine(lockstep::crossbar{p}, {.strict = true, .workers = 1});
  h_limits const limits{.sent = 9, .received = 9};
  for (auto const rule : {block_rule::bound, block_rule::text}) {
    auto const slots = blocks_of(rule, limits, p);
    auto const small = machine.run([&](processor& me) {
      std::vector<std::uint8_t> const mine{0, 1, 2, 0, 1, 2, 0, 1, 2};  // smaller than a number
      return h_relation(me, std::span(mine), std::identity{}, {rule, limits}).elements;
    });
    CHECK(small.results()[1] == std::vector<std::uint8_t>(9, 1));
    CHECK(small.counts().words == 2 * (slots.out + slots.through));
    auto const large = machine.run([&](processor& me) {
      std::vector<three_words> const mine(
          9, {0.5 + me.rank(), static_cast<std::uint8_t>((me.rank() + 1) % p)});
      return h_relation(me, std::span(mine), &three_words::home, {rule, limits}).elements;
    });
    CHECK(large.results()[0] == std::vector<three_words>(9, {2.5, 0}));
    CHECK(large.counts().words == 6 * (slots.out + slots.through));
  }
}

TEST_CASE("a bin that does not fit in its block is refused before it is sent") {
  auto const refusal = [](parcels const& all, block_format const& blocks) {
    return refusal_to_route(all, in_blocks(blocks));
  };
  auto const long_row = parcels_of({{4, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  CHECK(refusal(long_row, {block_rule::bound, {4, 4}}) == "not refused");
  CHECK(refusal(long_row, {block_rule::bound, {1, 4}}) ==
        "h_relation: bin 0 of processor 0 in Step (2) has 2 elements, and a block \"bound\" of 2 "
        "slots has room for 1, by the limit on elements sent; raise the limits to what is sent and "
        "received");
  // All bins of processor 0 have four elements, and there is room for three.
  auto const tight = parcels_of({{7, 0, 2}, {0, 2, 7}, {2, 7, 0}});
  CHECK(limits_of(tight).received == 9);
  CHECK(refusal(tight, {block_rule::bound, {9, 9}}) == "not refused");
  CHECK(refusal(tight, {block_rule::text, {9, 9}}) == "not refused");
  CHECK(
      refusal(tight, {block_rule::appendix, {9, 9}}) ==
      "h_relation: bin 0 of processor 0 in Step (4) has 4 elements, and a block \"appendix\" of 4 "
      "slots has room for 3, by the limit on elements received; take the blocks \"bound\", in "
      "which every bin fits");
  CHECK(refusal(tight, {block_rule::exact, {9, 8}}) ==
        "h_relation: bin 0 of processor 0 in Step (4) has 4 elements, and a block \"exact\" of 4 "
        "slots has room for 3, by the limit on elements received; raise the limits to what is sent "
        "and received");
}
