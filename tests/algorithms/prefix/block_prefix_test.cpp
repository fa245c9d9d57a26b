#include <algorithm>
#include <cstddef>
#include <functional>
#include <random>
#include <set>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>

#include "catch.hpp"
#include "check_claims.hpp"
#include "index.hpp"
#include "prefix/prefix_samples.hpp"

using lockstep::block_prefix;
using lockstep::even_block;
using lockstep::machine;
using lockstep::monoid;
using lockstep::prefix_kind;
using lockstep::processor;

namespace {

/// The blocks of all processors, one behind the other.
template <class T>
std::vector<T> joined(std::vector<std::vector<T>> const& blocks) {
  std::vector<T> all;
  for (auto const& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}

template <class T>
std::span<T const> evenly(std::vector<T> const& values, processor const& me) {
  auto const [first, count] = even_block(values.size(), me.size(), me.rank());
  return std::span(values).subspan(first, count);
}

/// Stretches of one place each.
std::vector<stretch> places(int count) {
  std::vector<stretch> all;
  for (int place = 0; place < count; ++place) all.push_back({place, place});
  return all;
}

/// All kinds of prefixes of `count` values: of matrices, and by an operator without identity.
void check_blocks(machine const& on, int count) {
  auto const matrices = random_matrices(count, 17);
  auto const stretches = places(count);
  monoid const product{matrix2{}, std::multiplies<matrix2>{}};
  for (auto const kind : all_prefix_kinds) {
    INFO(on.topology().spec() << ", " << count << " values, kind " << static_cast<int>(kind));
    auto const products = on.run(
        [&](processor& me) { return block_prefix(me, product, evenly(matrices, me), kind); });
    CHECK((joined(products.results()) == scanned(matrices, kind)));
    auto const intervals = on.run([&](processor& me) {
      return block_prefix(me, join_stretches{}, evenly(stretches, me), kind);
    });
    CHECK((joined(intervals.results()) == joined_stretches(kind, count)));
    auto const claims = lockstep::prefix_claims(on.topology(), 1);
    reference::check_claims(claims, products.counts());
    reference::check_claims(claims, intervals.counts());
  }
}

}  // namespace

TEST_CASE("even blocks lie one behind the other and differ by one value at most", "[prefix]") {
  for (int const processors : {1, 2, 3, 7, 8, 64})
    for (std::size_t const values : {0U, 1U, 6U, 7U, 8U, 9U, 63U, 64U, 1000U}) {
      std::size_t next = 0;
      for (int rank = 0; rank < processors; ++rank) {
        auto const block = even_block(values, processors, rank);
        INFO(values << " values, processor " << rank << " of " << processors);
        CHECK(block.first == next);
        CHECK(block.count >= values / index(processors));
        CHECK(block.count <= (values + index(processors) - 1) / index(processors));
        for (auto i = block.first; i < block.first + block.count; ++i)
          CHECK(lockstep::rank_of_even_block(values, processors, i) == rank);
        next += block.count;
      }
      CHECK(next == values);
    }
}

TEST_CASE("a prefix of blocks, on all networks", "[prefix]") {
  for (auto const& network : prefix_networks(6))
    for (auto const by : {lockstep::engine::fibers, lockstep::engine::threads}) {
      auto const on = network.on({.engine = by, .workers = 1});
      for (int const count : std::set{0, 1, on.size() - 1, on.size(), on.size() + 1, 1000})
        check_blocks(on, count);
    }
}

TEST_CASE("a prefix of a few blocks, empty ones among them", "[prefix][sanitize][threads]") {
  for (auto const& network : prefix_networks(3, 3))
    for (auto const by : {lockstep::engine::fibers, lockstep::engine::threads})
      for (int const count : {0, 3, 100})
        check_blocks(network.on({.engine = by, .workers = 1}), count);
}

TEST_CASE("blocks of any sizes will do", "[prefix]") {
  std::mt19937 random(31);
  for (auto const& network : prefix_networks(5)) {
    auto const on = network.on({.workers = 1});
    std::vector<std::vector<stretch>> blocks(index(on.size()));
    std::vector<int> owners(200);  // every second processor has nothing
    for (auto& each : owners) each = static_cast<int>(random() % index(on.size()) / 2 * 2);
    std::ranges::sort(owners);
    for (auto const& place : places(200))
      blocks[index(owners[index(place.first)])].push_back(place);
    for (auto const kind : all_prefix_kinds) {
      auto const run = on.run([&](processor& me) {
        return block_prefix<stretch>(me, join_stretches{}, blocks[index(me.rank())], kind);
      });
      INFO(network.spec << ", kind " << static_cast<int>(kind));
      CHECK((joined(run.results()) == joined_stretches(kind, 200)));
      for (int rank = 0; rank < on.size(); ++rank)
        CHECK(run.results()[index(rank)].size() == blocks[index(rank)].size());
    }
  }
}

TEST_CASE("a million values on a thousand processors take ten steps", "[prefix]") {
  std::vector<long> const numbers(1'000'000, 3);
  machine const cube{lockstep::hypercube{10}, {.strict = true}};
  auto run = cube.run([&](processor& me) {
    auto const [first, count] = even_block(numbers.size(), me.size(), me.rank());
    return block_prefix(me, monoid{0L, std::plus<long>{}},
                        std::span(numbers).subspan(first, count));
  });
  CHECK(run.results()[1023].back() == 3'000'000);
  CHECK(run.counts().steps == 10);
  CHECK(run.counts().words == 10);
}

TEST_CASE("a prefix of blocks in a subcube", "[prefix][sanitize]") {
  machine const cube{lockstep::hypercube{4}, {.strict = true}};
  auto const matrices = random_matrices(22, 41);
  auto const run = cube.run([&](processor& me) {
    auto part = me.subset(lockstep::dimensions{{1, 2}});
    return block_prefix(part, monoid{matrix2{}, std::multiplies<matrix2>{}}, evenly(matrices, part),
                        prefix_kind::backward);
  });
  for (int const least : {0, 1, 8, 9}) {
    std::vector<std::vector<matrix2>> blocks;
    for (int const member : {0, 2, 4, 6}) blocks.push_back(run.results()[index(least + member)]);
    CHECK((joined(blocks) == scanned(matrices, prefix_kind::backward)));
  }
  CHECK(run.counts().steps == 2);
}
