#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/output_file.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/default_request.hpp"

namespace {

[[nodiscard]] lockstep::experiment_result run_on(std::string const& name, std::string const& spec,
                                                 given_parameters const& with) {
  auto const& which = *lockstep::find_experiment(name);
  return which.run(default_request(which, spec, with));
}

void check_bounds(lockstep::experiment_result const& result) {
  for (auto const& bound : result.bounds) {
    INFO(bound.figure << " >= " << bound.formula << " = " << bound.value << "; "
                      << result.record.counts());
    CHECK(bound.value > 0);
    CHECK(holds(bound, result.record.counts()));
  }
}

}  // namespace

TEST_CASE("no algorithm touches what is not its processor's own, or was moved away") {
  for (auto const& which : lockstep::experiments()) {
    auto asked = default_request(which, which.examples.front());
    auto const plain = which.run(asked);
    asked.options.guarded = true;
    auto const guarded = which.run(asked);
    INFO(which.name << " on " << which.examples.front());
    CHECK(guarded.correct);
    CHECK(guarded.record.counts() == plain.record.counts());
  }
}

namespace {

/// Runs it with one parameter at another value: it is right and keeps its claims, or is refused.
void check_with(lockstep::experiment const& which, lockstep::parameter const& taken,
                lockstep::parameter_value const& value) {
  INFO(which.name << " --" << taken.name);
  try {
    auto const result = run_on(which.name, which.examples.back(), {{taken.name, value}});
    CHECK(result.correct);
    for (auto const& claimed : result.claims)
      CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
    check_bounds(result);
  } catch (lockstep::invalid_argument const& /*this value needs others of other parameters*/) {
  }
}

/// Whether it runs there, or is refused for another reason than the network.
[[nodiscard]] bool is_network_for(lockstep::experiment const& which, std::string const& network) {
  auto asked = default_request(which, network);
  if (asked.parameters.contains("n")) asked.parameters["n"] = std::int64_t{64};
  try {
    return which.run(asked).correct;
  } catch (lockstep::invalid_argument const& why) {
    return why.message().find(network) == std::string::npos;
  }
}

}  // namespace

TEST_CASE("every parameter's least value and names are right or refused, and no others taken") {
  for (auto const& which : lockstep::experiments())
    for (auto const& taken : which.parameters) {
      INFO(which.name << " --" << taken.name);
      for (auto const& name : taken.names) check_with(which, taken, name);
      if (!taken.names.empty())
        CHECK_THROWS_AS(
            run_on(which.name, which.examples.back(), {{taken.name, std::string("other")}}),
            lockstep::invalid_argument);
      if (!taken.least) continue;
      check_with(which, taken, *taken.least);
      CHECK_THROWS_AS(run_on(which.name, which.examples.back(), {{taken.name, *taken.least - 1}}),
                      lockstep::invalid_argument);
      if (*taken.most < std::numeric_limits<std::int64_t>::max())
        CHECK_THROWS_AS(run_on(which.name, which.examples.back(), {{taken.name, *taken.most + 1}}),
                        lockstep::invalid_argument);
    }
}

TEST_CASE("the form that reads as the paper has the counts of the other, and keeps its claims") {
  for (auto const& which : lockstep::experiments())
    for (auto const& taken : which.parameters) {
      if (taken.name != "textbook") continue;
      for (auto const& example : which.examples) {
        INFO(which.name << " on " << example);
        lockstep::experiment_result result;
        try {
          result = run_on(which.name, example, {{"textbook", true}});
        } catch (lockstep::invalid_argument const& /*not one of the paper's networks*/) {
          CHECK((example != which.examples.front() || which.name == "pipelined-prefix"));
          continue;
        }
        CHECK(result.correct);
        CHECK_FALSE(result.claims.empty());
        for (auto const& claimed : result.claims)
          CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
        given_parameters same;
        if (result.figures.contains("scheme")) same["scheme"] = result.figures.at("scheme");
        if (which.name == "all-to-all") same["scheme"] = std::string("paper");
        if (which.name == "pipelined-prefix") same["scheme"] = std::string("halving");
        if (which.name == "merge") same["lists"] = std::string("whole");
        auto other = run_on(which.name, example, same).record.counts();
        other.rearrangements = result.record.counts().rearrangements;
        other.rearranged = result.record.counts().rearranged;
        CHECK(result.record.counts() == other);
      }
    }
}

TEST_CASE("the form that reads as the paper takes no files that it would leave alone") {
  for (auto const* const file : {"in.csv", "out.csv"}) {
    auto const& which = *lockstep::find_experiment("all-to-all");
    auto asked = default_request(which, "torus:4x4");
    asked.parameters["textbook"] = true;
    (file == std::string("in.csv") ? asked.input : asked.output) = file;
    CHECK_THROWS_AS(which.run(asked), lockstep::invalid_argument);
  }
}

TEST_CASE("networks on which an algorithm does not run are refused with one on which it does") {
  std::regex const spec("[a-z-]+:[0-9]+(x[0-9]+)*");
  for (auto const& which : lockstep::experiments())
    for (auto const* const network :
         {"tree:2", "hypercube:2", "shuffle-exchange:2", "torus:3x3", "mesh:3x2", "crossbar:4"}) {
      INFO(which.name << " on " << network);
      std::string refused;
      try {
        bool const correct = run_on(which.name, network, {}).correct;
        CHECK(correct);
        continue;
      } catch (lockstep::invalid_argument const& why) {
        refused = why.message();
      }
      INFO(refused);
      CHECK(refused.find(network) != std::string::npos);
      bool runs_on_another = false;
      for (std::sregex_iterator found(refused.begin(), refused.end(), spec), end; found != end;
           ++found)
        runs_on_another =
            runs_on_another || (found->str() != network && is_network_for(which, found->str()));
      CHECK(runs_on_another);
    }
}

TEST_CASE("bounds are attained where an algorithm is the best there can be") {
  auto const gap = [](std::string const& figure, lockstep::experiment_result const& result) {
    auto const* const bound = strongest(result.bounds, figure);
    REQUIRE(bound != nullptr);
    return metric_value(result.record.counts(), figure) - bound->value;
  };
  CHECK(gap("steps", run_on("all-to-all", "torus:12x12", {})) == 0);
  CHECK(gap("steps", run_on("prefix", "hypercube:5", {})) == 0);
  CHECK(gap("volume", run_on("all-to-all-direct", "torus:8x4", {})) == 0);
  CHECK(gap("words", run_on("h-relation-direct", "crossbar:16", {})) == 0);
  CHECK(gap("words", run_on("transpose", "crossbar:8", {{"words", std::int64_t{64}}})) == 0);
  for (auto const* const name : {"all-gather", "scatter", "gather"})
    CHECK(gap("words", run_on(name, "crossbar:8", {{"words", std::int64_t{3}}})) == 0);
  CHECK(gap("volume", run_on("scatter", "crossbar:8", {{"scheme", std::string("direct")}})) == 0);
}

TEST_CASE("bad input is an error of lockstep, and concerns no processor") {
  try {
    lockstep::output_file const out("/nowhere/out.txt");
    FAIL("nothing was thrown");
  } catch (lockstep::error const& refused) {
    CHECK(dynamic_cast<lockstep::bad_input const*>(&refused) != nullptr);
    CHECK(refused.rank() == -1);
    CHECK(refused.step() == 0);
    CHECK(refused.what() == refused.message());  // no place in a program follows
  }
}

TEST_CASE("every algorithm is listed once and found by name") {
  std::set<std::string> names;
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name);
    CHECK(names.insert(which.name).second);
    CHECK(lockstep::find_experiment(which.name) == &which);
    CHECK_FALSE(which.summary.empty());
    CHECK_FALSE(which.topologies.empty());
    CHECK_FALSE(which.source.empty());
    for (auto const& taken : which.parameters) CHECK_FALSE(taken.help.empty());
  }
  CHECK(names.contains("all-to-all"));
  CHECK(lockstep::find_experiment("all-to-none") == nullptr);
  CHECK(lockstep::find_experiment("") == nullptr);
}

namespace {

/// Whether the verdict is one that the claim can have, by its hypotheses and by what was measured.
void check_verdict(lockstep::claim const& claimed, double measured) {
  using lockstep::comparison;
  using enum lockstep::claim_verdict;
  auto const found = judge(claimed, measured);
  CHECK_FALSE(found.is_fault);
  bool const is_met =
      std::ranges::all_of(claimed.where, [](auto const& one) { return one.is_met(); });
  CHECK((found.verdict == outside_the_claim) == !is_met);
  CHECK(found.verdict != not_run);
  if (found.verdict == equal)
    CHECK((claimed.bound == comparison::equal && measured == claimed.value()));
  if (found.verdict == holds)
    CHECK((claimed.bound != comparison::equal && measured <= claimed.value()));
  if (found.verdict == refuted) CHECK_FALSE(claimed.evidence.empty());
  if (found.verdict == our_program_exceeds) CHECK(measured > claimed.value());
  if (claimed.bound == comparison::order && is_met) CHECK(found.verdict == decides_nothing);
}

}  // namespace

TEST_CASE("every algorithm runs on its examples, is right, and keeps its claims") {
  for (auto const& which : lockstep::experiments())
    for (auto const& example : which.examples) {
      auto asked = default_request(which, example);
      auto const result = which.run(asked);
      INFO(which.name << " on " << example);
      CHECK(result.correct);
      CHECK_FALSE(result.claims.empty());
      CHECK(asked.network->spec() == example);
      for (auto const& taken : which.parameters) CHECK(result.parameters.contains(taken.name));
      for (auto const& claimed : result.claims) {
        INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                            << claimed.value() << ", measured " << measured_for(claimed, result));
        CHECK_FALSE(claimed.formula.empty());
        CHECK_FALSE(claimed.source.empty());
        CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
        check_verdict(claimed, measured_for(claimed, result));
      }
      CHECK_FALSE(result.bounds.empty());
      check_bounds(result);
    }
}

TEST_CASE("a claim is about counts, about what is measured besides, or about a time") {
  lockstep::experiment_result result{
      .record = lockstep::run_record({.startups = 3, .words = 20}, {}, {}, {}),
      .figures = {{"bin1", std::int64_t{7}}, {"load", 0.5}, {"on", true}}};
  auto const about = [&](std::string const& figure) {
    lockstep::claim claimed;
    claimed.figure = figure;
    return measured_for(claimed, result);
  };
  CHECK(about("words") == 20);
  CHECK(about("bin1") == 7);
  CHECK(about("load") == 0.5);
  CHECK_THROWS_AS(about("on"), lockstep::invalid_argument);
  CHECK_THROWS_AS(about("time"), lockstep::invalid_argument);
  lockstep::claim priced;
  priced.figure = "time";
  priced.model = lockstep::block_distributed_model{.tau_words = 10};
  CHECK(measured_for(priced, result) == 50);
}
