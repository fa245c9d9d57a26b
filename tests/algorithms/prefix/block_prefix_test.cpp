#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "index.hpp"
#include "prefix/prefix_samples.hpp"

using lockstep::block_prefix;
using lockstep::even_block;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::monoid;
using lockstep::prefix_kind;
using lockstep::processor;

/// What is left of a text: its length, its first and its last four letters.
struct ends {
  std::array<char, 4> first{};
  std::array<char, 4> last{};
  std::uint32_t length = 0;

  friend bool operator==(ends const&, ends const&) = default;
};

namespace {

ends ends_of(std::string const& text) {
  ends of{.length = static_cast<std::uint32_t>(text.size())};
  auto const kept = std::min<std::size_t>(text.size(), 4);
  std::copy_n(text.begin(), kept, of.first.begin());
  std::copy_n(text.end() - static_cast<std::ptrdiff_t>(kept), kept, of.last.begin());
  return of;
}

/// The ends of two texts, one behind the other; the empty text is not among its operands.
struct behind_each_other {
  ends operator()(ends const& a, ends const& b) const {
    if (a.length == 0 || b.length == 0) return ends_of("nothing to join");
    auto const letters = [](std::array<char, 4> const& kept, ends const& of) {
      return std::string(kept.data(), std::min<std::size_t>(of.length, 4));
    };
    auto joined = ends_of(letters(a.first, a) + letters(b.first, b));
    joined.last = ends_of(letters(a.last, a) + letters(b.last, b)).last;
    joined.length = a.length + b.length;
    return joined;
  }
};

/// Texts of one to three letters.
std::vector<std::string> random_texts(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> texts(count);
  for (auto& each : texts)
    for (auto left = 1 + random() % 3; left > 0; --left)
      each += static_cast<char>('a' + random() % 26);
  return texts;
}

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

std::vector<std::string> networks(int largest) {
  std::vector<std::string> all;
  for (auto const* const network : {"tree:", "hypercube:", "shuffle-exchange:"})
    for (int d = 1; d <= largest; ++d) all.push_back(network + std::to_string(d));
  return all;
}

std::vector<int> sizes_for(int processors) {
  std::vector<int> sizes{0, 1, processors - 1, processors, processors + 1, 1000};
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

void check_claims(machine const& on, lockstep::counts const& counted) {
  for (auto const& claimed : lockstep::prefix_claims(on.topology(), 1)) {
    INFO(claimed.figure << " = " << claimed.formula << " = " << claimed.value() << ", measured "
                        << metric_value(counted, claimed.figure));
    CHECK(holds(claimed, counted));
  }
}

/// All kinds of products of `count` matrices.
void check_matrices(machine const& on, int count) {
  auto const matrices = random_matrices(count, 17);
  monoid const product{matrix2{}, std::multiplies<matrix2>{}};
  for (auto const kind : all_prefix_kinds) {
    auto const run = on.run(
        [&](processor& me) { return block_prefix(me, product, evenly(matrices, me), kind); });
    INFO(on.topology().spec() << ", " << count << " matrices, kind " << static_cast<int>(kind));
    CHECK((joined(run.results()) == scanned(matrices, kind)));
    check_claims(on, run.counts());
  }
}

/// The ends of all prefixes of texts, as std::string has them.
std::vector<std::optional<ends>> expected_ends(std::vector<std::string> const& texts,
                                               prefix_kind kind) {
  std::vector<std::optional<ends>> expected;
  for (auto const& text : scanned(texts, kind, std::string(), std::plus<std::string>{}))
    expected.push_back(text.empty() ? std::nullopt : std::optional(ends_of(text)));
  return expected;
}

/// All kinds of prefixes of `count` texts, by an operator without identity.
void check_texts(machine const& on, int count) {
  auto const texts = random_texts(index(count), 23);
  std::vector<ends> values(texts.size());
  std::ranges::transform(texts, values.begin(), ends_of);
  for (auto const kind : all_prefix_kinds) {
    auto const run = on.run([&](processor& me) {
      return block_prefix(me, behind_each_other{}, evenly(values, me), kind);
    });
    INFO(on.topology().spec() << ", " << count << " texts, kind " << static_cast<int>(kind));
    CHECK((joined(run.results()) == expected_ends(texts, kind)));
    check_claims(on, run.counts());
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

TEST_CASE("a prefix of blocks of matrices, on all networks", "[prefix]") {
  for (auto const& spec : networks(6)) {
    machine const on{lockstep::parse(spec), {.strict = !spec.starts_with("tree"), .workers = 1}};
    for (int const count : sizes_for(on.size())) check_matrices(on, count);
  }
}

TEST_CASE("a prefix of blocks of texts, by an operator without identity", "[prefix]") {
  for (auto const& spec : networks(6)) {
    machine const on{lockstep::parse(spec), {.strict = !spec.starts_with("tree"), .workers = 1}};
    for (int const count : sizes_for(on.size())) check_texts(on, count);
  }
}

TEST_CASE("a prefix of blocks on processors that are threads", "[prefix]") {
  for (auto const& spec : networks(6)) {
    machine const on{lockstep::parse(spec), {.engine = lockstep::engine::threads}};
    for (int const count : sizes_for(on.size())) {
      check_matrices(on, count);
      check_texts(on, count);
    }
  }
}

TEST_CASE("a prefix of a few blocks on processors that are threads", "[prefix][threads]") {
  for (auto const* const spec : {"tree:3", "hypercube:3", "shuffle-exchange:3"}) {
    machine const on{lockstep::parse(spec), {.engine = lockstep::engine::threads}};
    for (int const count : {0, 3, 100}) {
      check_matrices(on, count);
      check_texts(on, count);
    }
  }
}

TEST_CASE("a prefix of a few blocks, empty ones among them", "[prefix][sanitize]") {
  for (auto const* const spec : {"tree:3", "hypercube:3", "shuffle-exchange:3"}) {
    machine const on{lockstep::parse(spec), {.workers = 1}};
    for (int const count : {0, 3, 100}) {
      check_matrices(on, count);
      check_texts(on, count);
    }
  }
}

TEST_CASE("blocks of any sizes will do", "[prefix]") {
  std::mt19937 random(31);
  auto const texts = random_texts(200, 37);
  for (auto const& spec : networks(5)) {
    machine const on{lockstep::parse(spec), {.workers = 1}};
    std::vector<std::vector<ends>> blocks(index(on.size()));
    std::vector<int> owners(texts.size());
    for (auto& each : owners) each = static_cast<int>(random() % index(on.size()) / 2 * 2);
    std::ranges::sort(owners);
    for (std::size_t i = 0; i < texts.size(); ++i)
      blocks[index(owners[i])].push_back(ends_of(texts[i]));
    for (auto const kind : all_prefix_kinds) {
      auto const run = on.run([&](processor& me) {
        return block_prefix<ends>(me, behind_each_other{}, blocks[index(me.rank())], kind);
      });
      INFO(spec << ", kind " << static_cast<int>(kind));
      CHECK((joined(run.results()) == expected_ends(texts, kind)));
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

TEST_CASE("there is no prefix of blocks on other networks", "[prefix]") {
  machine const on{lockstep::crossbar{4}};
  CHECK_THROWS_WITH(on.run([](processor& me) {
    return block_prefix(me, monoid{0, std::plus<int>{}}, std::vector<int>(3));
  }),
                    has_text("crossbar:4") && has_text("hypercube:4"));
}
