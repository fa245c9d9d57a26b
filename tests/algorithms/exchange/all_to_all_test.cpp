#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "check_claims.hpp"
#include "exchange/exchanged_blocks.hpp"
#include "index.hpp"

using lockstep::counts;
using lockstep::exchange_choice;
using lockstep::exchange_scheme;
using lockstep::machine_options;
using lockstep::mesh;
using lockstep::processor;
using lockstep::torus;
using reference::exchanged;

/// An element of two words, with padding that nobody looks at.
struct tagged_pair {
  std::uint8_t tag;
  double value;

  friend bool operator==(tagged_pair const&, tagged_pair const&) = default;
};
template <>
inline constexpr std::uint64_t lockstep::words_of<tagged_pair> = 2;

namespace reference {

template <>
std::uint8_t block_element<std::uint8_t>(int source, int destination, int i) {
  return static_cast<std::uint8_t>(source * 77 + destination * 5 + i);
}
template <>
tagged_pair block_element<tagged_pair>(int source, int destination, int i) {
  return {static_cast<std::uint8_t>(i), source * 256.0 + destination};
}
using triple = std::array<std::int16_t, 3>;
template <>
triple block_element<triple>(int source, int destination, int i) {
  auto const number = [](int of) { return static_cast<std::int16_t>(of); };
  return {number(source), number(destination), number(i)};
}

}  // namespace reference

namespace {

using numbers = std::vector<std::uint64_t>;

/// An exchange of blocks of that many words, with the claims of it.
lockstep::run_record check_exchange(std::string const& spec, int words = 1,
                                    exchange_choice const& choice = {}) {
  INFO(spec);
  auto run = exchanged(spec, words, choice);
  lockstep::exchange_schedule const schedule(*lockstep::parse(spec), choice);
  auto const errata = reference::check_claims(
      all_to_all_claims(schedule, static_cast<std::uint64_t>(words)), run.counts());
  // The paper errs in three dimensions and more, where nothing is filled up.
  if (std::ranges::count(spec, 'x') < 2 || schedule.has_virtual_nodes()) CHECK(errata == 0);
  return run;
}

numbers steps_of_phases(lockstep::run_record const& run) {
  numbers steps;
  for (auto const& phase : run.phases()) steps.push_back(phase.steps);
  return steps;
}

numbers words_of_steps(lockstep::run_record const& run) {
  numbers words;
  for (auto const& step : run.steps()) words.push_back(step.largest);
  return words;
}

}  // namespace

TEST_CASE("complete exchange on every torus of multiples of four, and every even mesh") {
  for (int const words : {1, 3}) {
    for (int rows = 4; rows <= 16; rows += 4)
      for (int columns = 4; columns <= 16; columns += 4)
        check_exchange(torus{{rows, columns}}.spec(), words);
    for (int rows = 2; rows <= 10; rows += 2)
      for (int columns = 2; columns <= 10; columns += 2)
        check_exchange(mesh{{rows, columns}}.spec(), words);
  }
}

TEST_CASE("complete exchange on a 12 x 12 torus and a 6 x 6 mesh, figure by figure", "[sanitize]") {
  auto const counts_of = [](std::uint64_t steps, std::uint64_t words, std::uint64_t messages,
                            std::uint64_t hops, std::uint64_t arrays, std::uint64_t blocks) {
    return counts{.steps = steps,
                  .rounds = steps,
                  .startups = steps,
                  .words = words,
                  .volume = words * blocks,
                  .messages = messages,
                  .hops = hops,
                  .barriers = steps - 1,
                  .rearrangements = arrays,
                  .rearranged = arrays * blocks,
                  .contention = 1,
                  .serialised_steps = steps,
                  .queued = 0,
                  .link_words = words};
  };
  auto const on_torus = exchanged<std::int64_t>("torus:12x12");
  CHECK(on_torus.counts() == counts_of(8, 576, 1152, 22, 3, 144));
  CHECK(steps_of_phases(on_torus) == numbers{2, 2, 2, 2});
  CHECK(words_of_steps(on_torus) == numbers{96, 48, 96, 48, 72, 72, 72, 72});
  std::vector<std::string> names;
  for (auto const& phase : on_torus.phases()) names.push_back(phase.name);
  CHECK(names ==
        std::vector<std::string>{"ring 1", "ring 2", "exchange distance 2", "exchange distance 1"});
  auto const on_mesh = exchanged<std::int64_t>("mesh:6x6");
  CHECK(on_mesh.counts() == counts_of(6, 108, 216, 18, 2, 36));
  CHECK(steps_of_phases(on_mesh) == numbers{2, 2, 2});
  CHECK(words_of_steps(on_mesh) == numbers{24, 12, 24, 12, 18, 18});
}

TEST_CASE("phases of the exchange are aligned where the rings differ in length") {
  auto const run = exchanged("torus:8x16");
  CHECK(steps_of_phases(run) == numbers{3, 3, 2, 2});
  CHECK(words_of_steps(run) == numbers{96, 64, 32, 96, 64, 32, 64, 64, 64, 64});
  CHECK(steps_of_phases(exchanged("torus:8x8")) == numbers{1, 1, 2, 2});
  CHECK(steps_of_phases(exchanged("torus:4x4")) == numbers{0, 0, 2, 2});
}

TEST_CASE("elements of any payload type are exchanged, and counted in words") {
  auto const one_word = exchanged<double>("torus:4x8", 2).counts();
  CHECK(exchanged<std::uint8_t>("torus:4x8", 2).counts() == one_word);
  CHECK(exchanged<reference::triple>("torus:4x8", 2).counts() == one_word);
  auto const pairs = exchanged<tagged_pair>("torus:4x8", 2).counts();
  CHECK(pairs.words == 2 * one_word.words);
  reference::check_claims(lockstep::all_to_all_claims(torus{{4, 8}}, 4), pairs);
}

TEST_CASE("the exchange counts the same on both engines and any number of workers",
          "[sanitize][threads]") {
  std::string const spec = GENERATE("torus:8x12", "mesh:6x4");
  auto const run = check_exchange(spec, 2);
  for (machine_options const& options :
       {machine_options{.strict = true, .workers = 1},
        machine_options{.strict = true, .workers = 2},
        machine_options{.strict = true, .workers = 4},
        machine_options{.strict = true, .engine = lockstep::engine::threads},
        machine_options{.strict = false}}) {
    auto const same = exchanged(spec, 2, {}, options);
    CHECK(same.counts() == run.counts());
    CHECK(same.steps() == run.steps());
    CHECK(same.phases() == run.phases());
  }
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
  auto const nothing = exchanged("torus:8x8", 0).counts();
  CHECK(numbers{nothing.steps, nothing.words, nothing.messages} == numbers{0, 0, 0});
}

TEST_CASE("known steps, words and hops of exchanges", "[sanitize]") {
  exchange_choice const stride_2{exchange_scheme::stride_2};
  auto const [spec, choice, figures] = GENERATE_REF(table<std::string, exchange_choice, numbers>({
      // The paper's closed forms, and what they give where every phase has a ring of the largest size.
      {"torus:4x4x4", {}, {6, 192, 9}},
      {"torus:8x4x4", {}, {9, 576, 21}},
      {"torus:4x12x8", {}, {12, 2304, 33}},
      {"torus:4x4x4x4", {}, {8, 1024, 12}},
      {"mesh:6x4x2", {}, {9, 216, 27}},
      {"mesh:4x4x4x2", {}, {8, 512, 12}},
      {"mesh:2x2x2x2x2", {}, {5, 80, 5}},
      // Filled up, or by twos.
      {"torus:5x5", {}, {10, 177}},
      {"torus:6x6", {}, {8, 176}},
      {"torus:10x10", {}, {10, 584}},
      {"mesh:5x5", {}, {8, 121}},
      {"torus:16", {}, {9, 72}},
      {"torus:5x5", stride_2, {8, 121}},
      {"torus:6x6", stride_2, {6, 108}},
      {"torus:10x10", stride_2, {10, 500}},
      {"torus:16", stride_2, {8, 64}},
      // In groups, one after another.
      {"mesh:6x4x2x4", {.groups = {{3, 1}, {0, 2}}}, {10, 960}},
      {"torus:8x8x4x4", {.groups = {{2, 3}, {0, 1}}}, {10, 5120}},
      {"torus:8x8x4x4", {}, {12, 6144}},
      {"torus:12x8x4x4", {.groups = {{0, 1}, {2, 3}}}, {12, 9216}},
      {"torus:12x8x4x4", {}, {16, 12288}},
  }));
  auto const all = check_exchange(spec, 1, choice).counts();
  numbers const measured{all.steps, all.words, all.hops};
  CHECK(std::ranges::equal(std::span(measured).first(figures.size()), figures));
  CHECK(all.contention == 1);
  CHECK(all.queued == 0);
}

TEST_CASE("groups of dimensions, one after another, on more networks") {
  auto const all = check_exchange("torus:8x4x4x4x4", 1, {.groups = {{1, 2, 3}, {4, 0}}}).counts();
  CHECK(numbers{all.steps, all.words, all.contention} == numbers{12, 12288, 1});
  check_exchange("torus:5x3x6x2", 1, {.groups = {{0, 2}, {1, 3}}});
}

TEST_CASE("in three and more dimensions there is a phase more for each, and an erratum") {
  auto const [spec, phases] = GENERATE(table<std::string, std::size_t>(
      {{"torus:4x4x4", 5}, {"torus:4x4x4x4", 6}, {"mesh:6x4x2", 4}, {"mesh:2x2x2x2x2", 6}}));
  CHECK(exchanged(spec).phases().size() == phases);
  for (auto const& claimed : lockstep::all_to_all_claims(*lockstep::parse(spec), 1)) {
    // One order of the array cannot serve n >= 3 steps with contiguous pieces.
    bool const too_few = claimed.source.starts_with("Suh") && claimed.figure.starts_with("rearr");
    CHECK(claimed.erratum.empty() != too_few);
  }
}

TEST_CASE("where the largest dimension is not among the first two the exchange is shorter") {
  auto const [spec, steps_words, in_paper] =
      GENERATE(table<std::string, numbers, numbers>({{"torus:4x8x12", {11, 2112}, {12, 2304}},
                                                     {"torus:4x4x4x8", {10, 2560}, {12, 3072}},
                                                     {"mesh:4x6x8", {11, 1056}, {12, 1152}},
                                                     {"mesh:2x4x4x6", {10, 960}, {12, 1152}}}));
  auto const all = check_exchange(spec).counts();
  CHECK(numbers{all.steps, all.words, all.contention, all.queued} ==
        numbers{steps_words[0], steps_words[1], 1, 0});
  numbers papers;
  for (auto const& claimed : lockstep::all_to_all_claims(*lockstep::parse(spec), 1))
    if (claimed.source.starts_with("Suh") &&
        (claimed.figure == "steps" || claimed.figure == "words"))
      papers.push_back(static_cast<std::uint64_t>(claimed.value()));
  CHECK(papers == in_paper);
}

TEST_CASE("complete exchange in three dimensions, sides of six among them") {
  for (int x = 1; x <= 6; ++x)
    for (int y = 1; y <= 6; ++y)
      for (int z = 1; z <= 6; ++z)
        if (std::max({x, y, z}) == 6) {  // shorter ones are compared with the simulation
          check_exchange(torus{{x, y, z}}.spec());
          check_exchange(torus{{x, y, z}}.spec(), 1, {exchange_scheme::stride_2});
          check_exchange(mesh{{x, y, z}}.spec());
        }
}

TEST_CASE("complete exchange in four to eight dimensions") {
  std::string const sizes =
      GENERATE("4x4x4x4", "2x3x1x5", "2x3x1x2x5", "3x3x3x3x2", "4x4x4x1x4", "2x2x2x3x2x2",
               "2x2x1x2x2x2x3", "2x1x3x2x1x2x2x3", "2x2x2x2x2x2x2x2");
  check_exchange("torus:" + sizes);
  check_exchange("torus:" + sizes, 1, {exchange_scheme::stride_2});
  check_exchange("mesh:" + sizes);
}

TEST_CASE("n dimensions need 2n - 1 rearrangements on a torus, and fewer on a mesh") {
  auto const [spec, rearrangements] =
      GENERATE(table<std::string, std::uint64_t>({{"torus:4x4", 3},
                                                  {"torus:4x4x4", 5},
                                                  {"torus:4x4x4x4", 7},
                                                  {"torus:2x2x2x2x2", 9},
                                                  {"mesh:2x2", 2},
                                                  {"mesh:2x2x2", 4},
                                                  {"mesh:2x2x2x2", 5},
                                                  {"mesh:2x2x2x2x2", 7}}));
  CHECK(exchanged(spec).counts().rearrangements == rearrangements);
}

TEST_CASE("steps on square tori that are filled up, or by twos") {
  auto const [size, filled_up, by_twos] =
      GENERATE(table<int, std::uint64_t, std::uint64_t>({{7, 10, 10},
                                                         {9, 12, 12},
                                                         {11, 12, 14},
                                                         {13, 14, 16},
                                                         {14, 12, 14},
                                                         {15, 14, 18},
                                                         {18, 14, 18},
                                                         {22, 16, 22}}));
  auto const spec = torus{{size, size}}.spec();
  INFO(spec);
  CHECK(exchanged(spec).counts().steps == filled_up);
  CHECK(exchanged(spec, 1, {exchange_scheme::stride_2}).counts().steps == by_twos);
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
  CHECK_THROWS_WITH(cube.run([](processor& me) {
    return lockstep::all_to_all(me, std::vector<int>(16),
                                lockstep::exchange_schedule::of(me.topology()))
        .size();
  }),
                    has_text("neither a torus nor a mesh"));
  CHECK(cube.run(exchange_of(16)).counts().rounds == 4);  // the collective of that name
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
