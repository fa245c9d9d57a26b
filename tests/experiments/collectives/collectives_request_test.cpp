#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

using values = std::map<std::string, lockstep::parameter_value>;

constexpr char const* all_names[] = {"transpose", "broadcast", "all-gather", "gather",
                                     "scatter",   "reduce",    "all-reduce"};

/// The schemes that one can ask for; "" where there is no choice.
std::vector<std::string> schemes_of(std::string const& name) {
  if (name == "transpose") return {""};
  if (name == "all-gather") return {"cheapest", "direct", "k-ary"};
  if (name == "gather" || name == "scatter") return {"cheapest", "direct", "k-ary"};
  return {"transpose", "direct", "k-ary"};
}

lockstep::experiment_request request_for(std::string const& name, std::string const& on,
                                         values const& given) {
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  for (auto const& taken : lockstep::find_experiment(name)->parameters)
    asked.parameters[taken.name] = taken.fallback;
  for (auto const& [parameter, value] : given) asked.parameters[parameter] = value;
  return asked;
}

lockstep::experiment_result run(std::string const& name,
                                lockstep::experiment_request const& asked) {
  return lockstep::find_experiment(name)->run(asked);
}

std::string refusal_of(std::string const& name, std::string const& on, values const& given) {
  try {
    static_cast<void>(run(name, request_for(name, on, given)));
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.step() == 0);  // before anything ran
    return refused.message();
  }
  return "not refused";
}

void check_right(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  CHECK(result.record.counts().queued == 0);
  CHECK(result.claims.size() >= 6);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ", measured "
                        << measured_for(claimed, result));
    CHECK(claimed.erratum.empty());
    CHECK(holds(claimed, measured_for(claimed, result)));
  }
}

}  // namespace

TEST_CASE("collectives asked for by name are right, whatever the parameters") {
  for (std::string const name : all_names)
    for (auto const& scheme : schemes_of(name))
      for (int const p : {1, 2, 5, 9})
        for (std::int64_t const words : {0, 1, 3, 20})
          for (std::int64_t const packet : {1, 4})
            for (auto const* const access : {"messages", "reads", "writes"}) {
              INFO(name << " " << scheme << ", p = " << p << ", words " << words << ", packet "
                        << packet << ", " << access);
              values given{{"words", words},
                           {"packet", packet},
                           {"access", std::string(access)},
                           {"tau", std::int64_t{8}},
                           {"seed", words}};
              if (!scheme.empty()) given["scheme"] = scheme;
              if (name != "transpose" && name.find("all") == std::string::npos)
                given["root"] = std::int64_t{p - 1};
              check_right(run(name, request_for(name, "crossbar:" + std::to_string(p), given)));
            }
}

TEST_CASE("claims hold where a packet is far larger than all words") {
  for (auto const* const name : {"transpose", "broadcast", "scatter", "all-gather", "reduce"}) {
    auto const result = run(
        name, request_for(name, "crossbar:8",
                          {{"packet", std::int64_t{1} << 27U}, {"tau", std::int64_t{1} << 27U}}));
    INFO(name);
    for (auto const& claimed : result.claims)
      CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
  }
}

TEST_CASE("collectives go by default as their papers say") {
  auto const counts = [](std::string const& name, values const& given) {
    auto const result = run(name, request_for(name, "crossbar:16", given));
    check_right(result);
    return result.record.counts();
  };
  std::int64_t const eight = 8;
  CHECK(counts("broadcast", {{"words", std::int64_t{32}}}).words == 60);  // 2(q - q/p)
  CHECK(counts("transpose", {{"words", std::int64_t{32}}}).words == 30);
  CHECK(counts("scatter", {{"words", eight}}).rounds == 15);
  CHECK(counts("gather", {{"words", eight}}).words == 120);
  CHECK(counts("all-gather", {{"words", eight}}).words == 120);
  values const ternary{{"tau", std::int64_t{2}}};
  CHECK(counts("reduce", ternary).startups == 3);
  CHECK(counts("all-reduce", ternary).startups == 6);
}

TEST_CASE("the way that was the cheapest is told") {
  auto const way = [](values const& given) {
    auto const result = run("all-gather", request_for("all-gather", "crossbar:30", given));
    return std::get<std::string>(result.figures.at("scheme"));
  };
  CHECK(way({}) == "direct");
  CHECK(way({{"packet", std::int64_t{32}}, {"tau", std::int64_t{64}}}) == "two-phase");
  CHECK(
      way({{"packet", std::int64_t{32}}, {"tau", std::int64_t{32}}, {"words", std::int64_t{2}}}) ==
      "k-ary");
  auto const tree =
      run("broadcast", request_for("broadcast", "crossbar:4", {{"scheme", std::string("k-ary")}}));
  CHECK(std::get<std::int64_t>(tree.figures.at("k")) == 17);
}

TEST_CASE("collectives asked for by name refuse what they cannot do") {
  for (std::string const name : all_names) {
    INFO(name);
    CHECK(refusal_of(name, "hypercube:3", {}) ==
          "hypercube:3 is not a crossbar; this algorithm needs a link between every pair, for "
          "example "
          "crossbar:8");
    CHECK(refusal_of(name, "crossbar:4", {{"words", std::int64_t{-1}}}) ==
          "words has to be at least 0, not -1");
    CHECK(refusal_of(name, "crossbar:4", {{"packet", std::int64_t{0}}}) ==
          "packet has to be at least 1, not 0");
    CHECK(refusal_of(name, "crossbar:4", {{"tau", std::int64_t{-1}}}) ==
          "tau has to be at least 0, not -1");
    CHECK(refusal_of(name, "crossbar:4", {{"access", std::string("both")}}) ==
          "access: 'both' is not one of messages, reads, writes");
    CHECK_THROWS_AS(
        run(name, request_for(name, "crossbar:1000000", {{"words", std::int64_t{2'147'483'647}}})),
        lockstep::out_of_memory);
    if (name == "transpose") continue;
    CHECK_THAT(refusal_of(name, "crossbar:4", {{"scheme", std::string("best")}}),
               Catch::Matchers::StartsWith("scheme: 'best' is not one of "));
    CHECK_THAT(refusal_of(name, "crossbar:4",
                          {{"scheme", std::string("k-ary")}, {"tau", std::int64_t{0}}}),
               has_text("tau = 0 is not a whole number of packets of 1 words"));
    CHECK_THAT(refusal_of(name, "crossbar:4",
                          {{"scheme", std::string("k-ary")}, {"packet", std::int64_t{17}}}),
               has_text("give tau 17, say"));
    // Bounds may fail, but nothing else.
    for (std::string const scheme : {"", "k-ary"}) {
      auto given = request_for(name, "crossbar:30", {{"packet", std::int64_t{3}}});
      if (!scheme.empty()) given.parameters["scheme"] = scheme;
      auto const result = run(name, given);
      CHECK(result.correct);
      for (auto const& one : result.claims)
        CHECK((holds(one, measured_for(one, result)) || !one.erratum.empty()));
    }
  }
  for (std::string const name : {"broadcast", "gather", "scatter", "reduce"})
    CHECK(refusal_of(name, "crossbar:4", {{"root", std::int64_t{4}}}) ==
          "root has to be at most 3, not 4");
  CHECK(refusal_of("all-gather", "crossbar:4",
                   {{"scheme", std::string("two-phase")}, {"words", std::int64_t{2}}}) ==
        "two-phase is for one word each, not 2; take --words 1, or --scheme k-ary");
}

TEST_CASE("block-broadcast and matrix-sum are right, whatever the parameters") {
  for (int const p : {1, 2, 5, 9, 16})
    for (std::int64_t const packet : {1, 4})
      for (std::int64_t const tau : {4, 8, 60})
        for (std::int64_t const root : {0, p - 1}) {
          auto const network = "crossbar:" + std::to_string(p);
          values given{{"packet", packet}, {"tau", tau}, {"root", root}, {"seed", tau}};
          INFO(network << ", packet " << packet << ", tau " << tau << ", root " << root);
          for (std::int64_t const size : {0, 1, 3, 8, 20}) {
            given["words"] = size;
            for (std::int64_t const way : {1, 2}) {
              given["way"] = way;
              check_right(run("block-broadcast", request_for("block-broadcast", network, given)));
            }
            given["n"] = size;
            check_right(run("matrix-sum", request_for("matrix-sum", network, given)));
            given.erase("n");
          }
        }
}

TEST_CASE("block-broadcast and matrix-sum count what the page says") {
  values const of_nine{{"tau", std::int64_t{8}},  // k = 3
                       {"packet", std::int64_t{4}},
                       {"words", std::int64_t{180}}};
  auto const blocks = run("block-broadcast", request_for("block-broadcast", "crossbar:9", of_nine));
  check_right(blocks);
  CHECK(blocks.record.counts().startups == 4);
  CHECK(blocks.record.counts().words == 2 * (2 * 60 + 2 * 20));
  auto second = of_nine;
  second["way"] = std::int64_t{2};
  auto const in_two = run("block-broadcast", request_for("block-broadcast", "crossbar:9", second));
  CHECK(in_two.record.counts().startups == 2);
  CHECK(in_two.record.counts().words == 2 * 8 * 20);
  CHECK_FALSE(in_two.figures.contains("k"));
  auto const sums = run(
      "matrix-sum",
      request_for("matrix-sum", "crossbar:9", {{"tau", std::int64_t{2}}, {"n", std::int64_t{6}}}));
  check_right(sums);
  CHECK(sums.record.counts().words == 2 * (2 * 12 + 2 * 4));
  CHECK(std::get<std::int64_t>(sums.figures.at("k")) == 3);
  CHECK(std::get<std::int64_t>(sums.figures.at("additions")) == 32);  // 36(1 - 1/9)
}

TEST_CASE("Lemma 3.2's second way is there as printed, too") {
  values given{{"packet", std::int64_t{32}}, {"tau", std::int64_t{32}}};
  auto const words = [&](char const* scheme) {
    given["scheme"] = std::string(scheme);
    auto const result = run("all-gather", request_for("all-gather", "crossbar:30", given));
    check_right(result);
    return result.record.counts().words;
  };
  CHECK(words("two-phase-filled") == 928);  // b = min(m, p)
  CHECK(words("two-phase") == 288);         // b = min(m, ceil(sqrt p))
  given["packet"] = std::int64_t{8};
  CHECK(words("two-phase-filled") == 8 * 7 + 8 * 3);
  CHECK(words("two-phase") == 8 * 5 + 8 * 4);
  CHECK(refusal_of("all-gather", "crossbar:4",
                   {{"scheme", std::string("two-phase-filled")}, {"words", std::int64_t{2}}}) ==
        "two-phase is for one word each, not 2; take --words 1, or --scheme k-ary");
}

TEST_CASE("block-broadcast and matrix-sum refuse what they cannot do") {
  for (std::string const name : {"block-broadcast", "matrix-sum"}) {
    CHECK_THAT(refusal_of(name, "torus:4x4", {}), has_text("torus:4x4 is not a crossbar"));
    CHECK_THAT(refusal_of(name, "crossbar:4", {{"tau", std::int64_t{0}}}),
               has_text("tau = 0 is not a whole number of packets of 1 words"));
    CHECK_THAT(refusal_of(name, "crossbar:4", {{"packet", std::int64_t{17}}}),
               has_text("give tau 17, say"));
    CHECK(refusal_of(name, "crossbar:4", {{"root", std::int64_t{4}}}) ==
          "root has to be at most 3, not 4");
  }
  CHECK(refusal_of("block-broadcast", "crossbar:4", {{"way", std::int64_t{3}}}) ==
        "way has to be at most 2, not 3");
  CHECK(refusal_of("matrix-sum", "crossbar:4", {{"n", std::int64_t{-1}}}) ==
        "n has to be at least 0, not -1");
  CHECK(refusal_of("matrix-sum", "crossbar:4", {{"n", std::int64_t{46'341}}}) ==
        "n has to be at most 46340, not 46341");
  CHECK_THROWS_AS(run("matrix-sum",
                      request_for("matrix-sum", "crossbar:100000", {{"n", std::int64_t{46'340}}})),
                  lockstep::out_of_memory);
}

TEST_CASE("collectives refuse all ports, which they do not use") {
  for (std::string const name : all_names) {
    auto asked = request_for(name, "crossbar:5", {});
    asked.options.ports = lockstep::ports::all;
    CHECK_THROWS_WITH(run(name, asked), has_text("one port; leave out --ports all"));
  }
}
