#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "index.hpp"

using lockstep::counts;
using lockstep::exchange_choice;
using lockstep::exchange_scheme;
using lockstep::machine_options;
using lockstep::mesh;
using lockstep::processor;
using lockstep::torus;

/// An element of two words, with padding that nobody looks at.
struct tagged_pair {
  std::uint8_t tag;
  double value;

  friend bool operator==(tagged_pair const&, tagged_pair const&) = default;
};
template <>
inline constexpr std::uint64_t lockstep::words_of<tagged_pair> = 2;

namespace {

constexpr machine_options strict{.strict = true};

/// Element `i` of the block from `source` to `destination`: different for all of them where T has
/// room for that.
template <class T>
T element(int source, int destination, int i) {
  return static_cast<T>((source * 256 + destination) * 4 + i);
}
template <>
std::uint8_t element<std::uint8_t>(int source, int destination, int i) {
  return static_cast<std::uint8_t>(source * 77 + destination * 5 + i);
}
template <>
tagged_pair element<tagged_pair>(int source, int destination, int i) {
  return {static_cast<std::uint8_t>(i), source * 256.0 + destination};
}
using triple = std::array<std::int16_t, 3>;
template <>
triple element<triple>(int source, int destination, int i) {
  auto const number = [](int of) { return static_cast<std::int16_t>(of); };
  return {number(source), number(destination), number(i)};
}

template <class T>
std::vector<T> blocks_for_all(processor const& me, int block) {
  std::vector<T> blocks;
  for (int destination = 0; destination < me.size(); ++destination)
    for (int i = 0; i < block; ++i) blocks.push_back(element<T>(me.rank(), destination, i));
  return blocks;
}

/// Exchanges blocks of `block` elements, and compares all of them with what belongs there.
template <class T, class Network>
lockstep::run_record exchanged(Network const& network, int block,
                               machine_options const& options = strict,
                               exchange_choice const& choice = {}) {
  lockstep::machine const on{network, options};
  lockstep::exchange_schedule const schedule(network, choice);
  auto run = on.run([&](processor& me) {
    return lockstep::all_to_all(me, blocks_for_all<T>(me, block), schedule);
  });
  int wrong = 0;
  for (int destination = 0; destination < on.size(); ++destination) {
    auto const& result = run.results()[index(destination)];
    REQUIRE(result.size() == index(on.size()) * index(block));
    auto next = result.begin();
    for (int source = 0; source < on.size(); ++source)
      for (int i = 0; i < block; ++i)
        if (!(*next++ == element<T>(source, destination, i))) ++wrong;
  }
  INFO(network.spec() << ", " << block << " elements a block");
  CHECK(wrong == 0);
  return run;
}

template <class Network>
void check_claims(Network const& network, lockstep::run_record const& run, std::uint64_t words) {
  for (auto const& claimed : lockstep::all_to_all_claims(network, words)) {
    INFO(network.spec() << ": " << claimed.figure << " " << claimed.formula << " = "
                        << claimed.value() << ", measured "
                        << metric_value(run.counts(), claimed.figure));
    CHECK(holds(claimed, run.counts()));
    CHECK(claimed.erratum.empty());
  }
}

/// Claims that are all ours hold without exception.
template <class Network>
void check_exact(Network const& network, exchange_choice const& choice) {
  auto const run = exchanged<std::int32_t>(network, 1, strict, choice);
  lockstep::exchange_schedule const schedule(network, choice);
  for (auto const& claimed : lockstep::all_to_all_claims(schedule, 1)) {
    INFO(network.spec() << ": " << claimed.figure << " " << claimed.formula << " = "
                        << claimed.value() << ", measured "
                        << metric_value(run.counts(), claimed.figure));
    bool const has_erratum = !claimed.erratum.empty();
    CHECK(holds(claimed, run.counts()) != has_erratum);
    CHECK_FALSE((has_erratum && schedule.has_virtual_nodes()));
  }
}

/// Stride 2 takes N/2 - 1 steps in each dimension, N even or filled up, and then one, or two.
template <class Network>
void check_stride_2(Network const& network) {
  check_exact(network, {exchange_scheme::stride_2});
  std::uint64_t steps = 0;
  for (int const size : network.sizes())
    if (size > 1) steps += index((size + 1) / 2 - 1) + 1 + index(size % 2);
  CHECK(exchanged<std::int32_t>(network, 1, strict, {exchange_scheme::stride_2}).counts().steps ==
        steps);
}

std::vector<std::uint64_t> steps_of_phases(lockstep::run_record const& run) {
  std::vector<std::uint64_t> steps;
  for (auto const& phase : run.phases()) steps.push_back(phase.steps);
  return steps;
}

std::vector<std::uint64_t> words_of_steps(lockstep::run_record const& run) {
  std::vector<std::uint64_t> words;
  for (auto const& step : run.steps()) words.push_back(step.largest);
  return words;
}

using numbers = std::vector<std::uint64_t>;

/// The steps and words of an exchange by `groups`, and the schedule's claims of them.
void check_groups(auto const& network, std::vector<std::vector<int>> groups,
                  numbers const& steps_words) {
  exchange_choice const choice{.groups = std::move(groups)};
  auto const run = exchanged<std::int32_t>(network, 1, strict, choice);
  CHECK(numbers{run.counts().steps, run.counts().words} == steps_words);
  CHECK(run.counts().contention == 1);
  lockstep::exchange_schedule const schedule(network, choice);
  for (auto const& claimed : lockstep::all_to_all_claims(schedule, 1)) {
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value());
    CHECK(holds(claimed, run.counts()) == claimed.erratum.empty());
  }
}

}  // namespace

TEST_CASE("complete exchange on every torus of multiples of four up to 16 x 16") {
  for (int rows = 4; rows <= 16; rows += 4)
    for (int columns = 4; columns <= 16; columns += 4)
      for (int words : {1, 3}) {
        torus const network{{rows, columns}};
        check_claims(network, exchanged<std::int32_t>(network, words),
                     static_cast<std::uint64_t>(words));
      }
}

TEST_CASE("complete exchange on every even mesh up to 10 x 10") {
  for (int rows = 2; rows <= 10; rows += 2)
    for (int columns = 2; columns <= 10; columns += 2)
      for (int words : {1, 3}) {
        mesh const network{{rows, columns}};
        check_claims(network, exchanged<std::int32_t>(network, words),
                     static_cast<std::uint64_t>(words));
      }
}

TEST_CASE("complete exchange on a 12 x 12 torus, figure by figure", "[sanitize]") {
  auto const run = exchanged<std::int64_t>(torus{{12, 12}}, 1);
  counts const expected{.steps = 8,
                        .rounds = 8,
                        .startups = 8,
                        .words = 576,
                        .volume = 82944,
                        .messages = 1152,
                        .hops = 22,
                        .barriers = 7,
                        .rearrangements = 3,
                        .rearranged = 432,
                        .contention = 1,
                        .serialised_steps = 8,
                        .queued = 0,
                        .link_words = 576};
  CHECK(run.counts() == expected);
  CHECK(steps_of_phases(run) == numbers{2, 2, 2, 2});
  CHECK(words_of_steps(run) == numbers{96, 48, 96, 48, 72, 72, 72, 72});
  std::vector<std::string> names;
  for (auto const& phase : run.phases()) names.push_back(phase.name);
  CHECK(names ==
        std::vector<std::string>{"ring 1", "ring 2", "exchange distance 2", "exchange distance 1"});
}

TEST_CASE("complete exchange on a 6 x 6 mesh, figure by figure", "[sanitize]") {
  auto const run = exchanged<std::int64_t>(mesh{{6, 6}}, 1);
  counts const expected{.steps = 6,
                        .rounds = 6,
                        .startups = 6,
                        .words = 108,
                        .volume = 3888,
                        .messages = 216,
                        .hops = 18,
                        .barriers = 5,
                        .rearrangements = 2,
                        .rearranged = 72,
                        .contention = 1,
                        .serialised_steps = 6,
                        .queued = 0,
                        .link_words = 108};
  CHECK(run.counts() == expected);
  CHECK(steps_of_phases(run) == numbers{2, 2, 2});
  CHECK(words_of_steps(run) == numbers{24, 12, 24, 12, 18, 18});
}

TEST_CASE("phases of the exchange are aligned where the rings differ in length") {
  auto const run = exchanged<std::int64_t>(torus{{8, 16}}, 1);
  CHECK(steps_of_phases(run) == numbers{3, 3, 2, 2});
  CHECK(words_of_steps(run) == numbers{96, 64, 32, 96, 64, 32, 64, 64, 64, 64});
  CHECK(steps_of_phases(exchanged<std::int64_t>(torus{{8, 8}}, 1)) == numbers{1, 1, 2, 2});
  CHECK(steps_of_phases(exchanged<std::int64_t>(torus{{4, 4}}, 1)) == numbers{0, 0, 2, 2});
}

TEST_CASE("elements of any payload type are exchanged, and counted in words") {
  torus const network{{4, 8}};
  auto const one_word = exchanged<double>(network, 2).counts();
  CHECK(exchanged<std::uint8_t>(network, 2).counts() == one_word);
  CHECK(exchanged<triple>(network, 2).counts() == one_word);
  auto const pairs = exchanged<tagged_pair>(network, 2);
  CHECK(pairs.counts().words == 2 * one_word.words);
  check_claims(network, pairs, 4);
}

TEST_CASE("the exchange on processors that are threads", "[threads]") {
  machine_options const threads{.strict = true, .engine = lockstep::engine::threads};
  torus const wide{{8, 12}};
  mesh const tall{{6, 4}};
  check_claims(wide, exchanged<std::int64_t>(wide, 2, threads), 2);
  check_claims(tall, exchanged<std::int64_t>(tall, 2, threads), 2);
}

TEST_CASE("the exchange counts the same on both engines and any number of workers", "[sanitize]") {
  torus const wide{{8, 12}};
  mesh const tall{{6, 4}};
  auto const on_torus = exchanged<std::int64_t>(wide, 2);
  auto const on_mesh = exchanged<std::int64_t>(tall, 2);
  for (int workers : {1, 2, 4}) {
    machine_options const options{.strict = true, .workers = workers};
    CHECK(exchanged<std::int64_t>(wide, 2, options).counts() == on_torus.counts());
    CHECK(exchanged<std::int64_t>(wide, 2, options).steps() == on_torus.steps());
    CHECK(exchanged<std::int64_t>(tall, 2, options).counts() == on_mesh.counts());
  }
  machine_options const threads{.strict = true, .engine = lockstep::engine::threads};
  CHECK(exchanged<std::int64_t>(wide, 2, threads).counts() == on_torus.counts());
  CHECK(exchanged<std::int64_t>(wide, 2, threads).steps() == on_torus.steps());
  CHECK(exchanged<std::int64_t>(wide, 2, threads).phases() == on_torus.phases());
  CHECK(exchanged<std::int64_t>(tall, 2, threads).counts() == on_mesh.counts());
}

TEST_CASE("a machine with buffers counts no more than a strict one") {
  torus const network{{8, 12}};
  CHECK(exchanged<std::int64_t>(network, 1, {.strict = false}).counts() ==
        exchanged<std::int64_t>(network, 1).counts());
}

TEST_CASE("the example in the description of all_to_all") {
  lockstep::machine const torus{lockstep::torus{{12, 12}}, {.strict = true}};
  auto run = torus.run([](lockstep::processor& me) {
    std::vector<int> blocks(144);
    for (int to = 0; to < 144; ++to) blocks[index(to)] = 1000 * me.rank() + to;
    return lockstep::all_to_all(me, std::move(blocks));
  });
  CHECK(run.results()[5][7] == 7005);
  CHECK(run.counts().words == 576);
}

TEST_CASE("an exchange of nothing costs nothing") {
  auto const run = exchanged<std::int64_t>(torus{{8, 8}}, 0);
  CHECK(run.counts().steps == 0);
  CHECK(run.counts().words == 0);
  CHECK(run.counts().messages == 0);
}

TEST_CASE("complete exchange in three and more dimensions", "[sanitize]") {
  // The paper's closed forms, and what they give where every phase has a ring of the largest size.
  auto const check = [](auto const& network, int n, numbers const& steps_words_hops) {
    auto const run = exchanged<std::int64_t>(network, 1);
    auto const& all = run.counts();
    CHECK(numbers{all.steps, all.words, all.hops} == steps_words_hops);
    CHECK(all.contention == 1);
    CHECK(all.queued == 0);
    for (auto const& claimed : lockstep::all_to_all_claims(network, 1)) {
      INFO(network.spec() << ": " << claimed.figure << " " << claimed.formula << " = "
                          << claimed.value() << ", measured " << metric_value(all, claimed.figure));
      // One order of the array cannot serve n >= 3 steps with contiguous pieces.
      bool const too_few = claimed.source.starts_with("Suh") && claimed.figure.starts_with("rearr");
      CHECK(claimed.erratum.empty() != too_few);
      CHECK(holds(claimed, all) != too_few);
    }
    CHECK(run.phases().size() == index(network.spec().starts_with("torus") ? n + 2 : n + 1));
  };
  check(torus{{4, 4, 4}}, 3, {6, 192, 9});
  check(torus{{8, 4, 4}}, 3, {9, 576, 21});
  check(torus{{4, 12, 8}}, 3, {12, 2304, 33});
  check(torus{{4, 4, 4, 4}}, 4, {8, 1024, 12});
  check(mesh{{6, 4, 2}}, 3, {9, 216, 27});
  check(mesh{{4, 4, 4, 2}}, 4, {8, 512, 12});
  check(mesh{{2, 2, 2, 2, 2}}, 5, {5, 80, 5});
}

TEST_CASE("where the largest dimension is not among the first two the exchange is shorter") {
  auto const check = [](auto const& network, numbers const& steps_words, numbers const& in_paper) {
    auto const run = exchanged<std::int64_t>(network, 1);
    auto const& all = run.counts();
    CHECK(numbers{all.steps, all.words} == steps_words);
    CHECK(all.contention == 1);
    CHECK(all.queued == 0);
    numbers papers;
    for (auto const& claimed : lockstep::all_to_all_claims(network, 1)) {
      INFO(network.spec() << ": " << claimed.figure << " " << claimed.formula << " = "
                          << claimed.value() << ", measured " << metric_value(all, claimed.figure));
      CHECK(holds(claimed, all) == claimed.erratum.empty());
      bool const from_paper = claimed.source.starts_with("Suh");
      if (from_paper && (claimed.figure == "steps" || claimed.figure == "words"))
        papers.push_back(static_cast<std::uint64_t>(claimed.value()));
    }
    CHECK(papers == in_paper);
  };
  check(torus{{4, 8, 12}}, {11, 2112}, {12, 2304});
  check(torus{{4, 4, 4, 8}}, {10, 2560}, {12, 3072});
  check(mesh{{4, 6, 8}}, {11, 1056}, {12, 1152});
  check(mesh{{2, 4, 4, 6}}, {10, 960}, {12, 1152});
}

TEST_CASE("complete exchange on tori and meshes of any sizes up to 9 x 9") {
  for (int rows = 1; rows <= 9; ++rows)
    for (int columns = 1; columns <= 9; ++columns) {
      torus const round{{rows, columns}};
      check_claims(round, exchanged<std::int32_t>(round, 2), 2);
      check_stride_2(round);
      mesh const flat{{rows, columns}};
      check_claims(flat, exchanged<std::int32_t>(flat, 2), 2);
    }
}

TEST_CASE("complete exchange in three dimensions of any sizes up to 6") {
  for (int x = 1; x <= 6; ++x)
    for (int y = 1; y <= 6; ++y)
      for (int z = 1; z <= 6; ++z) {
        check_exact(torus{{x, y, z}}, {});
        check_exact(torus{{x, y, z}}, {exchange_scheme::stride_2});
        check_exact(mesh{{x, y, z}}, {});
      }
}

TEST_CASE("complete exchange in four to eight dimensions") {
  for (auto const& sizes :
       {std::vector{4, 4, 4, 4}, std::vector{2, 3, 1, 5}, std::vector{2, 3, 1, 2, 5},
        std::vector{3, 3, 3, 3, 2}, std::vector{4, 4, 4, 1, 4}, std::vector{2, 2, 2, 3, 2, 2},
        std::vector{2, 2, 1, 2, 2, 2, 3}, std::vector{2, 1, 3, 2, 1, 2, 2, 3},
        std::vector{2, 2, 2, 2, 2, 2, 2, 2}}) {
    check_exact(torus{sizes}, {});
    check_exact(torus{sizes}, {exchange_scheme::stride_2});
    check_exact(mesh{sizes}, {});
  }
}

TEST_CASE("n dimensions need 2n - 1 rearrangements on a torus, and fewer on a mesh") {
  auto const rearrangements_on = [](auto const& network) {
    return exchanged<std::int32_t>(network, 1).counts().rearrangements;
  };
  CHECK(rearrangements_on(torus{{4, 4}}) == 3);
  CHECK(rearrangements_on(torus{{4, 4, 4}}) == 5);
  CHECK(rearrangements_on(torus{{4, 4, 4, 4}}) == 7);
  CHECK(rearrangements_on(torus{{2, 2, 2, 2, 2}}) == 9);
  CHECK(rearrangements_on(mesh{{2, 2}}) == 2);
  CHECK(rearrangements_on(mesh{{2, 2, 2}}) == 4);
  CHECK(rearrangements_on(mesh{{2, 2, 2, 2}}) == 5);
  CHECK(rearrangements_on(mesh{{2, 2, 2, 2, 2}}) == 7);
}

TEST_CASE("complete exchange in one dimension") {
  for (int size = 1; size <= 21; ++size) {
    check_exact(torus{{size}}, {});
    check_stride_2(torus{{size}});
    check_exact(mesh{{size}}, {});
  }
  auto const counts_of = [](auto const& network, exchange_choice const& choice) {
    auto const all = exchanged<std::int32_t>(network, 1, strict, choice).counts();
    return numbers{all.steps, all.words};
  };
  CHECK(counts_of(torus{{16}}, {exchange_scheme::stride_2}) == numbers{8, 64});
  CHECK(counts_of(torus{{16}}, {}) == numbers{9, 72});
  CHECK(counts_of(mesh{{16}}, {})[0] == 15);
}

TEST_CASE("sizes that are filled up, figure by figure", "[sanitize]") {
  auto const counts_of = [](auto const& network, exchange_choice const& choice) {
    auto const all = exchanged<std::int32_t>(network, 1, strict, choice).counts();
    CHECK(all.contention == 1);
    CHECK(all.queued == 0);
    return numbers{all.steps, all.words};
  };
  exchange_choice const stride_2{exchange_scheme::stride_2};
  CHECK(counts_of(torus{{5, 5}}, {}) == numbers{10, 177});
  CHECK(counts_of(torus{{6, 6}}, {}) == numbers{8, 176});
  CHECK(counts_of(torus{{10, 10}}, {}) == numbers{10, 584});
  CHECK(counts_of(mesh{{5, 5}}, {}) == numbers{8, 121});
  CHECK(counts_of(torus{{5, 5}}, stride_2) == numbers{8, 121});
  CHECK(counts_of(torus{{6, 6}}, stride_2) == numbers{6, 108});
  CHECK(counts_of(torus{{10, 10}}, stride_2) == numbers{10, 500});
  struct {
    int size, filled_up, by_twos;
  } const square_tori[] = {{7, 10, 10},  {9, 12, 12},  {11, 12, 14}, {13, 14, 16},
                           {14, 12, 14}, {15, 14, 18}, {18, 14, 18}, {22, 16, 22}};
  for (auto const& [size, filled_up, by_twos] : square_tori) {
    torus const square{{size, size}};
    INFO(square.spec());
    CHECK(counts_of(square, {})[0] == index(filled_up));
    CHECK(counts_of(square, stride_2)[0] == index(by_twos));
  }
}

TEST_CASE("groups of dimensions, one after another", "[sanitize]") {
  check_groups(mesh{{6, 4, 2, 4}}, {{3, 1}, {0, 2}}, {10, 960});
  check_exact(torus{{5, 3, 6, 2}}, {.groups = {{0, 2}, {1, 3}}});
}

TEST_CASE("groups of dimensions on large tori") {
  check_groups(torus{{8, 8, 4, 4}}, {{2, 3}, {0, 1}}, {10, 5120});
  check_groups(torus{{8, 8, 4, 4}}, {}, {12, 6144});
  check_groups(torus{{12, 8, 4, 4}}, {{0, 1}, {2, 3}}, {12, 9216});
  check_groups(torus{{12, 8, 4, 4}}, {}, {16, 12288});
  check_groups(torus{{8, 4, 4, 4, 4}}, {{1, 2, 3}, {4, 0}}, {12, 12288});
}

TEST_CASE("what all_to_all cannot work with is an error") {
  auto const exchange_of = [](std::size_t elements) {
    return
        [=](processor& me) { return lockstep::all_to_all(me, std::vector<int>(elements)).size(); };
  };
  lockstep::machine const good{torus{{4, 4}}};
  CHECK_THROWS_AS(good.run(exchange_of(17)), lockstep::error);
  CHECK_THROWS_WITH(good.run(exchange_of(17)),
                    has_text("17 elements") && has_text("16 processors"));
  lockstep::machine const odd{torus{{6, 6}}};
  CHECK_THROWS_WITH(odd.run([](processor& me) {
    lockstep::exchange_schedule const as_printed(me.topology(), {exchange_scheme::paper});
    return lockstep::all_to_all(me, std::vector<int>(36), as_printed).size();
  }),
                    has_text("torus:4x4 or torus:8x8"));
  lockstep::machine const cube{lockstep::hypercube{4}};
  CHECK_THROWS_WITH(cube.run(exchange_of(16)), has_text("neither a torus nor a mesh"));
}

TEST_CASE("a schedule of another network is refused") {
  auto const refused_on = [](auto const& network, lockstep::exchange_schedule const& schedule) {
    lockstep::machine const on{network};
    CHECK_THROWS_WITH(on.run([&](processor& me) {
      return lockstep::all_to_all(me, std::vector<int>(index(me.size())), schedule).size();
    }),
                      has_text("made for " + torus{{8, 8}}.spec()));
  };
  lockstep::exchange_schedule const schedule(torus{{8, 8}});
  refused_on(torus{{4, 4}}, schedule);
  refused_on(torus{{16, 4}}, schedule);
  refused_on(mesh{{8, 8}}, schedule);
}

TEST_CASE("blocks of different sizes are an error") {
  lockstep::machine const on{torus{{4, 4}}};
  CHECK_THROWS_AS(on.run([](processor& me) {
    auto const block = me.rank() == 3 ? 2U : 1U;
    return lockstep::all_to_all(me, std::vector<int>(16 * block)).size();
  }),
                  lockstep::size_mismatch);
}

TEST_CASE("nothing is claimed where the formulas do not reach") {
  CHECK_THROWS_AS(lockstep::all_to_all_claims(lockstep::hypercube{4}, 1),
                  lockstep::invalid_argument);
}
