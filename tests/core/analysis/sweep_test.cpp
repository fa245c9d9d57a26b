#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/lower_bounds.hpp>
#include <lockstep/progress.hpp>
#include <lockstep/sweep.hpp>
#include <lockstep/topologies.hpp>

#include "catch.hpp"
#include "complaint_of.hpp"
#include "core/cluster/thread_cluster.hpp"

using lockstep::claim;
using lockstep::comparison;
using lockstep::crossbar;
using lockstep::holds_everywhere;
using lockstep::hypercube;
using lockstep::integers;
using lockstep::powers_of_two;
using lockstep::problem_instance;
using lockstep::processor;
using lockstep::sweep;
using lockstep::torus;

namespace {

/// All sums of m numbers each, dimension by dimension.
bool all_sums(processor& me, problem_instance const& at) {
  std::vector<int> sums(at.whole("m"), me.rank());
  for (int bit = 1; bit < me.size(); bit *= 2) {
    auto const theirs = me.exchange(me.rank() ^ bit, sums);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += theirs[i];
  }
  for (int const sum : sums)
    if (sum != me.size() * (me.size() - 1) / 2) return false;
  return true;
}

[[nodiscard]] double log_p(problem_instance const& at) { return std::log2(at.p()); }

claim const claimed_steps{"steps", "log2 p", log_p};
claim const claimed_words{"words", "m log2 p",
                          [](problem_instance const& at) { return at["m"] * log_p(at); },
                          comparison::at_most};

[[nodiscard]] sweep cubes() {
  return sweep().on(integers(1, 3), [](int d) { return hypercube{d}; }).over("m", {1, 4});
}

}  // namespace

TEST_CASE("ranges of numbers", "[core][sweep]") {
  CHECK(integers(2, 5) == std::vector{2, 3, 4, 5});
  CHECK(integers(2, 1).empty());
  CHECK(powers_of_two(1, 16) == std::vector{1, 2, 4, 8, 16});
  CHECK(powers_of_two(3, 13) == std::vector{3, 6, 12});
  CHECK(powers_of_two(1 << 30, std::numeric_limits<int>::max()) == std::vector{1 << 30});
  CHECK_THROWS_AS(powers_of_two(0, 3), lockstep::invalid_argument);
}

TEST_CASE("a sweep runs everywhere", "[core][sweep]") {
  auto const result = cubes().run(all_sums, {claimed_steps, claimed_words});
  CHECK(result.holds());
  CHECK(result.first_mismatch() == nullptr);
  REQUIRE(result.points().size() == 6);
  auto const& last = result.points().back();
  CHECK(to_string(last.at) == "hypercube:3, m 4");
  CHECK(last.counts.words == 12);
  CHECK(last.measured == std::vector<double>{3, 12});
  CHECK(result.table() ==
        "network      m  steps = log2 p  words <= m log2 p  verdict\n"
        "hypercube:1  1               1                  1  holds\n"
        "hypercube:1  4               1                  4  holds\n"
        "hypercube:2  1               2                  2  holds\n"
        "hypercube:2  4               2                  8  holds\n"
        "hypercube:3  1               3                  3  holds\n"
        "hypercube:3  4               3                 12  holds\n");
  CHECK(result.report() == result.table());
  CHECK_NOTHROW(require(result));
  CHECK(holds_everywhere().match(result));
}

TEST_CASE("networks come one by one, or from a factory, and points may be left out",
          "[core][sweep]") {
  auto const result = sweep()
                          .on(torus{{4}})
                          .on({2, 3}, [](int p) { return crossbar{p}; })
                          .over("n", powers_of_two(1, 4))
                          .over("m", {2})
                          .where([](problem_instance const& at) { return at["n"] >= at.p(); })
                          .run([](processor&, problem_instance const&) {});
  std::vector<std::string> where;
  for (auto const& point : result.points()) where.push_back(to_string(point.at));
  CHECK(where == std::vector<std::string>{"torus:4, m 2, n 4", "crossbar:2, m 2, n 2",
                                          "crossbar:2, m 2, n 4", "crossbar:3, m 2, n 4"});
}

TEST_CASE("the first mismatch is shown with its first wrong step", "[core][sweep]") {
  auto few = claimed_words;
  few.formula = "4m";
  few.value = [](problem_instance const& at) { return 2 * at["m"]; };
  auto const result = cubes().run(all_sums, {claimed_steps, few});
  CHECK_FALSE(result.holds());
  CHECK(result.report() ==
        "first mismatch, of 2 in 6 runs: hypercube:3, m 1\n"
        "counted on hypercube:3: " +
            to_string(result.points()[4].counts) +
            "\nwords: 3, more than 2 = 4m\n"
            "  step 3 takes words from 2 to 3:\n"
            "    4 -> 0: 1 word\n    5 -> 1: 1 word\n    6 -> 2: 1 word\n    7 -> 3: 1 word\n"
            "    0 -> 4: 1 word\n    1 -> 5: 1 word\n    2 -> 6: 1 word\n    3 -> 7: 1 word\n"
            "\n" +
            result.table());
  CHECK(result.table().find("hypercube:3  4               3  12, not <= 8  WRONG\n") !=
        std::string::npos);
  CHECK_THROWS_AS(require(result), lockstep::expectation_failed);
  holds_everywhere const matcher;
  CHECK_FALSE(matcher.match(result));
  CHECK(matcher.toString() == "holds everywhere\n" + result.report());
}

TEST_CASE("an order of growth has a least and a largest constant", "[core][sweep]") {
  claim const grows{"words", "m p", [](problem_instance const& at) { return at["m"] * at.p(); },
                    comparison::order};
  auto const result = cubes().run(all_sums, {grows});
  CHECK(result.holds());
  CHECK(
      result.table().ends_with("hypercube:3  4  12 = 0.375 times  decides nothing\n"
                               "words order m p: 0.375 to 0.5 times: holds\n"));
}

namespace {

/// A number along a chain of ranks, or by doubling.
void broadcast_along_chain(processor& me, problem_instance const& /*at*/) {
  if (me.rank() > 0) static_cast<void>(me.receive_value<int>(me.rank() - 1));
  if (me.rank() + 1 < me.size()) me.send(me.rank() + 1, 7);
}

void broadcast_by_doubling(processor& me, problem_instance const& /*at*/) {
  for (int reached = 1; reached < me.size(); reached *= 2) {
    if (me.rank() < reached && me.rank() + reached < me.size()) me.send(me.rank() + reached, 7);
    if (me.rank() >= reached && me.rank() < 2 * reached)
      static_cast<void>(me.receive_value<int>(me.rank() - reached));
  }
}

claim const order_of_steps{"steps", "log2 p", log_p, comparison::order};

}  // namespace

TEST_CASE("an order of growth is judged by the trend over all sizes", "[core][sweep]") {
  auto const on = [](std::vector<int> const& sizes) {
    return sweep().on(sizes, [](int p) { return crossbar{p}; });
  };
  auto const chain = on(powers_of_two(4, 1024)).run(broadcast_along_chain, {order_of_steps});
  CHECK_FALSE(holds_everywhere().match(chain));
  CHECK(chain.first_mismatch() == nullptr);
  CHECK(chain.judged(0).verdict == lockstep::claim_verdict::our_program_exceeds);
  CHECK(
      chain.report().starts_with("steps order log2 p: our program exceeds: the constants rise on"));
  CHECK_THROWS_AS(require(chain), lockstep::expectation_failed);

  auto const tree = on(powers_of_two(4, 1024)).run(broadcast_by_doubling, {order_of_steps});
  CHECK(holds_everywhere().match(tree));
  CHECK(tree.judged(0).verdict == lockstep::claim_verdict::holds);

  auto const by_words =
      sweep().on({16}, [](int p) { return crossbar{p}; }).over("m", {1, 4, 16, 64});
  auto const of_one_p = by_words.run(broadcast_by_doubling, {order_of_steps});
  CHECK(of_one_p.judged(0).verdict == lockstep::claim_verdict::decides_nothing);

  auto const one_size = on({64}).run(broadcast_by_doubling, {order_of_steps});
  CHECK_FALSE(holds_everywhere().match(one_size));
  CHECK(one_size.report().starts_with(
      "steps order log2 p: decides nothing: one size decides nothing\n"));
}

TEST_CASE("a sweep's table has steps and words in turns where messages share links",
          "[core][sweep]") {
  auto const shift_by_two = [](processor& me, problem_instance const& /*at*/) {
    (void)me.exchange((me.rank() + 2) % me.size(), std::vector<int>(3),
                      (me.rank() + me.size() - 2) % me.size());
  };
  claim const three_words{"words", "3", [](problem_instance const&) { return 3.0; }};
  auto const both = sweep().on(torus{{8}}).on(crossbar{8});
  auto const found = both.run(shift_by_two, {three_words});
  CHECK(holds_everywhere().match(found));
  auto const shared = found.table();
  INFO(shared);
  CHECK(shared.find("in turns") != std::string::npos);
  CHECK(shared.find("2 steps, 6 words  equal\n") != std::string::npos);
  CHECK(shared.find("-  equal\n") != std::string::npos);
  CHECK(sweep().on(crossbar{8}).run(shift_by_two, {three_words}).table().find("in turns") ==
        std::string::npos);
}

TEST_CASE("runs outside a claim's hypotheses do not count", "[core][sweep]") {
  auto few = claimed_words;
  few.value = [](problem_instance const& at) { return 2 * at["m"]; };
  few.where = {{"p <= 4", [](problem_instance const& at) { return at.p() <= 4; }}};
  auto const result = cubes().run(all_sums, {few});
  CHECK(result.holds());
  CHECK(result.judged(0).verdict == lockstep::claim_verdict::holds);
  CHECK(result.table().find("hypercube:3  4  12, outside the claim  outside the claim\n") !=
        std::string::npos);
  few.where = {{"p > 8", [](problem_instance const& at) { return at.p() > 8; }}};
  auto const outside = cubes().run(all_sums, {few});
  CHECK_FALSE(outside.holds());
  CHECK(outside.judged(0).verdict == lockstep::claim_verdict::outside_the_claim);
}

TEST_CASE("a wrong result is a mismatch", "[core][sweep]") {
  auto const result = cubes().run(
      [](processor& me, problem_instance const& at) { return me.rank() < 5 && at.p() > 0; });
  CHECK_FALSE(result.holds());
  REQUIRE(result.first_mismatch() != nullptr);
  CHECK(to_string(result.first_mismatch()->at) == "hypercube:3, m 1");
  CHECK(result.first_mismatch()->error == "wrong result on processor 5");
  CHECK(result.first_mismatch()->has_ended);
  CHECK(result.table().ends_with("hypercube:3  4  wrong result on processor 5\n"));
}

TEST_CASE("a run that ends in an error is a row, and the others go on", "[core][sweep]") {
  auto const result = sweep()
                          .on(integers(2, 4), [](int p) { return torus{{p}}; })
                          .run(
                              [](processor& me, problem_instance const&) {
                                int const left = (me.rank() + me.size() - 1) % me.size();
                                if (me.size() == 3) static_cast<void>(me.receive_value<int>(left));
                              },
                              {{"steps", "0", 0}});
  REQUIRE(result.points().size() == 3);
  CHECK(result.points()[0].report.empty());
  CHECK(result.points()[2].report.empty());
  auto const& failed = result.points()[1];
  CHECK(failed.error.find("waits for") != std::string::npos);
  CHECK(failed.report == failed.error);
  CHECK_FALSE(failed.has_ended);
  CHECK(result.points()[0].has_ended);
  CHECK(failed.counts == lockstep::counts{});
  CHECK(result.table().find("torus:3          -  ") != std::string::npos);
  CHECK(result.first_mismatch() == &failed);
}

TEST_CASE("options hold for all machines", "[core][sweep]") {
  auto const result =
      sweep().on(crossbar{3}).with({.packet = 10}).run([](processor& me, problem_instance const&) {
        if (me.rank() == 0) me.send(1, 7);
        if (me.rank() == 1) static_cast<void>(me.receive_value<int>(0));
      });
  CHECK(result.points().front().counts.words == 10);
}

TEST_CASE("a sweep that cannot be is refused", "[core][sweep]") {
  auto const nothing = [](processor&, problem_instance const&) {};
  CHECK_THROWS_AS(sweep().run(nothing), lockstep::invalid_argument);
  CHECK_THROWS_AS(sweep().over("m", {}), lockstep::invalid_argument);
  CHECK_THROWS_AS(cubes().over("m", {2}), lockstep::invalid_argument);
  CHECK_THROWS_AS(cubes().where([](problem_instance const&) { return false; }).run(nothing),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(sweep().on(std::shared_ptr<lockstep::topology const>()),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(sweep().on({0}, [](int p) { return crossbar{p}; }), lockstep::invalid_topology);
  claim const of_n{"steps", "n", [](problem_instance const& at) { return at["n"]; }};
  CHECK_THROWS_AS(cubes().run(nothing, {of_n}), lockstep::invalid_argument);
}

TEST_CASE("runs of a sweep are the same however many are made at a time", "[core][sweep]") {
  auto const run = [](sweep const& of) { return of.run(all_sums, {claimed_steps, claimed_words}); };
  auto const one_by_one = run(cubes());
  for (int const at_a_time : {0, 2, 5}) {
    auto const many = run(cubes().parallel(at_a_time));
    CHECK(many.table() == one_by_one.table());
    REQUIRE(many.points().size() == one_by_one.points().size());
    for (std::size_t i = 0; i < many.points().size(); ++i)
      CHECK(many.points()[i].counts == one_by_one.points()[i].counts);
  }
  for (int const wrong : {-1, 257})
    CHECK(reference::complaint_of<lockstep::invalid_argument>([&] {
            static_cast<void>(cubes().parallel(wrong));
          }).find("take a number from 0 (one a core) to 256") != std::string::npos);
}

TEST_CASE("a sweep has the bounds of every program for its problem", "[core][sweep]") {
  auto const traffic = [](problem_instance const& at) {
    auto const p = static_cast<std::uint64_t>(at.p());
    return lockstep::traffic_requirement{.taken_in = at.whole("m"),
                                         .moved = (p - 1) * at.whole("m"),
                                         .distance = at.topology().diameter(),
                                         .joined = p};
  };
  auto const result = cubes().traffic(traffic).run(all_sums, {claimed_steps});
  CHECK(result.holds());
  for (auto const& point : result.points()) {
    INFO(to_string(point.at));
    auto const* const steps = lockstep::strongest(point.bounds, "steps");
    REQUIRE(steps != nullptr);
    CHECK(steps->value == point.counts.steps);  // log2 p: no program is faster
    CHECK(lockstep::strongest(point.bounds, "words")->value == point.at.whole("m"));
    CHECK(point.makespan >= point.counts.steps);
  }
  // More than the program moves: either is wrong, and the sweep says so.
  auto const too_much = cubes()
                            .traffic([](problem_instance const&) {
                              return lockstep::traffic_requirement{.taken_in = 1000};
                            })
                            .run(all_sums, {claimed_steps});
  CHECK_FALSE(too_much.holds());
  CHECK(too_much.report().find("words below 1000") != std::string::npos);
}

namespace {

/// A store in memory.
class remembered : public lockstep::run_store {
 public:
  std::map<std::size_t, lockstep::sweep_point> begin(std::string const& text) override {
    texts.push_back(text);
    return kept;
  }
  void keep(std::size_t place, lockstep::sweep_point const& run) override {
    kept[place] = run;
    kept[place].measured.clear();
    kept[place].at = {};
    ++times_kept;
  }

  std::map<std::size_t, lockstep::sweep_point> kept;
  std::vector<std::string> texts;
  int times_kept = 0;
};

}  // namespace

TEST_CASE("a sweep goes on from the runs that a store has", "[core][sweep]") {
  auto const store = std::make_shared<remembered>();
  std::vector<lockstep::claim> const claims{claimed_steps, claimed_words};
  auto const whole = cubes().run(all_sums, claims);
  CHECK(cubes().resume(store).run(all_sums, claims).table() == whole.table());
  REQUIRE(store->times_kept == 6);
  // Three runs are lost; only these are made again.
  for (std::size_t const place : {1, 3, 4}) store->kept.erase(place);
  std::atomic<int> runs = 0;
  auto const counted = [&](processor& me, problem_instance const& at) {
    if (me.rank() == 0) ++runs;
    return all_sums(me, at);
  };
  CHECK(cubes().resume(store).run(counted, claims).report() == whole.report());
  CHECK(runs == 3);
  CHECK(store->times_kept == 9);
  // The text tells sweeps from each other.
  REQUIRE(store->texts.size() == 2);
  CHECK(store->texts[0] == store->texts[1]);
  static_cast<void>(cubes().resume(store).run(all_sums, {claimed_words}));
  static_cast<void>(cubes().with({.strict = true}).resume(store).run(all_sums, claims));
  static_cast<void>(cubes().over("k", {1}).resume(store).run(all_sums, claims));
  std::set<std::string> const texts(store->texts.begin(), store->texts.end());
  CHECK(texts.size() == 4);
  CHECK_THROWS_AS(cubes().resume(nullptr), lockstep::invalid_argument);
}

TEST_CASE("a sweep takes over no runs of other claims, traffic or options", "[core][sweep]") {
  auto const store = std::make_shared<remembered>();
  auto const text_with = [&](sweep const& of, std::vector<claim> const& claims) {
    static_cast<void>(of.resume(store).run(all_sums, claims));
    store->kept.clear();
    return store->texts.back();
  };
  claim const steps{.figure = "steps", .formula = "log2 p", .value = log_p};
  std::set<std::string> texts{text_with(cubes(), {steps})};
  CHECK(texts.contains(text_with(cubes(), {steps})));
  // Each differs from the first in one thing alone.
  auto const changed = [&](auto const& change) {
    auto other = steps;
    change(other);
    return text_with(cubes(), {other});
  };
  auto const only = [](std::string const& text, bool is_met) {
    return [=](claim& one) { one.where = {{text, is_met}}; };
  };
  texts.insert(changed([](claim& one) {
    one.value = [](problem_instance const& at) { return log_p(at) + (at["m"] == 4 ? 1 : 0); };
  }));
  texts.insert(changed(only("p > 1", true)));
  texts.insert(changed(only("p > 2", true)));
  texts.insert(changed(only("p > 2", false)));
  texts.insert(changed([](claim& one) { one.erratum = "counts half of them"; }));
  texts.insert(changed([](claim& one) { one.source = "page 3"; }));
  texts.insert(changed([](claim& one) { one.evidence = "a lower bound"; }));
  for (double const tau : {1, 2})
    texts.insert(changed([&](claim& one) {
      one.figure = "time";
      one.model = lockstep::block_distributed_model{.tau_words = tau};
    }));
  CHECK(texts.size() == 10);
  for (std::uint64_t const words : {0, 1, 2})
    texts.insert(text_with(cubes().traffic([=](problem_instance const& at) {
      return lockstep::traffic_requirement{.taken_in = at["m"] == 4 ? words : 0};
    }),
                           {steps}));
  texts.insert(text_with(cubes().with({.guarded = true}), {steps}));
  CHECK(texts.size() == 14);
}

TEST_CASE("a formula that fails of a run without an end stops no sweep that is resumed",
          "[core][sweep]") {
  auto const fails = [](processor& me, problem_instance const& at) {
    if (at["m"] == 4) static_cast<void>(me.receive<int>(me.rank() ^ 1));
    me.idle(1);
  };
  claim const one{.figure = "steps",
                  .formula = "1",
                  .value = [](problem_instance const& at) { return at["m"] == 4 ? at["n"] : 1; },
                  .bound = comparison::at_most};
  auto const traffic = [](problem_instance const& at) {
    return lockstep::traffic_requirement{.taken_in = at["m"] == 4 ? at.whole("n") : 0};
  };
  auto const whole = cubes().traffic(traffic).run(fails, {one});
  auto const store = std::make_shared<remembered>();
  CHECK(cubes().traffic(traffic).resume(store).run(fails, {one}).table() == whole.table());
  CHECK(store->times_kept == 6);
}

TEST_CASE("an error in a sweep lets no more runs begin", "[core][sweep]") {
  using std::chrono::milliseconds;
  auto const sizes = sweep().on(crossbar{2}).over("m", integers(1, 40));
  for (int const at_a_time : {1, 2, 4}) {
    std::atomic<int> begun = 0;
    std::atomic<bool> has_failed = false;
    claim const fails{"steps", "n", [&](problem_instance const& at) {
                        has_failed = has_failed || at["m"] == 1;
                        return at["m"] == 1 ? at["n"] : 0;
                      }};
    // The others begin while the first runs, and end after its claim has failed.
    auto const slow = [&](processor& me, problem_instance const& at) {
      if (me.rank() != 0) return;
      ++begun;
      std::this_thread::sleep_for(milliseconds(at["m"] == 1 ? 100 : 20));
      for (int waits = 0; at["m"] > 1 && !has_failed && waits < 500; ++waits)
        std::this_thread::sleep_for(milliseconds(2));
      if (at["m"] > 1) std::this_thread::sleep_for(milliseconds(20));
    };
    INFO(at_a_time << " at a time");
    CHECK_THROWS_AS(sizes.parallel(at_a_time).run(slow, {fails}), lockstep::invalid_argument);
    CHECK(begun < 20);
  }
}

TEST_CASE("a cluster's processes make the runs of a sweep one after the other", "[core][sweep]") {
  reference::shared_board board(1);
  reference::thread_cluster cluster(board, 0);
  auto const together = cubes().with({.cluster = &cluster});
  CHECK(together.run(all_sums, {claimed_steps}).table() ==
        cubes().run(all_sums, {claimed_steps}).table());
  for (auto const& refused :
       {together.parallel(), together.parallel(2), together.resume(std::make_shared<remembered>())})
    CHECK(reference::complaint_of<lockstep::invalid_argument>(
              [&] { static_cast<void>(refused.run(all_sums)); }) ==
          "sweep: the processes of a cluster make each run together, in the same order; leave out "
          "parallel and resume, or the cluster");
}

TEST_CASE("a board counts the runs of a sweep that are done", "[core][sweep]") {
  lockstep::work_progress board;
  {
    lockstep::progress_scope const noting(board);
    static_cast<void>(cubes().parallel(2).run(all_sums));
  }
  CHECK(board.state().stage == "running");
  CHECK(board.state().done == 6);
  CHECK(board.state().total == 6);
}
