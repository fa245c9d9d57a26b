#include <lockstep/algorithms/random_access/random_access_read.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/algorithms/random_access/vector_options.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "random_access/access_samples.hpp"

using lockstep::access_pattern;
using lockstep::bucket_layout;
using lockstep::no_pointer;
using lockstep::processor;
using lockstep::random_access_read;
using lockstep::random_access_read_options;
using lockstep::read_variant;

namespace {

using pointers = std::vector<std::size_t>;

constexpr read_variant variants_of_reads[] = {read_variant::requested, read_variant::whole_buckets,
                                              read_variant::weighted, read_variant::hybrid,
                                              read_variant::automatic};
constexpr access_pattern patterns_that_are_read[] = {
    access_pattern::random,  access_pattern::monotonic, access_pattern::one_hot,
    access_pattern::few_hot, access_pattern::local,     access_pattern::permutation,
    access_pattern::singles};

/// Word j of the value at an address.
int word_at(std::size_t address, std::size_t j) { return static_cast<int>(1000 * address + j) + 7; }

std::vector<int> block_of_array(bucket_layout const& layout, int rank, std::size_t words) {
  std::vector<int> block;
  for (auto a = layout.first_of(rank); a < layout.first_of(rank + 1); ++a)
    for (std::size_t j = 0; j < words; ++j) block.push_back(word_at(a, j));
  return block;
}

auto values_read(pointers const& from, bucket_layout const& layout,
                 random_access_read_options const& options,
                 lockstep::engine engine = lockstep::engine::fibers) {
  return strict_crossbar_of(layout.processors(), engine).run([&](processor& me) {
    auto const block = block_of_array(layout, me.rank(), options.elements_each);
    return random_access_read(me, layout, block_of(from, layout, me.rank()), std::span(block),
                              options);
  });
}

/// A plain loop over the pointers.
std::vector<int> values_at(pointers const& from, std::size_t words) {
  std::vector<int> values;
  for (auto const address : from)
    for (std::size_t j = 0; j < words; ++j)
      values.push_back(address == no_pointer ? 0 : word_at(address, j));
  return values;
}

template <class Run>
std::vector<int> all_values(Run const& run) {
  std::vector<std::vector<int>> blocks;
  for (auto const& of_one : run.results()) blocks.push_back(of_one.values);
  return joined_blocks(blocks);
}

void check_read(pointers const& from, bucket_layout const& layout,
                random_access_read_options const& options) {
  auto const run = values_read(from, layout, options);
  CHECK(all_values(run) == values_at(from, options.elements_each));
  for (auto const& of_one : run.results()) CHECK(of_one.record == run.results().front().record);
  if (options.variant != read_variant::automatic)
    CHECK(run.results().front().record.variant == options.variant);
}

std::vector<std::pair<std::string, std::pair<std::uint64_t, std::uint64_t>>> phases_of(
    lockstep::run_record const& run) {
  std::vector<std::pair<std::string, std::pair<std::uint64_t, std::uint64_t>>> phases;
  for (auto const& phase : run.phases())
    phases.push_back({phase.name, {phase.startups, phase.words}});
  return phases;
}

}  // namespace

TEST_CASE("Figure 4 as a read of 4 words costs what was worked out by hand", "[random_access]") {
  bucket_layout const layout(32, 4, 2);
  auto const from = generated_pointers(access_pattern::figure_4, layout, 1);
  auto const counted = [&](read_variant variant) {
    return values_read(from, layout, {.variant = variant, .elements_each = 4});
  };
  auto const first = counted(read_variant::requested);
  CHECK(first.counts().startups == 32);
  CHECK(first.counts().words == 174);
  CHECK(phases_of(first) == decltype(phases_of(first)){{"combine bucket hits", {4, 12}},
                                                       {"scan bucket hits", {4, 12}},
                                                       {"stage 1", {3, 6}},
                                                       {"stage 2", {3, 10}},
                                                       {"segmented scan", {4, 6}},
                                                       {"one to one", {1, 4}},
                                                       {"sends", {1, 4}},
                                                       {"sends", {1, 16}},
                                                       {"one to one", {1, 16}},
                                                       {"segmented scan", {4, 24}},
                                                       {"stage 2", {3, 40}},
                                                       {"stage 1", {3, 24}}});
  CHECK(first.results().front().record.full_buckets == 5);
  CHECK(first.results().front().record.partial_buckets == 3);
  CHECK(first.results().front().record.largest_bucket == 7);
  CHECK(first.results().front().record.stage_2_steps == 1);
  auto const second = counted(read_variant::whole_buckets);
  CHECK(second.counts().startups == 26);
  CHECK(second.counts().words == 160);
  auto const hybrid = counted(read_variant::hybrid);
  CHECK(hybrid.counts().startups == 25);
  CHECK(hybrid.counts().words == 124);
}

TEST_CASE("whole buckets bring more to one processor than is claimed, erratum 3",
          "[random_access]") {
  bucket_layout const layout(4096, 16, 4);
  auto const from = generated_pointers(access_pattern::singles, layout, 1);
  auto const run = values_read(from, layout, {.variant = read_variant::whole_buckets});
  auto const port_words_of_sends = [](lockstep::run_record const& of) {
    std::uint64_t most = 0;
    for (auto const& phase : of.phases())
      if (phase.name == "sends") most = std::max(most, phase.port_words);
    return most;
  };
  CHECK(port_words_of_sends(run) == 3840);  // and n/p + n/(kp) = 320
  auto const of_4_words =
      values_read(from, layout, {.variant = read_variant::whole_buckets, .elements_each = 4});
  std::uint64_t words_of_stages = 0;
  for (auto const& phase : of_4_words.phases())
    if (phase.name == "sends" || phase.name.starts_with("stage")) words_of_stages += phase.words;
  CHECK(words_of_stages == 17760);  // and (3m + 2)n/p = 3584
  for (auto const variant : {read_variant::requested, read_variant::hybrid}) {
    auto const kept = values_read(from, layout, {.variant = variant});
    CHECK(port_words_of_sends(kept) <= 320);
  }
  auto const weighted = values_read(from, layout, {.variant = read_variant::weighted});
  CHECK(port_words_of_sends(weighted) <= 2 * 256 + 64);
}

TEST_CASE("a random access read is that of a loop, for all variants, patterns and sizes",
          "[random_access]") {
  auto const variant =
      GENERATE(read_variant::requested, read_variant::whole_buckets, read_variant::weighted,
               read_variant::hybrid, read_variant::automatic);
  std::uint64_t run = 0;
  for (int p = 1; p <= 17; ++p)
    for (int const n : {0, 1, p - 1, p, 3 * p + 2})
      for (auto const pattern : patterns_that_are_read) {
        ++run;
        auto const block = bucket_layout(static_cast<std::size_t>(n), p).block_size();
        auto const k = 1 + run % std::max<std::size_t>(block, 1);
        auto const dots = static_cast<int>(run % 4) * 33;
        bucket_layout const layout(static_cast<std::size_t>(n), p, k);
        INFO(name_of(variant) << ", p = " << p << ", n = " << n << ", k = " << k << ", "
                              << name_of(pattern) << ", dots " << dots << ", m = " << 1 + run % 3);
        check_read(generated_pointers(pattern, layout, run, dots), layout,
                   {.variant = variant, .elements_each = 1 + run % 3});
      }
}

TEST_CASE("a random access read of more elements, for each k", "[random_access]") {
  auto const variant =
      GENERATE(read_variant::requested, read_variant::whole_buckets, read_variant::weighted,
               read_variant::hybrid, read_variant::automatic);
  for (int const p : {4, 8, 16})
    for (auto const pattern : patterns_that_are_read)
      for (std::size_t const k : {1U, 2U, 5U, 32U}) {
        bucket_layout const layout(32 * static_cast<std::size_t>(p), p, k);
        INFO(name_of(variant) << ", p = " << p << ", k = " << k << ", " << name_of(pattern));
        check_read(generated_pointers(pattern, layout, 11), layout, {.variant = variant});
      }
}

TEST_CASE("random access reads of random pointers, hot spots, k and m", "[random_access]") {
  for (std::uint32_t seed = 1; seed <= 120; ++seed) {
    std::mt19937 random(seed);
    auto const below = [&](std::size_t bound) {
      return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
    };
    auto const p = static_cast<int>(1 + below(12));
    auto const n = below(90);
    auto const block = bucket_layout(n, p).block_size();
    bucket_layout const layout(n, p, 1 + below(std::max<std::size_t>(block, 1)));
    auto const hot = below(std::max<std::size_t>(n, 1));
    auto const hot_of_10 = below(11);
    pointers from(n, no_pointer);
    for (auto& pointer : from)
      if (below(8) != 0) pointer = below(10) < hot_of_10 ? hot : below(n);
    for (auto const variant : variants_of_reads) {
      INFO("seed " << seed << ", p = " << p << ", n = " << n << ", " << name_of(variant));
      check_read(from, layout, {.variant = variant, .elements_each = 1 + below(4)});
    }
  }
}

TEST_CASE("a random access read of one pointer, from anywhere to anywhere", "[random_access]") {
  auto const variant =
      GENERATE(read_variant::requested, read_variant::whole_buckets, read_variant::weighted,
               read_variant::hybrid, read_variant::automatic);
  bucket_layout const layout(10, 4, 2);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t a = 0; a < 10; ++a) {
      pointers from(10, no_pointer);
      from[i] = a;
      INFO(name_of(variant) << ": " << i << " from " << a);
      check_read(from, layout, {.variant = variant});
    }
}

TEST_CASE("a random access read whose requests go straight in one stage", "[random_access]") {
  bucket_layout const layout(60, 5, 3);
  for (auto const variant : variants_of_reads)
    for (auto const pattern : patterns_that_are_read) {
      INFO(name_of(variant) << ", " << name_of(pattern));
      check_read(generated_pointers(pattern, layout, 2), layout,
                 {.variant = variant,
                  .elements_each = 2,
                  .stage_1 = lockstep::transportation_route::direct});
    }
}

TEST_CASE("processors read as many values as they like", "[random_access]") {
  bucket_layout const layout(12, 4, 2);
  for (auto const variant : variants_of_reads) {
    auto const run = strict_crossbar_of(4).run([&](processor& me) {
      pointers const mine(me.rank() == 2 ? 50U : 0U, 7);
      auto const block = block_of_array(layout, me.rank(), 1);
      return random_access_read(me, layout, mine, std::span(block), {.variant = variant}).values;
    });
    INFO(name_of(variant));
    CHECK(run.results()[2] == std::vector<int>(50, word_at(7, 0)));
    CHECK(run.results()[1].empty());
  }
}

namespace {

struct three_words {
  std::int64_t a = 0, b = 0, c = 0;
  friend bool operator==(three_words const&, three_words const&) = default;
};

}  // namespace

template <>
inline constexpr std::uint64_t lockstep::words_of<three_words> = 3;

namespace {

/// The words of the scan that copies answers, the last of that name, of vectors that a fold cuts.
std::uint64_t words_of_copy_scan(lockstep::run_record const& run) {
  std::uint64_t words = 0;
  for (auto const& phase : run.phases())
    if (phase.name == "segmented scan") words = phase.words;
  return words;
}

std::uint64_t words_of_fold(int p, std::size_t length) {
  return vector_counts_of(lockstep::vector_method::fold, p, length, 2).words;
}

}  // namespace

TEST_CASE("a type of several words costs what as many elements cost, but that it is not cut",
          "[random_access]") {
  std::size_t partial_buckets = 0;
  for (int const p : {4, 5, 8})
    for (auto const pattern : patterns_that_are_read)
      for (auto const variant : {read_variant::requested, read_variant::whole_buckets,
                                 read_variant::weighted, read_variant::hybrid}) {
        bucket_layout const layout(6 * static_cast<std::size_t>(p), p, 2);  // s = 3
        auto const from = generated_pointers(pattern, layout, 3);
        auto const run = strict_crossbar_of(p).run([&](processor& me) {
          std::vector<three_words> block;
          for (auto a = layout.first_of(me.rank()); a < layout.first_of(me.rank() + 1); ++a)
            block.push_back({word_at(a, 0), word_at(a, 1), word_at(a, 2)});
          return random_access_read(me, layout, block_of(from, layout, me.rank()),
                                    std::span<three_words const>(block), {.variant = variant});
        });
        INFO(name_of(variant) << ", " << name_of(pattern) << ", p = " << p);
        for (int rank = 0; rank < p; ++rank) {
          auto const mine = block_of(from, layout, rank);
          auto const& values = run.results()[static_cast<std::size_t>(rank)].values;
          REQUIRE(values.size() == mine.size());
          for (std::size_t i = 0; i < mine.size(); ++i)
            CHECK(values[i] ==
                  three_words{word_at(mine[i], 0), word_at(mine[i], 1), word_at(mine[i], 2)});
        }
        auto const elements = values_read(from, layout, {.variant = variant, .elements_each = 3});
        auto const uncut = run.results().front().record.partial_buckets > 0
                               ? 3 * words_of_fold(p, 3) - words_of_fold(p, 3 * 3)
                               : 0;
        CHECK(run.counts().words == elements.counts().words + uncut);
        CHECK(words_of_copy_scan(run) == words_of_copy_scan(elements) + uncut);
        CHECK(run.counts().startups == elements.counts().startups);
        partial_buckets += run.results().front().record.partial_buckets;
      }
  CHECK(partial_buckets > 0);
}

TEST_CASE("the scan that copies answers cuts cells of m words between their words",
          "[random_access]") {
  bucket_layout const layout(24, 4, 2);  // s = 3: 15 words, cut into at most 8, then 4
  pointers const from(24, 9);
  auto const run =
      values_read(from, layout, {.variant = read_variant::whole_buckets, .elements_each = 5});
  CHECK(words_of_copy_scan(run) == 2 * (8 + 4));
}

TEST_CASE("the scan that copies answers of m words is that of a vector of m s words",
          "[random_access]") {
  std::size_t scans = 0;
  for (int const p : {2, 3, 8, 16})
    for (std::size_t const s : {1U, 2U, 5U})
      for (std::size_t const m : {1U, 2U, 4U, 7U})
        for (auto const variant : variants_of_reads) {
          bucket_layout const layout(2 * s * static_cast<std::size_t>(p), p, 2);
          pointers const from(layout.elements(), layout.elements() / 2);
          auto const run = values_read(from, layout, {.variant = variant, .elements_each = m});
          if (run.results().front().record.partial_buckets == 0) continue;
          INFO(name_of(variant) << ", p = " << p << ", s = " << s << ", m = " << m);
          CHECK(words_of_copy_scan(run) == words_of_fold(p, m * s));
          ++scans;
        }
  CHECK(scans > 200);
}

TEST_CASE("a random access read counts alike on both engines",
          "[random_access][threads][sanitize]") {
  bucket_layout const layout(70, 7, 3);
  auto const from = generated_pointers(access_pattern::few_hot, layout, 5, 10);
  for (auto const variant : variants_of_reads) {
    random_access_read_options const options{.variant = variant, .elements_each = 2};
    auto const on_fibers = values_read(from, layout, options);
    auto const on_threads = values_read(from, layout, options, lockstep::engine::threads);
    INFO(name_of(variant));
    CHECK(on_fibers.counts() == on_threads.counts());
    CHECK(all_values(on_threads) == values_at(from, 2));
  }
}

TEST_CASE("the cheapest read is the first of the prices, and costs no more than it says",
          "[random_access]") {
  for (auto const pattern : patterns_that_are_read)
    for (std::size_t const words : {1U, 8U})
      for (std::uint64_t const startup : {0U, 1000U}) {
        bucket_layout const layout(1024, 8, 4);
        auto const run = values_read(
            generated_pointers(pattern, layout, 4), layout,
            {.variant = read_variant::automatic, .elements_each = words, .startup_words = startup});
        auto const& record = run.results().front().record;
        INFO(name_of(pattern) << ", m = " << words);
        REQUIRE(record.prices.size() == 4);
        CHECK(record.variant == record.prices.front().variant);
        CHECK(std::ranges::is_sorted(record.prices, {}, [&](lockstep::read_price const& price) {
          return price.in_words(startup);
        }));
        for (auto const& price : record.prices) {
          auto const alone = values_read(generated_pointers(pattern, layout, 4), layout,
                                         {.variant = price.variant, .elements_each = words});
          std::uint64_t port_words = 0;
          for (auto const& phase : alone.phases()) port_words += phase.port_words;
          INFO(name_of(price.variant));
          CHECK(alone.counts().startups <= price.startups);
          CHECK(port_words <= price.words);
        }
      }
}

TEST_CASE("the processors of a subset read an array of theirs", "[random_access]") {
  bucket_layout const layout(20, 5, 2);
  auto const from = generated_pointers(access_pattern::few_hot, layout, 2);
  for (auto const variant : variants_of_reads) {
    auto const run = strict_crossbar_of(6).run([&](processor& me) {
      if (me.rank() == 3) return std::vector<int>();
      auto group = me.subset(std::vector<int>{0, 1, 2, 4, 5});
      auto const block = block_of_array(layout, group.rank(), 1);
      return random_access_read(group, layout, block_of(from, layout, group.rank()),
                                std::span(block), {.variant = variant})
          .values;
    });
    INFO(name_of(variant));
    CHECK(joined_blocks(run.results()) == values_at(from, 1));
  }
}

TEST_CASE("the example of a random access read gives what it says", "[random_access]") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  bucket_layout const table(8, 4);
  auto const run = machine.run([&](processor& me) {
    std::vector<int> const squares{4 * me.rank() * me.rank(),
                                   (2 * me.rank() + 1) * (2 * me.rank() + 1)};
    pointers const from{7, 7, 2};
    return random_access_read(me, table, from, std::span(squares)).values;
  });
  CHECK(run.results()[0] == std::vector{49, 49, 4});
}

TEST_CASE("a random access read refuses what it cannot do", "[random_access]") {
  bucket_layout const layout(8, 2);
  auto const refusal = [&](pointers const& from, std::size_t block,
                           random_access_read_options const& options, bucket_layout const& on) {
    return refusal_of<lockstep::invalid_argument>(strict_crossbar_of(2), [&](processor& me) {
      std::vector<int> const array(block, 1);
      return random_access_read(me, on, from, std::span(array), options).values.size();
    });
  };
  CHECK(refusal({0, 8}, 4, {}, layout) ==
        "processor 0: pointer 1 is to address 8; there are 8 addresses, from 0 on, and no_pointer "
        "for none");
  CHECK(refusal({0}, 4, {.elements_each = 2}, layout) ==
        "processor 0 has 4 elements of the array; give 8");
  CHECK(refusal({0}, 0, {.elements_each = 0}, layout) ==
        "random access read: 0 elements at each address of the array; take 1 at least");
  CHECK(refusal({0}, 3, {}, bucket_layout(9, 3)) ==
        "a layout for 3 processors on 2: make it for as many as call");
  auto const beyond = static_cast<read_variant>(200);
  CHECK_THAT(refusal({0}, 4, {.variant = beyond}, layout),
             has_text("read_variant is 200: take one of read_variant::requested, "));
}
