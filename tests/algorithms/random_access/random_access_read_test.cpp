#include <lockstep/algorithms/random_access/random_access_read.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/vector_options.hpp>

#include "catch.hpp"
#include "random_access/access_samples.hpp"
#include "random_access/sequential_memory.hpp"

using lockstep::random_access_read;
using lockstep::random_access_read_options;
using lockstep::read_variant;

namespace {

constexpr read_variant variants_of_reads[] = {read_variant::requested, read_variant::whole_buckets,
                                              read_variant::weighted, read_variant::hybrid,
                                              read_variant::automatic};

/// Word j of the value at an address.
int word_at(std::size_t address, std::size_t j) { return static_cast<int>(1000 * address + j) + 7; }

std::vector<int> values_at(std::span<std::size_t const> from, std::size_t words) {
  return lockstep::read_in_turn<int>(from, words, word_at);
}

std::vector<int> block_of_array(bucket_layout const& layout, int rank, std::size_t words) {
  pointers addresses(layout.size_of(rank));
  std::iota(addresses.begin(), addresses.end(), layout.first_of(rank));
  return values_at(addresses, words);
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

/// Reads, and compares with a sequential memory.
auto checked_read(pointers const& from, bucket_layout const& layout,
                  random_access_read_options const& options,
                  lockstep::engine engine = lockstep::engine::fibers) {
  INFO(name_of(options.variant) << ", p = " << layout.processors() << ", n = " << layout.elements()
                                << ", k = " << layout.buckets_each()
                                << ", m = " << options.elements_each);
  auto run = values_read(from, layout, options, engine);
  std::vector<int> found;
  for (auto const& [values, record] : run.results()) {
    found.insert(found.end(), values.begin(), values.end());
    CHECK(record == run.results().front().record);
  }
  CHECK(found == values_at(from, options.elements_each));
  if (options.variant != read_variant::automatic)
    CHECK(run.results().front().record.variant == options.variant);
  return run;
}

}  // namespace

TEST_CASE("Figure 4 as a read of 4 words costs what was worked out by hand", "[random_access]") {
  bucket_layout const layout(32, 4, 2);
  auto const from = generated_pointers(access_pattern::figure_4, layout, 1);
  auto const counted = [&](read_variant variant) {
    return checked_read(from, layout, {.variant = variant, .elements_each = 4});
  };
  auto const first = counted(read_variant::requested);
  CHECK(first.counts().startups == 32);
  CHECK(first.counts().words == 174);
  CHECK(parts_of(first) == parts{{"combine bucket hits", {4, 12}},
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
  auto const words_of = [&](char const* phase) { return phases_named(of_4_words, phase).words; };
  CHECK(words_of("sends") + words_of("stage 1") + words_of("stage 2") ==
        17760);  // and (3m + 2)n/p = 3584
  for (auto const variant : {read_variant::requested, read_variant::hybrid}) {
    auto const kept = values_read(from, layout, {.variant = variant});
    CHECK(port_words_of_sends(kept) <= 320);
  }
  auto const weighted = values_read(from, layout, {.variant = read_variant::weighted});
  CHECK(port_words_of_sends(weighted) <= 2 * 256 + 64);
}

TEST_CASE("a random access read is that of a sequential memory, for all variants and sizes",
          "[random_access]") {
  auto const variant =
      GENERATE(from_range(std::begin(variants_of_reads), std::end(variants_of_reads)));
  std::uint64_t run = 0;
  for (int p = 1; p <= 17; ++p)
    for (int const n : {0, 1, p - 1, p, 3 * p + 2})
      for (auto const pattern : patterns) {
        ++run;
        auto const block = bucket_layout(static_cast<std::size_t>(n), p).block_size();
        auto const k = 1 + run % std::max<std::size_t>(block, 1);
        auto const dots = static_cast<int>(run % 4) * 33;
        bucket_layout const layout(static_cast<std::size_t>(n), p, k);
        INFO(name_of(pattern) << ", dots " << dots);
        checked_read(generated_pointers(pattern, layout, run, dots), layout,
                     {.variant = variant, .elements_each = 1 + run % 3});
      }
}

TEST_CASE("a random access read of more elements, for each k", "[random_access]") {
  for (auto const variant : variants_of_reads)
    for (int const p : {4, 8, 16})
      for (auto const pattern : patterns)
        for (std::size_t const k : {1U, 2U, 5U, 32U}) {
          bucket_layout const layout(32 * static_cast<std::size_t>(p), p, k);
          INFO(name_of(pattern));
          checked_read(generated_pointers(pattern, layout, 11), layout, {.variant = variant});
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
      INFO("seed " << seed);
      checked_read(from, layout, {.variant = variant, .elements_each = 1 + below(4)});
    }
  }
}

TEST_CASE("a random access read of one pointer, from anywhere to anywhere", "[random_access]") {
  bucket_layout const layout(10, 4, 2);
  for_each_single_pointer(10, [&](pointers const& from) {
    for (auto const variant : variants_of_reads) checked_read(from, layout, {.variant = variant});
  });
}

TEST_CASE("a random access read whose requests go straight in one stage", "[random_access]") {
  bucket_layout const layout(60, 5, 3);
  for (auto const variant : variants_of_reads)
    for (auto const pattern : patterns) {
      INFO(name_of(pattern));
      checked_read(generated_pointers(pattern, layout, 2), layout,
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

three_words three_at(std::size_t address, std::size_t /*word*/) {
  return {word_at(address, 0), word_at(address, 1), word_at(address, 2)};
}

}  // namespace

TEST_CASE("a type of several words costs what as many elements cost, but that it is not cut",
          "[random_access]") {
  std::size_t partial_buckets = 0;
  for (int const p : {4, 5, 8})
    for (auto const pattern : patterns)
      for (auto const variant : {read_variant::requested, read_variant::whole_buckets,
                                 read_variant::weighted, read_variant::hybrid}) {
        bucket_layout const layout(6 * static_cast<std::size_t>(p), p, 2);  // s = 3
        auto const from = generated_pointers(pattern, layout, 3);
        auto const run = strict_crossbar_of(p).run([&](processor& me) {
          std::vector<three_words> block;
          for (auto a = layout.first_of(me.rank()); a < layout.first_of(me.rank() + 1); ++a)
            block.push_back(three_at(a, 0));
          return random_access_read(me, layout, block_of(from, layout, me.rank()),
                                    std::span<three_words const>(block), {.variant = variant});
        });
        INFO(name_of(variant) << ", " << name_of(pattern) << ", p = " << p);
        for (int rank = 0; rank < p; ++rank) {
          auto const mine = block_of(from, layout, rank);
          CHECK((run.results()[static_cast<std::size_t>(rank)].values ==
                 lockstep::read_in_turn<three_words>(mine, 1, three_at)));
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
    CHECK(checked_read(from, layout, options).counts() ==
          checked_read(from, layout, options, lockstep::engine::threads).counts());
  }
}

TEST_CASE("the cheapest read is the first of the prices, and costs no more than it says",
          "[random_access]") {
  for (auto const pattern : patterns)
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
          INFO(name_of(price.variant));
          CHECK(alone.counts().startups <= price.startups);
          CHECK(port_words_from(alone, 0) <= price.words);
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

TEST_CASE("a random access read refuses what it cannot do", "[random_access]") {
  bucket_layout const layout(8, 2);
  auto const refusal = [&](pointers const& from, std::size_t block,
                           random_access_read_options const& options, bucket_layout const& on) {
    return refused_on(2, [&](processor& me) {
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
