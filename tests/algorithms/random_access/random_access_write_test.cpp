#include <lockstep/algorithms/random_access/random_access_write.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/algorithms/random_access/transportation_traffic.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "random_access/access_samples.hpp"
#include "random_access/plain_bucket_write.hpp"

using lockstep::access_choice;
using lockstep::access_pattern;
using lockstep::access_variant;
using lockstep::bucket_layout;
using lockstep::bucket_route;
using lockstep::extended;
using lockstep::processor;
using lockstep::random_access_options;
using lockstep::transportation_route;

namespace {

constexpr std::array patterns{access_pattern::random,  access_pattern::monotonic,
                              access_pattern::one_hot, access_pattern::few_hot,
                              access_pattern::local,   access_pattern::permutation,
                              access_pattern::singles};

/// Adds up, and tells how many were added.
struct counted_sum {
  std::uint64_t sum = 0;
  std::uint64_t count = 0;

  friend bool operator==(counted_sum const&, counted_sum const&) = default;
};
struct add_counted {
  static constexpr bool is_commutative = true;
  [[nodiscard]] counted_sum operator()(counted_sum const& a, counted_sum const& b) const {
    return {a.sum + b.sum, a.count + b.count};
  }
};

counted_sum value_of_element(add_counted const& /*of*/, std::size_t i) { return {i + 1, 1}; }
text_hash value_of_element(concatenation const& /*of*/, std::size_t i) { return letter(i + 1); }

/// Values on which elements agree: 3 times the address.
std::vector<std::uint64_t> agreed_values_of(std::span<std::size_t const> pointers) {
  std::vector<std::uint64_t> values;
  for (auto const pointer : pointers) values.push_back(3 * pointer);
  return values;
}

template <class Operator>
using value_of = decltype(value_of_element(Operator(), 0));

/// What a loop over all elements writes.
template <class Operator>
std::vector<extended<value_of<Operator>>> plain_writes(std::size_t n,
                                                       std::vector<std::size_t> const& pointers) {
  std::vector<extended<value_of<Operator>>> cells(n);
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (pointers[i] == lockstep::no_pointer) continue;
    auto& cell = cells[pointers[i]];
    auto const value = value_of_element(Operator(), i);
    cell = cell.is_there ? Operator()(cell.value, value) : value;
  }
  return cells;
}

template <class Operator>
auto run_of_writes(bucket_layout const& layout, std::vector<std::size_t> const& pointers,
                   random_access_options const& options,
                   lockstep::engine engine = lockstep::engine::fibers) {
  return strict_crossbar_of(layout.processors(), engine).run([&](processor& me) {
    auto const first = layout.first_of(me.rank());
    auto const mine = std::span(pointers).subspan(first, layout.size_of(me.rank()));
    std::vector<value_of<Operator>> values;
    for (std::size_t i = 0; i < mine.size(); ++i)
      values.push_back(value_of_element(Operator(), first + i));
    return combined_writes(me, layout, mine, std::span<value_of<Operator> const>(values),
                           Operator(), options);
  });
}

template <class Operator, class Run>
void check_cells(Run const& run, bucket_layout const& layout,
                 std::vector<std::size_t> const& pointers) {
  auto const expected = plain_writes<Operator>(layout.elements(), pointers);
  for (int rank = 0; rank < layout.processors(); ++rank) {
    auto const& cells = run.results()[static_cast<std::size_t>(rank)].cells;
    REQUIRE(cells.size() == layout.size_of(rank));
    bool right = true;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      auto const& cell = expected[layout.first_of(rank) + i];
      right = right && cell.is_there == cells[i].is_there &&
              (!cell.is_there || cell.value == cells[i].value);
    }
    INFO("processor " << rank);
    CHECK(right);
    CHECK(run.results()[static_cast<std::size_t>(rank)].record == run.results()[0].record);
  }
}

/// The phases of that name; all their figures added up.
lockstep::phase_record phase_named(lockstep::run_record const& run, std::string const& name) {
  lockstep::phase_record sum;
  for (auto const& phase : run.phases()) {
    if (phase.name != name) continue;
    sum.startups += phase.startups;
    sum.words += phase.words;
    sum.port_words += phase.port_words;
    ++sum.steps;  // how many there are
  }
  return sum;
}

std::uint64_t sum_of(std::vector<std::uint64_t> const& loads) {
  std::uint64_t sum = 0;
  for (auto const load : loads) sum += load;
  return sum;
}

/// Compares every phase with the formulas, and with the loop over elements.
void check_counts(lockstep::run_record const& run, lockstep::random_access_record const& record,
                  plain_bucket_write const& plain, random_access_options const& options) {
  using lockstep::vector_method;
  auto const p = plain.layout.processors();
  auto const hits = lockstep::vector_counts_of(vector_method::fold, p, plain.layout.buckets(), 2);
  for (auto const* const name : {"combine bucket hits", "scan bucket hits"}) {
    CHECK(phase_named(run, name).startups == hits.startups);
    CHECK(phase_named(run, name).words == hits.words);
  }
  auto const loads = loads_of(plain.stage_1, p, options.stage_1);
  CHECK(phase_named(run, "stage 1").words == sum_of(loads.stage_1));
  CHECK(phase_named(run, "stage 2").words == sum_of(loads.stage_2));
  auto const cells = lockstep::vector_counts_of(
      vector_method::fold, p, plain.partial > 0 ? plain.layout.bucket_size() : 0, 2);
  CHECK(phase_named(run, "segmented scan").steps == (plain.partial > 0 ? 1 : 0));
  CHECK(phase_named(run, "segmented scan").startups == cells.startups);
  CHECK(phase_named(run, "segmented scan").words == cells.words);
  CHECK(phase_named(run, "one to one").startups == (plain.one_to_one ? 1 : 0));
  CHECK(phase_named(run, "one to one").words ==
        (plain.one_to_one ? plain.layout.bucket_size() : 0));
  CHECK(record.full_buckets == plain.full);
  CHECK(record.partial_buckets == plain.partial);
  CHECK(record.stage_2_steps == plain.q());
  if (options.stage_2 == bucket_route::transportation) return;
  auto const sends = phase_named(run, "sends");
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
  std::uint64_t d = 0;
  while ((std::uint64_t{1} << d) < p) ++d;
  CHECK(run.counts().startups <= 3 * (p - 1) + 6 * d + 1);
  if ((p & (p - 1)) != 0) return;
  std::uint64_t words = 0;
  for (auto const& phase : run.phases()) words += phase.port_words;
  CHECK(words <= (is_plain ? 4 : 3) * layout.block_size() + 4 * layout.buckets() +
                     4 * layout.bucket_size() + p * (p - 1));
}

template <class Operator>
void check_by_buckets(bucket_layout const& layout, std::vector<std::size_t> const& pointers,
                      random_access_options const& options) {
  INFO(name_of(options.variant) << ", stage 1 " << name_of(options.stage_1) << ", stage 2 "
                                << name_of(options.stage_2));
  using enum access_variant;
  auto const form = options.variant == arbitrary ? plain_form::all
                    : options.variant == hybrid  ? plain_form::dense_levelled
                                                 : plain_form::dense_plain;
  auto const run = run_of_writes<Operator>(layout, pointers, options);
  check_cells<Operator>(run, layout, pointers);
  check_counts(run, run.results()[0].record, {layout, pointers, form}, options);
  if (options.stage_2 != bucket_route::transportation)
    check_bounds(run, layout, options.variant == hybrid_plain);
}

/// All variants, and each way of the stages.
void check_all_variants(bucket_layout const& layout, std::vector<std::size_t> const& pointers) {
  using enum access_variant;
  check_by_buckets<concatenation>(layout, pointers, {});
  check_by_buckets<concatenation>(
      layout, pointers, {.stage_1 = transportation_route::direct, .stage_2 = bucket_route::linear});
  check_by_buckets<concatenation>(layout, pointers, {.stage_2 = bucket_route::transportation});
  check_by_buckets<add_counted>(layout, pointers, {.variant = hybrid});
  check_by_buckets<add_counted>(layout, pointers, {.variant = hybrid_plain});
  for (auto const variant : {limited, automatic})
    check_cells<concatenation>(run_of_writes<concatenation>(layout, pointers, {.variant = variant}),
                               layout, pointers);
}

/// The numbers of elements that are tried on p processors.
std::vector<std::size_t> numbers_of_elements(int p) {
  auto const size = static_cast<std::size_t>(p);
  return {0, 1, size - 1, size, 3 * size + 1, 7 * size - 1, 100};
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

std::vector<std::size_t> pointers_of_figure(access_pattern figure) {
  return generated_pointers(figure, bucket_layout(32, 4, 2), 1);
}

}  // namespace

TEST_CASE("a random access write is what a loop writes, on few processors", "[random_access]") {
  int const p = GENERATE(1, 2, 3, 4, 5);
  for (auto const n : numbers_of_elements(p))
    for (int const dots : {0, 30}) check_patterns(p, n, dots);
}

TEST_CASE("a random access write is what a loop writes, on up to 17 processors",
          "[random_access]") {
  int const p = GENERATE(6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
  check_patterns(p, 3 * static_cast<std::size_t>(p) + 1, 0);
  check_patterns(p, static_cast<std::size_t>(p) - 1, 50);
  check_patterns(p, 200, 10);
}

TEST_CASE("a random access write of no pointers, and of a single one", "[random_access]") {
  for (int const p : {1, 2, 5, 8}) {
    bucket_layout const layout(40, p, 2);
    std::vector<std::size_t> pointers(40, lockstep::no_pointer);
    check_all_variants(layout, pointers);
    for (std::size_t const at : {0U, 17U, 39U}) {
      auto one = pointers;
      one[at] = 39 - at;
      check_all_variants(layout, one);
    }
  }
}

TEST_CASE("random pointers, operators and buckets are written as by a loop", "[random_access]") {
  std::mt19937 random(20'23);
  for (int trial = 0; trial < 60; ++trial) {
    auto const p = static_cast<int>(random() % 17) + 1;
    std::size_t const n = random() % 150;
    auto const block = std::max<std::size_t>(bucket_layout(n, p).block_size(), 1);
    bucket_layout const layout(n, p, random() % block + 1);
    std::vector<std::size_t> pointers(n);
    auto const hot = random() % 4;
    for (auto& pointer : pointers)
      pointer = random() % 10 == 0              ? lockstep::no_pointer
                : hot > 0 && random() % 4 < hot ? n / hot - (hot > 1 ? 0 : 1)
                                                : random() % n;
    INFO("trial " << trial << ": p = " << p << ", n = " << n << ", k = " << layout.buckets_each());
    check_all_variants(layout, pointers);
  }
}

TEST_CASE("a random access write on 32 and 64 processors", "[random_access]") {
  for (int const p : {32, 64}) {
    bucket_layout const layout(2000, p, 3);
    for (auto const pattern : {access_pattern::random, access_pattern::few_hot})
      check_by_buckets<concatenation>(layout, generated_pointers(pattern, layout, 9), {});
  }
}

TEST_CASE("Figure 4 costs what the page says, part by part", "[random_access]") {
  bucket_layout const layout(32, 4, 2);
  auto const pointers = pointers_of_figure(access_pattern::figure_4);
  plain_bucket_write const plain(layout, pointers, plain_form::all);
  CHECK(plain.hits == std::vector<std::uint64_t>{4, 7, 1, 2, 7, 6, 2, 3});
  CHECK(plain.stage_1 == number_matrix{3, 3, 1, 1, 3, 1, 2, 2, 2, 2, 2, 2, 0, 2, 3, 3});
  auto const run = run_of_writes<concatenation>(layout, pointers, {});
  check_cells<concatenation>(run, layout, pointers);
  CHECK(run.counts().startups == 20);
  CHECK(run.counts().words == 54);
  CHECK(run.counts().volume == 179);
  struct part {
    char const* name;
    std::uint64_t startups, words;
  };
  constexpr std::array<part, 7> parts{{{"combine bucket hits", 4, 12},
                                       {"scan bucket hits", 4, 12},
                                       {"stage 1", 3, 6},
                                       {"stage 2", 3, 10},
                                       {"segmented scan", 4, 6},
                                       {"one to one", 1, 4},
                                       {"sends", 1, 4}}};
  REQUIRE(run.phases().size() == parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    CHECK(run.phases()[i].name == parts[i].name);
    CHECK(run.phases()[i].startups == parts[i].startups);
    CHECK(run.phases()[i].words == parts[i].words);
  }
  auto const& record = run.results()[0].record;
  CHECK(record.full_buckets == 5);
  CHECK(record.partial_buckets == 3);
  CHECK(record.largest_bucket == 7);
  CHECK(record.stage_2_steps == 1);
  CHECK((plain.messages == std::map<std::pair<std::size_t, std::size_t>, std::uint64_t>{
                               {{0, 0}, 8}, {{1, 1}, 3}, {{1, 2}, 4}, {{2, 2}, 4}, {{3, 3}, 5}}));
}

TEST_CASE("the hybrid of Figure 4 costs what the page says", "[random_access]") {
  bucket_layout const layout(32, 4, 2);
  auto const pointers = pointers_of_figure(access_pattern::figure_4);
  plain_bucket_write const plain(layout, pointers, plain_form::dense_levelled);
  CHECK(plain.hits == std::vector<std::uint64_t>{4, 4, 1, 2, 7, 4, 2, 3});
  CHECK(plain.slots[4] == std::vector<std::size_t>{1, 1, 1, 1, 2, 2, 2});
  auto const run =
      run_of_writes<add_counted>(layout, pointers, {.variant = access_variant::hybrid});
  check_cells<add_counted>(run, layout, pointers);
  CHECK(run.counts().startups == 19);
  CHECK(run.counts().words == 46);
}

TEST_CASE("limited hot spots of Figure 3 choose as the paper says", "[random_access]") {
  struct example {
    access_pattern figure;
    access_choice choice;
    std::uint64_t startups, words;
  };
  bucket_layout const layout(32, 4, 2);
  for (auto const& [figure, choice, startups, words] :
       {example{access_pattern::figure_3a, access_choice::local, 4, 10},
        {access_pattern::figure_3b, access_choice::complete_exchange, 4 + 3, 10 + 6},
        {access_pattern::figure_3c, access_choice::transportation, 4 + 6, 10 + 12},
        {access_pattern::figure_4, access_choice::arbitrary, 4 + 20, 10 + 54}}) {
    INFO(name_of(figure));
    auto const pointers = pointers_of_figure(figure);
    auto const run =
        run_of_writes<concatenation>(layout, pointers, {.variant = access_variant::limited});
    check_cells<concatenation>(run, layout, pointers);
    CHECK(run.results()[0].record.choice == choice);
    CHECK(run.counts().startups == startups);
    CHECK(run.counts().words == words);
    CHECK(run.phases()[0].name == "choice");
  }
}

TEST_CASE("automatic takes the variant of the least price, and says the prices",
          "[random_access]") {
  bucket_layout const layout(4096, 16, 4);
  auto const chosen_for = [&](std::vector<std::size_t> const& pointers,
                              std::uint64_t startup_words) {
    auto const run = run_of_writes<add_counted>(
        layout, pointers, {.variant = access_variant::automatic, .startup_words = startup_words});
    check_cells<add_counted>(run, layout, pointers);
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

using pointers_of_each = std::vector<std::vector<std::size_t>>;

/// Writes ones from processors that have any numbers of elements.
auto run_of_uneven_writes(bucket_layout const& layout, pointers_of_each const& pointers,
                          random_access_options const& options) {
  return strict_crossbar_of(layout.processors()).run([&](processor& me) {
    auto const& mine = pointers[static_cast<std::size_t>(me.rank())];
    std::vector<long> const ones(mine.size(), 1);
    return combined_writes(me, layout, mine, std::span(ones), std::plus<long>(), options).record;
  });
}

/// Whether no pointer is behind a larger one.
bool are_in_order(pointers_of_each const& pointers) {
  std::vector<std::size_t> all;
  for (auto const& of_one : pointers) all.insert(all.end(), of_one.begin(), of_one.end());
  std::erase(all, lockstep::no_pointer);
  return std::ranges::is_sorted(all);
}

/// Runs each variant that has a price by itself: it costs no more than that.
void check_prices(bucket_layout const& layout, pointers_of_each const& pointers,
                  random_access_options options) {
  options.variant = access_variant::automatic;
  auto const chosen = run_of_uneven_writes(layout, pointers, options);
  auto const& prices = chosen.results()[0].prices;
  REQUIRE(prices.size() == (are_in_order(pointers) ? 5 : 4));
  auto const port_words = [](lockstep::run_record const& run, std::size_t first) {
    std::uint64_t sum = 0;
    for (auto i = first; i < run.phases().size(); ++i) sum += run.phases()[i].port_words;
    return sum;
  };
  for (auto const& price : prices) {
    INFO(name_of(price.choice) << ": " << price.startups << ", " << price.words);
    if (price.choice == prices.front().choice) {
      CHECK(chosen.counts().startups - chosen.phases()[0].startups <= price.startups);
      CHECK(port_words(chosen, 1) <= price.words);
    }
    if (price.choice == access_choice::arbitrary)
      options.variant = access_variant::arbitrary;
    else if (price.choice == access_choice::hybrid)
      options.variant = access_variant::hybrid;
    else if (price.choice == access_choice::monotonic)
      options.variant = access_variant::monotonic;
    else
      continue;
    auto const alone = run_of_uneven_writes(layout, pointers, options);
    CHECK(alone.counts().startups <= price.startups);
    CHECK(port_words(alone, 0) <= price.words);
  }
}

}  // namespace

TEST_CASE("writes cost no more than their prices, by all routes, however uneven the pointers are",
          "[random_access]") {
  for (int const p : {5, 8}) {
    bucket_layout const layout(120 * static_cast<std::size_t>(p), p, 4);
    auto const few_hot = generated_pointers(access_pattern::few_hot, layout, 3);
    pointers_of_each even;
    for (int rank = 0; rank < p; ++rank) {
      auto const block = block_of(few_hot, layout, rank);
      even.emplace_back(block.begin(), block.end());
    }
    pointers_of_each of_one(static_cast<std::size_t>(p));  // all for another's block
    for (std::size_t i = 0; i < 120; ++i) of_one[0].push_back(layout.first_of(3) + i);
    auto of_most = of_one;  // more than a block, from one processor
    of_most[0].insert(of_most[0].end(), few_hot.begin(), few_hot.end());
    pointers_of_each in_order;
    auto const sorted = generated_pointers(access_pattern::monotonic, layout, 3);
    for (int rank = 0; rank < p; ++rank) {
      auto const block = block_of(sorted, layout, rank);
      in_order.emplace_back(block.begin(), block.end());
    }
    for (auto const& pointers : {even, of_one, of_most, in_order})
      for (auto const stage_1 : {transportation_route::two_stages, transportation_route::direct})
        for (auto const stage_2 :
             {bucket_route::sends, bucket_route::linear, bucket_route::transportation})
          for (std::uint64_t const startup : {0U, 1000U}) {
            INFO("p = " << p << ", " << pointers[0].size() << " of rank 0, " << name_of(stage_1)
                        << ", " << name_of(stage_2) << ", tau " << startup);
            check_prices(layout, pointers,
                         {.stage_1 = stage_1, .stage_2 = stage_2, .startup_words = startup});
          }
  }
}

TEST_CASE("automatic prices a monotonic write of pointers in order, and of no others",
          "[random_access]") {
  auto const none = lockstep::no_pointer;
  auto const is_priced = [](pointers_of_each const& pointers) {
    bucket_layout const layout(30, static_cast<int>(pointers.size()), 2);
    auto const run = run_of_uneven_writes(layout, pointers, {.variant = access_variant::automatic});
    auto const& prices = run.results()[0].prices;
    return std::ranges::count(prices, access_choice::monotonic, &lockstep::access_price::choice) ==
           1;
  };
  CHECK(is_priced({{29}, {}, {29}}));
  CHECK(is_priced({{3, none, 3, 12}, {none}, {12, 29}}));
  CHECK(is_priced({{}, {0, 29}, {}}));
  CHECK_FALSE(is_priced({{12, 3}, {}, {}}));
  CHECK_FALSE(is_priced({{12}, {}, {11}}));
  CHECK_FALSE(is_priced({{}, {12, 29}, {28, 29}}));
  CHECK_FALSE(is_priced({{20, none, 19}, {21}, {22}}));
  std::mt19937 random(31);
  for (int trial = 0; trial < 100; ++trial) {
    pointers_of_each pointers(1 + random() % 9);
    auto const step = 1 + random() % 3;
    std::size_t last = 5;
    for (auto& of_one : pointers)
      for (auto left = random() % 3; left > 0; --left) {
        last = std::min<std::size_t>(last + random() % (2 * step) - step / 2, 29);
        of_one.push_back(random() % 4 == 0 ? none : last);
      }
    bucket_layout const layout(30, static_cast<int>(pointers.size()), 1);
    bool leaves = false;
    for (std::size_t rank = 0; rank < pointers.size(); ++rank)
      for (auto const each : pointers[rank])
        leaves = leaves || (each != none && layout.owner(each) != static_cast<int>(rank));
    CHECK(is_priced(pointers) == (leaves && are_in_order(pointers)));
  }
}

TEST_CASE("prices are those of the routes that are asked for", "[random_access]") {
  bucket_layout const layout(960, 8, 4);
  auto const pointers = generated_pointers(access_pattern::few_hot, layout, 1);
  auto const startups_of_arbitrary = [&](random_access_options options) {
    options.variant = access_variant::automatic;
    auto const run = run_of_writes<concatenation>(layout, pointers, options);
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
  auto const pointers = generated_pointers(access_pattern::few_hot, layout, 1);
  auto const expected = plain_writes<add_counted>(16, pointers);
  for (auto const variant : {access_variant::arbitrary, access_variant::hybrid,
                             access_variant::limited, access_variant::automatic}) {
    auto const run = strict_crossbar_of(6).run([&](processor& me) {
      if (me.rank() < 2) return std::vector<extended<counted_sum>>();
      auto group = me.subset(std::vector<int>{2, 3, 4, 5});
      std::vector<counted_sum> values;
      for (std::size_t i = 0; i < 4; ++i)
        values.push_back(value_of_element(add_counted(), layout.first_of(group.rank()) + i));
      return combined_writes(group, layout, block_of(pointers, layout, group.rank()),
                             std::span<counted_sum const>(values), add_counted(),
                             {.variant = variant})
          .cells;
    });
    INFO(name_of(variant));
    for (std::size_t a = 0; a < 16; ++a) {
      auto const& cell = run.results()[2 + a / 4][a % 4];
      CHECK(cell.is_there == expected[a].is_there);
      if (cell.is_there) CHECK(cell.value == expected[a].value);
    }
  }
}

TEST_CASE("pointers in order are written as by a loop, and others refused", "[random_access]") {
  random_access_options const in_order{.variant = access_variant::monotonic};
  for (int const p : {1, 3, 8, 13})
    for (auto const pattern : {access_pattern::monotonic, access_pattern::one_hot}) {
      bucket_layout const layout(100, p);
      auto const pointers = generated_pointers(pattern, layout, 2, 20);
      auto const run = run_of_writes<concatenation>(layout, pointers, in_order);
      check_cells<concatenation>(run, layout, pointers);
      CHECK(run.results()[0].record.choice == access_choice::monotonic);
    }
  bucket_layout const layout(32, 4);
  auto const refused =
      refusal_of<lockstep::invalid_argument>(strict_crossbar_of(4), [&](processor& me) {
        std::vector<std::size_t> const falling{3, 2};
        std::vector<int> const values{1, 1};
        return combined_writes(me, layout, falling, std::span(values), std::plus<int>(), in_order)
            .cells.size();
      });
  CHECK_THAT(refused, has_text("they have to be in order"));
}

TEST_CASE("random access writes are counted alike on both engines",
          "[random_access][threads][sanitize]") {
  for (int const p : {4, 5}) {
    bucket_layout const layout(60, p, 3);
    auto const pointers = generated_pointers(access_pattern::few_hot, layout, 4, 10);
    for (auto const variant :
         {access_variant::arbitrary, access_variant::hybrid, access_variant::limited}) {
      auto const by_fibers = run_of_writes<add_counted>(layout, pointers, {.variant = variant});
      auto const by_threads = run_of_writes<add_counted>(layout, pointers, {.variant = variant},
                                                         lockstep::engine::threads);
      check_cells<add_counted>(by_threads, layout, pointers);
      CHECK(by_fibers.counts() == by_threads.counts());
    }
  }
}

TEST_CASE("a random access write combines with what stands in the array, on its right",
          "[random_access]") {
  bucket_layout const layout(10, 3);
  std::vector<std::size_t> const pointers{9, 9, 1, lockstep::no_pointer, 9, 1, 0, 9, 1, 5};
  auto const run = lockstep::machine{lockstep::crossbar{3}}.run([&](processor& me) {
    auto const first = layout.first_of(me.rank());
    auto const mine = std::span(pointers).subspan(first, layout.size_of(me.rank()));
    std::vector<text_hash> values;
    std::vector<text_hash> array;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      values.push_back(letter(first + i + 1));
      array.push_back(letter(1000 + first + i));
    }
    random_access_write(me, layout, mine, std::span<text_hash const>(values), concatenation(),
                        array);
    return array;
  });
  for (std::size_t a = 0; a < 10; ++a) {
    auto expected = letter(1000 + a);
    for (std::size_t i = 0; i < 10; ++i)
      if (pointers[i] == a) expected = concatenation()(expected, letter(i + 1));
    CHECK(run.results()[a / 4][a % 4] == expected);
  }
}

namespace {

struct four_words {
  std::array<std::uint64_t, 4> parts{};
};
four_words sum_of_parts(four_words a, four_words const& b) {
  for (std::size_t i = 0; i < 4; ++i) a.parts[i] += b.parts[i];
  return a;
}

}  // namespace

template <>
inline constexpr std::uint64_t lockstep::words_of<four_words> = 4;

TEST_CASE("values of m words cost m times the words of elements", "[random_access]") {
  bucket_layout const layout(32, 4, 2);
  auto const pointers = pointers_of_figure(access_pattern::figure_4);
  auto const run = lockstep::machine{lockstep::crossbar{4}}.run([&](processor& me) {
    auto const mine = std::span(pointers).subspan(layout.first_of(me.rank()), 8);
    std::vector<four_words> const values(8, four_words{{1, 2, 3, 4}});
    return combined_writes(me, layout, mine, std::span(values), sum_of_parts).cells;
  });
  CHECK(run.counts().startups == 20);
  CHECK(run.counts().words == 24 + 4 * (54 - 24));
  CHECK(run.results()[2][2].value.parts == std::array<std::uint64_t, 4>{4, 8, 12, 16});
}

TEST_CASE("random access writes refuse what they cannot do", "[random_access]") {
  lockstep::machine const machine{lockstep::crossbar{2}};
  bucket_layout const layout(4, 2);
  auto const refusal = [&](bucket_layout const& of, std::vector<std::size_t> const& pointers,
                           std::size_t values, random_access_options const& options) {
    return refusal_of<lockstep::invalid_argument>(machine, [&](processor& me) {
      std::vector<text_hash> const all(values);
      return combined_writes(me, of, std::span(pointers), std::span(all), concatenation(), options)
          .cells.size();
    });
  };
  CHECK_THAT(refusal(layout, {0, 4}, 2, {}), has_text("processor 0: pointer 1 is to address 4"));
  CHECK_THAT(refusal(layout, {0, 1}, 1, {}), has_text("processor 0 has 1 values; give 2"));
  CHECK_THAT(refusal(bucket_layout(4, 3), {0}, 1, {}), has_text("a layout for 3 processors on 2"));
  for (auto const variant : {access_variant::hybrid, access_variant::hybrid_plain}) {
    CHECK_THAT(refusal(layout, {0}, 1, {.variant = variant}), has_text("not known to commute"));
    CHECK_THAT(refusal(layout, {0}, 1, {.variant = variant}), has_text("set options.commutes or"));
    CHECK(refusal(layout, {0}, 1, {.variant = variant, .commutes = true}) == "not refused");
  }
  CHECK_THAT(refusal(layout, {0}, 1, {.variant = access_variant{200}}),
             has_text("access_variant is 200"));
  CHECK_THAT(refusal(layout, {0}, 1, {.stage_1 = transportation_route{200}}),
             has_text("transportation_route is 200"));
  CHECK_THAT(refusal(layout, {0}, 1, {.stage_2 = bucket_route{200}}),
             has_text("bucket_route is 200"));
}

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
        auto const pointers = generated_pointers(pattern, layout, 5, 10);
        auto const program = [&](processor& me) {
          auto const mine = block_of(pointers, layout, me.rank());
          auto const values = agreed_values_of(mine);
          return agreed_writes(me, layout, mine, std::span(std::as_const(values)),
                               {.variant = variant})
              .cells;
        };
        auto const cells = joined_blocks(strict_crossbar_of(p).run(program).results());
        REQUIRE(cells.size() == 61);
        for (std::size_t address = 0; address < 61; ++address) {
          auto const& cell = cells[address];
          bool const is_named = std::ranges::count(pointers, address) > 0;
          CHECK(cell.is_there == is_named);
          CHECK(cell.value == (is_named ? 3 * address : 0));
        }
      }
}

TEST_CASE("different values for one address are refused by its owner, wherever they meet",
          "[random_access]") {
  for (auto const variant : {access_variant::arbitrary, access_variant::hybrid,
                             access_variant::limited, access_variant::monotonic}) {
    bucket_layout const layout(40, 4, 2);
    std::vector<std::size_t> const pointers(40, 23);
    for (std::size_t const odd : {0U, 1U, 24U, 39U}) {
      auto values = agreed_values_of(pointers);
      values[odd] = 1;
      auto const refused = refusal_of<lockstep::invalid_argument>(
          lockstep::machine{lockstep::crossbar{4}}, [&](processor& me) {
            auto const mine = std::span(values).subspan(layout.first_of(me.rank()), 10);
            return agreed_writes(me, layout, block_of(pointers, layout, me.rank()),
                                 std::span<std::uint64_t const>(mine), {.variant = variant})
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

TEST_CASE("an agreed write counts as a write of its values", "[random_access]") {
  bucket_layout const layout(32, 4, 2);
  auto const pointers = pointers_of_figure(access_pattern::figure_4);
  auto const run = strict_crossbar_of(4).run([&](processor& me) {
    auto const mine = block_of(pointers, layout, me.rank());
    auto const values = agreed_values_of(mine);
    return agreed_writes(me, layout, mine, std::span(std::as_const(values))).record;
  });
  CHECK(run.counts().startups == 20);
  CHECK(run.counts().words == 54);
  CHECK(run.counts().volume == 179);
  CHECK(run.results().front().partial_buckets == 3);
}

TEST_CASE("operators that commute are known by their types", "[random_access]") {
  CHECK(lockstep::is_commutative<std::plus<int>>);
  CHECK(lockstep::is_commutative<std::bit_or<unsigned>>);
  CHECK(lockstep::is_commutative<add_counted>);
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

TEST_CASE("the examples of random access writes give what they say", "[random_access]") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  bucket_layout const table{8, 4};
  auto const added = machine.run([&](processor& me) {
    std::vector<std::size_t> const pointers{2, 7};
    std::vector<long> const ones(2, 1);
    std::vector<long> array(2, 100);
    random_access_write(me, table, pointers, std::span<long const>(ones), std::plus<long>{}, array);
    return array;
  });
  CHECK(added.results()[1] == std::vector<long>{104, 100});
  bucket_layout const histogram{8, 4};
  auto const run = machine.run([&](processor& me) {
    std::vector<std::size_t> const bins{0, 5, 5};
    std::vector<long> const ones(3, 1);
    return combined_writes(me, histogram, bins, std::span(ones), std::plus<long>{}).cells;
  });
  CHECK(run.results()[2][1].value == 8);
  CHECK_FALSE(run.results()[2][0].is_there);
  auto const agreed = machine.run([&](processor& me) {
    std::vector<std::size_t> const pointers{2, 7};
    std::vector<int> const values{20, 70};
    return agreed_writes(me, table, pointers, std::span<int const>(values)).cells;
  });
  CHECK(agreed.results()[1][0].value == 20);
  CHECK_FALSE(agreed.results()[1][1].is_there);
}

TEST_CASE("pointers of 32 bits write what those of 64 bits do, at the same counts",
          "[random_access]") {
  for (int const p : {1, 3, 8})
    for (auto const variant : {access_variant::arbitrary, access_variant::hybrid,
                               access_variant::limited, access_variant::monotonic}) {
      bucket_layout const layout(200, p, lockstep::best_buckets_each(200, p));
      auto const pattern = variant == access_variant::monotonic ? access_pattern::monotonic
                                                                : access_pattern::few_hot;
      auto const pointers = lockstep::generated_pointers(pattern, layout, 5, 20);
      auto const write = [&]<class Pointer>(Pointer none) {
        return strict_crossbar_of(p).run([&](processor& me) {
          std::vector<Pointer> mine;
          std::vector<std::uint64_t> values;
          for (auto i = layout.first_of(me.rank()); i < layout.first_of(me.rank() + 1); ++i) {
            mine.push_back(pointers[i] == lockstep::no_pointer ? none
                                                               : static_cast<Pointer>(pointers[i]));
            values.push_back(i + 1);
          }
          std::vector<std::uint64_t> array(mine.size(), 1000);
          lockstep::random_access_write(
              me, layout, std::span<Pointer const>(mine), std::span<std::uint64_t const>(values),
              std::plus<std::uint64_t>(), std::span(array), {.variant = variant});
          return array;
        });
      };
      auto const narrow = write(std::numeric_limits<std::uint32_t>::max());
      auto const wide = write(lockstep::no_pointer);
      CHECK(narrow.results() == wide.results());
      CHECK(narrow.counts() == wide.counts());
      std::vector<std::uint64_t> expected(200, 1000);
      for (std::size_t i = 0; i < pointers.size(); ++i)
        if (pointers[i] != lockstep::no_pointer) expected[pointers[i]] += i + 1;
      std::vector<std::uint64_t> found;
      for (auto const& block : narrow.results())
        found.insert(found.end(), block.begin(), block.end());
      CHECK(found == expected);
    }
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(
                 strict_crossbar_of(2),
                 [](processor& me) {
                   std::vector<std::uint32_t> const beyond{0, 7};
                   std::vector<int> const values(2, 1);
                   return lockstep::combined_writes(me, bucket_layout(7, 2),
                                                    std::span<std::uint32_t const>(beyond),
                                                    std::span<int const>(values), std::plus<int>())
                       .cells.size();
                 }),
             has_text("pointer 1 is to address 7; there are 7 addresses"));
}

TEST_CASE("slots and addresses that need more than 32 bits travel in 64", "[random_access]") {
  for (bool const is_hybrid : {false, true})
    for (int const p : {2, 5, 8}) {
      bucket_layout const layout(150, p, 3);
      auto const pointers = lockstep::generated_pointers(access_pattern::few_hot, layout, 3, 10);
      auto const cells_with = [&](std::uint64_t most_narrow) {
        return strict_crossbar_of(p).run([&](processor& me) {
          auto const first = layout.first_of(me.rank());
          auto const count = layout.size_of(me.rank());
          std::vector<long> values;
          for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<long>(first + i));
          std::vector<extended<long>> cells(count);
          std::plus<long> const plus;
          random_access_options const options;
          lockstep::detail::access_elements<long, std::size_t> const elements{
              std::span(pointers).subspan(first, count), values};
          static_cast<void>(lockstep::detail::bucket_writes<long, std::plus<long>>(
                                me, layout, plus, options, std::span(cells), most_narrow)
                                .write(elements, is_hybrid));
          std::vector<long> found;
          for (auto const& cell : cells) found.push_back(cell.is_there ? cell.value : -1);
          return found;
        });
      };
      auto const wide = cells_with(0);
      auto const narrow = cells_with(1000);
      CHECK(wide.results() == narrow.results());
      CHECK(wide.counts() == narrow.counts());
    }
}
