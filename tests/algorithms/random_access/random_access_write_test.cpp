#include <lockstep/algorithms/random_access/random_access_write.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/transportation_traffic.hpp>

#include "catch.hpp"
#include "random_access/access_samples.hpp"
#include "random_access/plain_bucket_write.hpp"
#include "random_access/sequential_memory.hpp"

using lockstep::access_choice;
using lockstep::access_variant;
using lockstep::bucket_route;
using lockstep::extended;
using lockstep::random_access_options;
using lockstep::transportation_route;
using lockstep::written_in_turn;

namespace {

using some_letters = lockstep::sequential_cells<text_hash>;

/// The operator of all writes here, a function: letters are added where it has to commute.
auto& operator_for(random_access_options const& options) {
  return options.commutes ? added : concatenated;
}

random_access_options commuting(access_variant variant) {
  return {.variant = variant, .commutes = true};
}

auto run_of_writes(bucket_layout const& layout, pointers const& to,
                   random_access_options const& options,
                   lockstep::engine engine = lockstep::engine::fibers) {
  return strict_crossbar_of(layout.processors(), engine).run([&](processor& me) {
    auto const values = letters_of(layout, me.rank());
    return combined_writes(me, layout, block_of(to, layout, me.rank()), std::span(values),
                           operator_for(options), options);
  });
}

/// Writes, and compares with a sequential memory.
auto checked_writes(bucket_layout const& layout, pointers const& to,
                    random_access_options const& options,
                    lockstep::engine engine = lockstep::engine::fibers) {
  auto run = run_of_writes(layout, to, options, engine);
  some_letters found;
  for (int rank = 0; auto const& [cells, record] : run.results()) {
    REQUIRE(cells.size() == layout.size_of(rank++));
    for (auto const& cell : cells) found.push_back(cell.as_optional());
    CHECK(record == run.results().front().record);
  }
  CHECK((found ==
         written_in_turn(some_letters(layout.elements()), to, letter, operator_for(options))));
  return run;
}

std::uint64_t sum_of(std::vector<std::uint64_t> const& loads) {
  return std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
}

/// Compares every phase with the formulas, and with the loop over elements.
void check_counts(lockstep::run_record const& run, lockstep::random_access_record const& record,
                  plain_bucket_write const& plain, random_access_options const& options) {
  using lockstep::vector_method;
  auto const p = plain.layout.processors();
  auto const hits = lockstep::vector_counts_of(vector_method::fold, p, plain.layout.buckets(), 2);
  for (auto const* const name : {"combine bucket hits", "scan bucket hits"}) {
    CHECK(phases_named(run, name).startups == hits.startups);
    CHECK(phases_named(run, name).words == hits.words);
  }
  auto const loads = loads_of(plain.stage_1, p, options.stage_1);
  CHECK(phases_named(run, "stage 1").words == sum_of(loads.stage_1));
  CHECK(phases_named(run, "stage 2").words == sum_of(loads.stage_2));
  auto const cells = lockstep::vector_counts_of(
      vector_method::fold, p, plain.partial > 0 ? plain.layout.bucket_size() : 0, 2);
  CHECK(phases_named(run, "segmented scan").steps == (plain.partial > 0 ? 1 : 0));
  CHECK(phases_named(run, "segmented scan").startups == cells.startups);
  CHECK(phases_named(run, "segmented scan").words == cells.words);
  CHECK(phases_named(run, "one to one").startups == (plain.one_to_one ? 1 : 0));
  CHECK(phases_named(run, "one to one").words ==
        (plain.one_to_one ? plain.layout.bucket_size() : 0));
  CHECK(record.full_buckets == plain.full);
  CHECK(record.partial_buckets == plain.partial);
  CHECK(record.stage_2_steps == plain.q());
  if (options.stage_2 == bucket_route::transportation) return;
  auto const sends = phases_named(run, "sends");
  CHECK(sends.port_words == plain.stage_2_port_words());
  if (options.stage_2 == bucket_route::sends)
    CHECK(sends.startups == plain.q());
  else
    CHECK(sends.startups >= plain.q());
  CHECK(sends.startups <= static_cast<std::uint64_t>(p - 1));
}

/// The bounds of the page on all of it, for at most B elements on each processor.
void check_bounds(lockstep::run_record const& run, bucket_layout const& layout, bool is_plain) {
  auto const p = static_cast<std::uint64_t>(layout.processors());
  CHECK(run.counts().startups <= 3 * (p - 1) + 6 * logarithm_of(layout.processors()) + 1);
  if ((p & (p - 1)) != 0) return;
  CHECK(port_words_from(run, 0) <= (is_plain ? 4 : 3) * layout.block_size() + 4 * layout.buckets() +
                                       4 * layout.bucket_size() + p * (p - 1));
}

void check_by_buckets(bucket_layout const& layout, pointers const& to,
                      random_access_options const& options) {
  INFO(name_of(options.variant) << ", stage 1 " << name_of(options.stage_1) << ", stage 2 "
                                << name_of(options.stage_2));
  using enum access_variant;
  auto const form = options.variant == arbitrary ? plain_form::all
                    : options.variant == hybrid  ? plain_form::dense_levelled
                                                 : plain_form::dense_plain;
  auto const run = checked_writes(layout, to, options);
  check_counts(run, run.results()[0].record, {layout, to, form}, options);
  if (options.stage_2 != bucket_route::transportation)
    check_bounds(run, layout, options.variant == hybrid_plain);
}

/// All variants, and each way of the stages.
void check_all_variants(bucket_layout const& layout, pointers const& to) {
  using enum access_variant;
  for (auto const& options :
       {random_access_options{},
        {.stage_1 = transportation_route::direct, .stage_2 = bucket_route::linear},
        {.stage_2 = bucket_route::transportation},
        commuting(hybrid),
        commuting(hybrid_plain)})
    check_by_buckets(layout, to, options);
  for (auto const variant : {limited, automatic}) checked_writes(layout, to, {.variant = variant});
}

void check_patterns(int p, std::size_t n, int dots) {
  std::size_t const block = bucket_layout(n, p).block_size();
  for (std::size_t const k : {std::size_t{1}, std::size_t{2}, (block + 1) / 2, block}) {
    if (k < 1 || k > std::max<std::size_t>(block, 1)) continue;
    bucket_layout const layout(n, p, k);
    for (auto const pattern : patterns) {
      INFO("p = " << p << ", n = " << n << ", k = " << k << ", dots " << dots << ", "
                  << name_of(pattern));
      check_all_variants(layout, generated_pointers(pattern, layout, 3, dots));
    }
  }
}

bucket_layout const layout_of_figures(32, 4, 2);
pointers pointers_of_figure(access_pattern figure) {
  return generated_pointers(figure, layout_of_figures, 1);
}

}  // namespace

TEST_CASE("a random access write is that to a sequential memory, on few processors",
          "[random_access]") {
  int const p = GENERATE(1, 2, 3, 4, 5);
  auto const size = static_cast<std::size_t>(p);
  for (auto const n : {std::size_t{0}, std::size_t{1}, size - 1, size, 3 * size + 1, 7 * size - 1,
                       std::size_t{100}})
    for (int const dots : {0, 30}) check_patterns(p, n, dots);
}

TEST_CASE("a random access write is that to a sequential memory, on up to 17 processors",
          "[random_access]") {
  int const p = GENERATE(6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
  check_patterns(p, 3 * static_cast<std::size_t>(p) + 1, 0);
  check_patterns(p, static_cast<std::size_t>(p) - 1, 50);
  check_patterns(p, 200, 10);
}

TEST_CASE("a random access write of no pointers, and of a single one", "[random_access]") {
  for (int const p : {1, 2, 5, 8}) {
    bucket_layout const layout(40, p, 2);
    pointers const none(40, no_pointer);
    check_all_variants(layout, none);
    for (std::size_t const at : {0U, 17U, 39U}) {
      auto one = none;
      one[at] = 39 - at;
      check_all_variants(layout, one);
    }
  }
}

TEST_CASE("random pointers, operators and buckets are written as to a sequential memory",
          "[random_access]") {
  std::mt19937 random(20'23);
  for (int trial = 0; trial < 60; ++trial) {
    auto const p = static_cast<int>(random() % 17) + 1;
    std::size_t const n = random() % 150;
    auto const block = std::max<std::size_t>(bucket_layout(n, p).block_size(), 1);
    bucket_layout const layout(n, p, random() % block + 1);
    pointers to(n);
    auto const hot = random() % 4;
    for (auto& pointer : to)
      pointer = random() % 10 == 0              ? no_pointer
                : hot > 0 && random() % 4 < hot ? n / hot - (hot > 1 ? 0 : 1)
                                                : random() % n;
    INFO("trial " << trial << ": p = " << p << ", n = " << n << ", k = " << layout.buckets_each());
    check_all_variants(layout, to);
  }
}

TEST_CASE("a random access write on 32 and 64 processors", "[random_access]") {
  for (int const p : {32, 64}) {
    bucket_layout const layout(2000, p, 3);
    for (auto const pattern : {access_pattern::random, access_pattern::few_hot})
      check_by_buckets(layout, generated_pointers(pattern, layout, 9), {});
  }
}

TEST_CASE("Figure 4 costs what the page says, part by part", "[random_access]") {
  auto const to = pointers_of_figure(access_pattern::figure_4);
  plain_bucket_write const plain(layout_of_figures, to, plain_form::all);
  CHECK(plain.hits == std::vector<std::uint64_t>{4, 7, 1, 2, 7, 6, 2, 3});
  CHECK(plain.stage_1 == number_matrix{3, 3, 1, 1, 3, 1, 2, 2, 2, 2, 2, 2, 0, 2, 3, 3});
  auto const run = checked_writes(layout_of_figures, to, {});
  CHECK(run.counts().startups == 20);
  CHECK(run.counts().words == 54);
  CHECK(run.counts().volume == 179);
  CHECK(parts_of(run) == parts{{"combine bucket hits", {4, 12}},
                               {"scan bucket hits", {4, 12}},
                               {"stage 1", {3, 6}},
                               {"stage 2", {3, 10}},
                               {"segmented scan", {4, 6}},
                               {"one to one", {1, 4}},
                               {"sends", {1, 4}}});
  auto const& record = run.results()[0].record;
  CHECK(record.full_buckets == 5);
  CHECK(record.partial_buckets == 3);
  CHECK(record.largest_bucket == 7);
  CHECK(record.stage_2_steps == 1);
  CHECK((plain.messages == std::map<std::pair<std::size_t, std::size_t>, std::uint64_t>{
                               {{0, 0}, 8}, {{1, 1}, 3}, {{1, 2}, 4}, {{2, 2}, 4}, {{3, 3}, 5}}));
}

TEST_CASE("the hybrid of Figure 4 costs what the page says", "[random_access]") {
  auto const to = pointers_of_figure(access_pattern::figure_4);
  plain_bucket_write const plain(layout_of_figures, to, plain_form::dense_levelled);
  CHECK(plain.hits == std::vector<std::uint64_t>{4, 4, 1, 2, 7, 4, 2, 3});
  CHECK(plain.slots[4] == std::vector<std::size_t>{1, 1, 1, 1, 2, 2, 2});
  auto const run = checked_writes(layout_of_figures, to, commuting(access_variant::hybrid));
  CHECK(run.counts().startups == 19);
  CHECK(run.counts().words == 46);
}

TEST_CASE("limited hot spots of Figure 3 choose as the paper says", "[random_access]") {
  auto const [figure, choice, startups, words] =
      GENERATE(table<access_pattern, access_choice, std::uint64_t, std::uint64_t>(
          {{access_pattern::figure_3a, access_choice::local, 4, 10},
           {access_pattern::figure_3b, access_choice::complete_exchange, 4 + 3, 10 + 6},
           {access_pattern::figure_3c, access_choice::transportation, 4 + 6, 10 + 12},
           {access_pattern::figure_4, access_choice::arbitrary, 4 + 20, 10 + 54}}));
  INFO(name_of(figure));
  auto const run = checked_writes(layout_of_figures, pointers_of_figure(figure),
                                  {.variant = access_variant::limited});
  CHECK(run.results()[0].record.choice == choice);
  CHECK(run.counts().startups == startups);
  CHECK(run.counts().words == words);
  CHECK(run.phases()[0].name == "choice");
}

TEST_CASE("automatic takes the variant of the least price, and says the prices",
          "[random_access]") {
  bucket_layout const layout(4096, 16, 4);
  auto const chosen_for = [&](pointers const& to, std::uint64_t startup_words) {
    auto const run = checked_writes(
        layout, to,
        {.variant = access_variant::automatic, .commutes = true, .startup_words = startup_words});
    auto const& record = run.results()[0].record;
    REQUIRE_FALSE(record.prices.empty());
    CHECK(record.prices.front().choice == record.choice);
    for (auto const& price : record.prices)
      CHECK(record.prices.front().in_words(startup_words) <= price.in_words(startup_words));
    // What was said before is not less than what it costs besides the choice itself.
    CHECK(run.counts().startups - run.phases()[0].startups <= record.prices.front().startups);
    return record.choice;
  };
  auto const chosen = [&](access_pattern pattern, std::uint64_t startup_words) {
    return chosen_for(generated_pointers(pattern, layout, 1), startup_words);
  };
  CHECK(chosen(access_pattern::local, 1000) == access_choice::local);
  CHECK(chosen(access_pattern::random, 1000) == access_choice::complete_exchange);
  auto in_no_order = generated_pointers(access_pattern::one_hot, layout, 1);
  in_no_order.front() = 4095;
  CHECK(chosen_for(in_no_order, 0) == access_choice::hybrid);
  CHECK(chosen(access_pattern::one_hot, 0) == access_choice::monotonic);
  CHECK(chosen(access_pattern::monotonic, 0) == access_choice::monotonic);
  CHECK(chosen(access_pattern::one_hot, 100'000) == access_choice::complete_exchange);
}

namespace {

using pointers_of_each = std::vector<pointers>;

/// Writes letters from processors that have any numbers of elements.
auto run_of_uneven_writes(bucket_layout const& layout, pointers_of_each const& to,
                          random_access_options const& options) {
  return strict_crossbar_of(layout.processors()).run([&](processor& me) {
    auto const& mine = to[static_cast<std::size_t>(me.rank())];
    auto const values = letters(0, mine.size());
    return combined_writes(me, layout, mine, std::span(values), operator_for(options), options)
        .record;
  });
}

pointers_of_each blocks_of(pointers const& all, bucket_layout const& layout) {
  pointers_of_each blocks;
  for (int rank = 0; rank < layout.processors(); ++rank) {
    auto const block = block_of(all, layout, rank);
    blocks.emplace_back(block.begin(), block.end());
  }
  return blocks;
}

/// Whether no pointer is behind a larger one.
bool are_in_order(pointers_of_each const& to) {
  auto all = joined_blocks(to);
  std::erase(all, no_pointer);
  return std::ranges::is_sorted(all);
}

/// Runs each variant that has a price by itself: it costs no more than that.
void check_prices(bucket_layout const& layout, pointers_of_each const& to,
                  random_access_options options) {
  options.variant = access_variant::automatic;
  auto const chosen = run_of_uneven_writes(layout, to, options);
  auto const& prices = chosen.results()[0].prices;
  REQUIRE(prices.size() == (are_in_order(to) ? 5 : 4));
  for (auto const& price : prices) {
    INFO(name_of(price.choice) << ": " << price.startups << ", " << price.words);
    if (price.choice == prices.front().choice) {
      CHECK(chosen.counts().startups - chosen.phases()[0].startups <= price.startups);
      CHECK(port_words_from(chosen, 1) <= price.words);
    }
    for (auto const variant :
         {access_variant::arbitrary, access_variant::hybrid, access_variant::monotonic}) {
      if (name_of(variant) != name_of(price.choice)) continue;
      options.variant = variant;
      auto const alone = run_of_uneven_writes(layout, to, options);
      CHECK(alone.counts().startups <= price.startups);
      CHECK(port_words_from(alone, 0) <= price.words);
    }
  }
}

}  // namespace

TEST_CASE("writes cost no more than their prices, by all routes, however uneven the pointers are",
          "[random_access]") {
  for (int const p : {5, 8}) {
    bucket_layout const layout(120 * static_cast<std::size_t>(p), p, 4);
    auto const few_hot = generated_pointers(access_pattern::few_hot, layout, 3);
    pointers_of_each of_one(static_cast<std::size_t>(p));  // all for another's block
    for (std::size_t i = 0; i < 120; ++i) of_one[0].push_back(layout.first_of(3) + i);
    auto of_most = of_one;  // more than a block, from one processor
    of_most[0].insert(of_most[0].end(), few_hot.begin(), few_hot.end());
    auto const sorted = generated_pointers(access_pattern::monotonic, layout, 3);
    for (auto const& to : {blocks_of(few_hot, layout), of_one, of_most, blocks_of(sorted, layout)})
      for (auto const stage_1 : {transportation_route::two_stages, transportation_route::direct})
        for (auto const stage_2 :
             {bucket_route::sends, bucket_route::linear, bucket_route::transportation})
          for (std::uint64_t const startup : {0U, 1000U}) {
            INFO("p = " << p << ", " << to[0].size() << " of rank 0, " << name_of(stage_1) << ", "
                        << name_of(stage_2) << ", tau " << startup);
            check_prices(layout, to,
                         {.stage_1 = stage_1,
                          .stage_2 = stage_2,
                          .commutes = true,
                          .startup_words = startup});
          }
  }
}

TEST_CASE("automatic prices a monotonic write of pointers in order, and of no others",
          "[random_access]") {
  auto const none = no_pointer;
  auto const is_priced = [](pointers_of_each const& to) {
    bucket_layout const layout(30, static_cast<int>(to.size()), 2);
    auto const run = run_of_uneven_writes(layout, to, commuting(access_variant::automatic));
    auto const& prices = run.results()[0].prices;
    return std::ranges::count(prices, access_choice::monotonic, &lockstep::access_price::choice) ==
           1;
  };
  for (auto const& in_order :
       {pointers_of_each{{29}, {}, {29}}, {{3, none, 3, 12}, {none}, {12, 29}}, {{}, {0, 29}, {}}})
    CHECK(is_priced(in_order));
  for (auto const& in_no_order : {pointers_of_each{{12, 3}, {}, {}},
                                  {{12}, {}, {11}},
                                  {{}, {12, 29}, {28, 29}},
                                  {{20, none, 19}, {21}, {22}}})
    CHECK_FALSE(is_priced(in_no_order));
  std::mt19937 random(31);
  for (int trial = 0; trial < 100; ++trial) {
    pointers_of_each to(1 + random() % 9);
    auto const step = 1 + random() % 3;
    std::size_t last = 5;
    for (auto& of_one : to)
      for (auto left = random() % 3; left > 0; --left) {
        last = std::min<std::size_t>(last + random() % (2 * step) - step / 2, 29);
        of_one.push_back(random() % 4 == 0 ? none : last);
      }
    bucket_layout const layout(30, static_cast<int>(to.size()), 1);
    bool leaves = false;
    for (std::size_t rank = 0; rank < to.size(); ++rank)
      for (auto const each : to[rank])
        leaves = leaves || (each != none && layout.owner(each) != static_cast<int>(rank));
    CHECK(is_priced(to) == (leaves && are_in_order(to)));
  }
}

TEST_CASE("prices are those of the routes that are asked for", "[random_access]") {
  bucket_layout const layout(960, 8, 4);
  auto const to = generated_pointers(access_pattern::few_hot, layout, 1);
  auto const startups_of_arbitrary = [&](random_access_options options) {
    options.variant = access_variant::automatic;
    auto const run = run_of_writes(layout, to, options);
    auto const& prices = run.results()[0].record.prices;
    return std::ranges::find(prices, access_choice::arbitrary, &lockstep::access_price::choice)
        ->startups;
  };
  auto const usual = startups_of_arbitrary({});
  CHECK(startups_of_arbitrary({.stage_1 = transportation_route::direct}) == usual - 7);
  CHECK(startups_of_arbitrary({.stage_2 = bucket_route::linear}) == usual);
  CHECK(startups_of_arbitrary({.stage_2 = bucket_route::transportation}) == usual + 7);
}

TEST_CASE("the processors of a subset write to an array of theirs", "[random_access]") {
  bucket_layout const layout(16, 4, 2);
  auto const to = generated_pointers(access_pattern::few_hot, layout, 1);
  for (auto const variant : {access_variant::arbitrary, access_variant::hybrid,
                             access_variant::limited, access_variant::automatic}) {
    auto const run = strict_crossbar_of(6).run([&](processor& me) {
      some_letters cells;
      if (me.rank() < 2) return cells;
      auto group = me.subset(std::vector<int>{2, 3, 4, 5});
      auto const values = letters_of(layout, group.rank());
      for (auto const& cell : combined_writes(group, layout, block_of(to, layout, group.rank()),
                                              std::span(values), added, commuting(variant))
                                  .cells)
        cells.push_back(cell.as_optional());
      return cells;
    });
    INFO(name_of(variant));
    CHECK((joined_blocks(run.results()) == written_in_turn(some_letters(16), to, letter, added)));
  }
}

TEST_CASE("pointers in order are written as to a sequential memory, and others refused",
          "[random_access]") {
  random_access_options const in_order{.variant = access_variant::monotonic};
  for (int const p : {1, 3, 8, 13})
    for (auto const pattern : {access_pattern::monotonic, access_pattern::one_hot}) {
      bucket_layout const layout(100, p);
      auto const run = checked_writes(layout, generated_pointers(pattern, layout, 2, 20), in_order);
      CHECK(run.results()[0].record.choice == access_choice::monotonic);
    }
  auto const refused = refused_on(4, [&](processor& me) {
    auto const values = letters(0, 2);
    return combined_writes(me, bucket_layout(32, 4), pointers{3, 2}, std::span(values),
                           concatenated, in_order)
        .cells.size();
  });
  CHECK_THAT(refused, has_text("they have to be in order"));
}

TEST_CASE("random access writes are counted alike on both engines",
          "[random_access][threads][sanitize]") {
  for (int const p : {4, 5}) {
    bucket_layout const layout(60, p, 3);
    auto const to = generated_pointers(access_pattern::few_hot, layout, 4, 10);
    for (auto const variant :
         {access_variant::arbitrary, access_variant::hybrid, access_variant::limited})
      CHECK(checked_writes(layout, to, commuting(variant)).counts() ==
            checked_writes(layout, to, commuting(variant), lockstep::engine::threads).counts());
  }
}

TEST_CASE("a random access write combines with what stands in the array, on its right",
          "[random_access]") {
  bucket_layout const layout(10, 3);
  pointers const to{9, 9, 1, no_pointer, 9, 1, 0, 9, 1, 5};
  auto const run = strict_crossbar_of(3).run([&](processor& me) {
    auto const values = letters_of(layout, me.rank());
    auto array = letters(1000 + layout.first_of(me.rank()), values.size());
    random_access_write(me, layout, block_of(to, layout, me.rank()), std::span(values),
                        concatenated, array);
    return array;
  });
  for (std::size_t a = 0; a < 10; ++a) {  // a loop of its own
    auto expected = letter(1000 + a);
    for (std::size_t i = 0; i < 10; ++i)
      if (to[i] == a) expected = concatenated(expected, letter(i));
    CHECK(run.results()[a / 4][a % 4] == expected);
  }
}

TEST_CASE("random access writes refuse what they cannot do", "[random_access]") {
  bucket_layout const layout(4, 2);
  auto const refusal = [&](bucket_layout const& of, pointers const& to, std::size_t values,
                           random_access_options const& options) {
    return refused_on(2, [&](processor& me) {
      auto const all = letters(0, values);
      return combined_writes(me, of, to, std::span(all), concatenated, options).cells.size();
    });
  };
  CHECK_THAT(refusal(layout, {0, 4}, 2, {}), has_text("processor 0: pointer 1 is to address 4"));
  CHECK_THAT(refusal(layout, {0, 1}, 1, {}), has_text("processor 0 has 1 values; give 2"));
  CHECK_THAT(refusal(bucket_layout(4, 3), {0}, 1, {}), has_text("a layout for 3 processors on 2"));
  for (auto const variant : {access_variant::hybrid, access_variant::hybrid_plain}) {
    CHECK_THAT(refusal(layout, {0}, 1, {.variant = variant}), has_text("not known to commute"));
    CHECK_THAT(refusal(layout, {0}, 1, {.variant = variant}), has_text("set options.commutes or"));
    CHECK(refusal(layout, {0}, 1, commuting(variant)) == "not refused");
  }
  CHECK_THAT(refusal(layout, {0}, 1, {.variant = access_variant{200}}),
             has_text("access_variant is 200"));
  CHECK_THAT(refusal(layout, {0}, 1, {.stage_1 = transportation_route{200}}),
             has_text("transportation_route is 200"));
  CHECK_THAT(refusal(layout, {0}, 1, {.stage_2 = bucket_route{200}}),
             has_text("bucket_route is 200"));
}

namespace {

struct four_words {
  std::array<std::uint64_t, 4> parts{};

  friend bool operator==(four_words const&, four_words const&) = default;
};

/// A value on which elements agree: 1 to 4 times the address.
four_words agreed_at(std::size_t address) {
  return {{address, 2 * address, 3 * address, 4 * address}};
}

std::vector<four_words> agreed_values_of(std::span<std::size_t const> to) {
  std::vector<four_words> values(to.size());
  std::ranges::transform(to, values.begin(), agreed_at);
  return values;
}

}  // namespace

template <>
inline constexpr std::uint64_t lockstep::words_of<four_words> = 4;

TEST_CASE("values on which all elements agree are written, by every variant", "[random_access]") {
  for (int const p : {1, 4, 5, 8})
    for (auto const pattern : patterns)
      for (auto const variant :
           {access_variant::arbitrary, access_variant::hybrid, access_variant::hybrid_plain,
            access_variant::limited, access_variant::automatic, access_variant::monotonic}) {
        bool const in_order =
            pattern == access_pattern::monotonic || pattern == access_pattern::one_hot;
        if (variant == access_variant::monotonic && !in_order) continue;
        bucket_layout const layout(61, p, 3);
        auto const to = generated_pointers(pattern, layout, 5, 10);
        auto const run = strict_crossbar_of(p).run([&](processor& me) {
          auto const mine = block_of(to, layout, me.rank());
          auto const values = agreed_values_of(mine);
          return agreed_writes(me, layout, mine, std::span(std::as_const(values)),
                               {.variant = variant})
              .cells;
        });
        auto const cells = joined_blocks(run.results());
        REQUIRE(cells.size() == 61);
        for (std::size_t address = 0; address < 61; ++address) {
          bool const is_named = std::ranges::count(to, address) > 0;
          CHECK(cells[address].is_there == is_named);
          CHECK((cells[address].value == agreed_at(is_named ? address : 0)));
        }
      }
}

TEST_CASE("different values for one address are refused by its owner, wherever they meet",
          "[random_access]") {
  for (auto const variant : {access_variant::arbitrary, access_variant::hybrid,
                             access_variant::limited, access_variant::monotonic}) {
    bucket_layout const layout(40, 4, 2);
    pointers const to(40, 23);
    for (std::size_t const odd : {0U, 1U, 24U, 39U}) {
      auto values = agreed_values_of(to);
      values[odd].parts[3] = 1;
      auto const refused = refused_on(4, [&](processor& me) {
        return agreed_writes(me, layout, block_of(to, layout, me.rank()),
                             block_of(values, layout, me.rank()), {.variant = variant})
            .cells.size();
      });
      CHECK_THAT(refused, has_text("elements write different values to address 23; write the same "
                                   "value"));
    }
  }
}

TEST_CASE("a mark absorbs all values, before and behind it", "[random_access]") {
  using lockstep::agreed_value;
  constexpr lockstep::agreement join;
  agreed_value<int> const three(3);
  auto const mark = join(three, agreed_value<int>(4));
  CHECK(join(three, three) == three);
  CHECK(mark.differs);
  CHECK(join(agreed_value<int>(4), three) == mark);
  CHECK(join(mark, agreed_value<int>(0)) == mark);
  CHECK(join(agreed_value<int>(0), mark) == mark);
  CHECK(join(mark, mark) == mark);
  CHECK(lockstep::is_commutative<lockstep::agreement>);
  CHECK(lockstep::words_of<agreed_value<four_words>> == 4);
}

TEST_CASE("values of m words cost m times the words of elements, also with a mark",
          "[random_access]") {
  auto const to = pointers_of_figure(access_pattern::figure_4);
  auto const run = strict_crossbar_of(4).run([&](processor& me) {
    auto const mine = block_of(to, layout_of_figures, me.rank());
    auto const values = agreed_values_of(mine);
    return agreed_writes(me, layout_of_figures, mine, std::span(std::as_const(values))).record;
  });
  CHECK(run.counts().startups == 20);
  CHECK(run.counts().words == 24 + 4 * (54 - 24));
  // Hits are combined and scanned in messages of 4, 2, 2 and 4 words of each processor.
  CHECK(run.counts().volume == 2 * 4 * 12 + 4 * (179 - 2 * 4 * 12));
  CHECK(run.results().front().partial_buckets == 3);
}

namespace {

struct says_that_it_commutes {
  static constexpr bool is_commutative = true;
};

}  // namespace

TEST_CASE("operators that commute are known by their types", "[random_access]") {
  CHECK(lockstep::is_commutative<std::plus<int>>);
  CHECK(lockstep::is_commutative<std::bit_or<unsigned>>);
  CHECK(lockstep::is_commutative<says_that_it_commutes>);
  CHECK_FALSE(lockstep::is_commutative<concatenation>);
  CHECK_FALSE(lockstep::is_commutative<std::plus<std::string>>);
  CHECK_FALSE(lockstep::is_commutative<std::minus<int>>);
}

TEST_CASE("slots fill processors up to the least level that has room", "[random_access]") {
  using blocks = lockstep::detail::slot_blocks;
  CHECK(lockstep::detail::levelled_slots(7, {8, 3, 4, 5}) == blocks{0, 0, 4, 7, 7});
  CHECK(lockstep::detail::levelled_slots(0, {8, 3}) == blocks{0, 0, 0});
  CHECK(lockstep::detail::levelled_slots(5, {0, 0}) == blocks{0, 3, 5});
  CHECK(lockstep::detail::levelled_slots(20, {1, 9, 2}) == blocks{0, 10, 12, 20});
  CHECK(lockstep::detail::even_slots(7, 3) == blocks{0, 3, 6, 7});
  CHECK(lockstep::detail::even_slots(0, 2) == blocks{0, 0, 0});
  CHECK(lockstep::detail::even_slots(2, 4) == blocks{0, 1, 2, 2, 2});
}

TEST_CASE("pointers of 32 bits write what those of 64 bits do, at the same counts",
          "[random_access]") {
  for (int const p : {1, 3, 8})
    for (auto const variant : {access_variant::arbitrary, access_variant::hybrid,
                               access_variant::limited, access_variant::monotonic}) {
      bucket_layout const layout(200, p, lockstep::best_buckets_each(200, p));
      auto const pattern = variant == access_variant::monotonic ? access_pattern::monotonic
                                                                : access_pattern::few_hot;
      auto const to = generated_pointers(pattern, layout, 5, 20);
      auto const write = [&]<class Pointer>(Pointer none) {
        return strict_crossbar_of(p).run([&](processor& me) {
          std::vector<Pointer> mine;
          for (auto const pointer : block_of(to, layout, me.rank()))
            mine.push_back(pointer == no_pointer ? none : static_cast<Pointer>(pointer));
          auto const values = letters_of(layout, me.rank());
          std::vector<text_hash> array(mine.size(), letter(1000));
          random_access_write(me, layout, mine, std::span(values), added, array,
                              commuting(variant));
          return array;
        });
      };
      auto const narrow = write(std::numeric_limits<std::uint32_t>::max());
      auto const wide = write(no_pointer);
      CHECK((narrow.results() == wide.results()));
      CHECK(narrow.counts() == wide.counts());
      some_letters found;
      for (auto const& each : joined_blocks(narrow.results())) found.emplace_back(each);
      CHECK((found == written_in_turn(some_letters(200, letter(1000)), to, letter, added)));
    }
  auto const refused = refused_on(2, [](processor& me) {
    std::vector<std::uint32_t> const beyond{0, 7};
    auto const values = letters(0, 2);
    return combined_writes(me, bucket_layout(7, 2), beyond, std::span(values), added).cells.size();
  });
  CHECK_THAT(refused, has_text("pointer 1 is to address 7; there are 7 addresses"));
}

TEST_CASE("slots and addresses that need more than 32 bits travel in 64", "[random_access]") {
  for (auto const choice : {access_choice::arbitrary, access_choice::hybrid})
    for (int const p : {2, 5, 8}) {
      bucket_layout const layout(150, p, 3);
      auto const to = generated_pointers(access_pattern::few_hot, layout, 3, 10);
      auto const run_with = [&](std::uint64_t most_narrow) {
        return strict_crossbar_of(p).run([&](processor& me) {
          using namespace lockstep::detail;
          auto const values = letters_of(layout, me.rank());
          std::vector<extended<text_hash>> cells(values.size());
          random_access_options const options;
          lockstep::random_access_record record{.choice = choice};
          addressed_cells<text_hash, decltype(added)> const at(cells, layout.first_of(me.rank()),
                                                               added);
          access_elements<text_hash, std::size_t> const elements{block_of(to, layout, me.rank()),
                                                                 values};
          bucket_writes<text_hash, decltype(added)>(me, layout, added, options, at, most_narrow)
              .write(elements, record);
          some_letters found;
          for (auto const& cell : cells) found.push_back(cell.as_optional());
          return found;
        });
      };
      auto const wide = run_with(0);
      auto const narrow = run_with(1000);
      CHECK((wide.results() == narrow.results()));
      CHECK(wide.counts() == narrow.counts());
    }
}

TEST_CASE("an element that comes to another processor than its owner is refused",
          "[random_access]") {
  auto const text = has_text("the processors have different layouts; pass the same on all");
  auto const layout_of = [](int rank) { return bucket_layout(rank == 0 ? 16 : 8, 2); };
  auto const values = letters(0, 1);
  for (auto const variant : {access_variant::arbitrary, access_variant::automatic})
    CHECK_THAT(refused_on(2,
                          [&](processor& me) {
                            std::vector<std::size_t> const to{me.rank() == 0 ? 12U : 1U};
                            return combined_writes(me, layout_of(me.rank()), to, std::span(values),
                                                   added, {.variant = variant})
                                .cells.size();
                          }),
               text);
}
