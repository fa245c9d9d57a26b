#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "check_claims.hpp"
#include "experiments/requests.hpp"

using parameters = requests::values;

namespace {

std::vector<std::string> const all_names{"transpose",  "broadcast",       "all-gather",
                                         "gather",     "scatter",         "reduce",
                                         "all-reduce", "block-broadcast", "matrix-sum"};

/// The parameter of that name, or nothing.
lockstep::parameter const* parameter_of(std::string const& name, std::string const& parameter) {
  auto const& all = lockstep::find_experiment(name)->parameters;
  auto const found = std::ranges::find(all, parameter, &lockstep::parameter::name);
  return found == all.end() ? nullptr : &*found;
}

std::string size_of(std::string const& name) { return name == "matrix-sum" ? "n" : "words"; }

/// Those of JaJa and Ryu, for blocks of any length, and the defaults.
constexpr std::string_view schemes_of_crossbar[] = {"automatic", "cheapest", "transpose", "direct",
                                                    "k-ary"};

/// The ways to go that one can ask for, each for blocks of any length.
std::vector<parameters> ways_of(std::string const& name) {
  if (parameter_of(name, "way") != nullptr) return {{{"way", 1}}, {{"way", 2}}};
  std::vector<parameters> ways;
  if (auto const* const scheme = parameter_of(name, "scheme"))
    for (auto const& each : scheme->names)
      if (std::ranges::find(schemes_of_crossbar, each) != std::end(schemes_of_crossbar))
        ways.push_back({{"scheme", each}});
  return ways.empty() ? std::vector<parameters>{{}} : ways;
}

lockstep::experiment_result checked(std::string const& name, std::string const& on,
                                    parameters const& given) {
  auto result = requests::run(name, on, given);
  reference::check_result(result);
  CHECK(result.record.counts().queued == 0);
  CHECK(result.claims.size() >= 6);
  for (auto const& claimed : reference::claims_made(result)) CHECK(claimed.erratum.empty());
  return result;
}

}  // namespace

TEST_CASE("collectives asked for by name are right, whatever the parameters") {
  for (auto const& name : all_names)
    for (auto given : ways_of(name))
      for (int const p : {1, 2, 5, 9})
        for (int const size : {0, 1, 3, 20})
          for (int const packet : {1, 4})
            for (auto const* const access : {"messages", "reads", "writes"})
              for (int const tau : {8, 60}) {
                INFO(name << ", p = " << p << ", size " << size << ", packet " << packet << ", "
                          << access << ", tau " << tau);
                given[size_of(name)] = size;
                given["packet"] = packet;
                given["access"] = access;
                given["tau"] = tau;
                given["seed"] = size;
                if (parameter_of(name, "root") != nullptr) given["root"] = p - 1;
                checked(name, "crossbar:" + std::to_string(p), given);
              }
}

TEST_CASE("claims hold where a packet is far larger than all words, or tau not of whole packets") {
  std::string const name = GENERATE(from_range(all_names));
  INFO(name);
  std::int64_t const large = std::int64_t{1} << 27U;
  reference::check_result(requests::run(name, "crossbar:8", {{"packet", large}, {"tau", large}}));
  if (parameter_of(name, "scheme") != nullptr)  // bounds may fail, but nothing else
    for (auto const& given : {parameters{{"packet", 3}}, {{"packet", 3}, {"scheme", "k-ary"}}})
      reference::check_result(requests::run(name, "crossbar:30", given));
}

TEST_CASE("collectives go by default as their papers say") {
  auto const counts = [](std::string const& name, parameters const& given) {
    return checked(name, "crossbar:16", given).record.counts();
  };
  CHECK(counts("broadcast", {{"words", 32}}).words == 60);  // 2(q - q/p)
  CHECK(counts("transpose", {{"words", 32}}).words == 30);
  CHECK(counts("scatter", {{"words", 8}}).rounds == 15);
  CHECK(counts("gather", {{"words", 8}}).words == 120);
  CHECK(counts("all-gather", {{"words", 8}}).words == 120);
  CHECK(counts("reduce", {{"tau", 2}}).startups == 3);
  CHECK(counts("all-reduce", {{"tau", 2}}).startups == 6);
}

TEST_CASE("the way that was the cheapest is told") {
  auto const way = [](parameters const& given) {
    return std::get<std::string>(
        requests::run("all-gather", "crossbar:30", given).figures.at("scheme"));
  };
  CHECK(way({}) == "direct");
  CHECK(way({{"packet", 32}, {"tau", 64}}) == "two-phase");
  CHECK(way({{"packet", 32}, {"tau", 32}, {"words", 2}}) == "k-ary");
  auto const tree = requests::run("broadcast", "crossbar:4", {{"scheme", "k-ary"}});
  CHECK(std::get<std::int64_t>(tree.figures.at("k")) == 17);
}

namespace {

/// Runs a collective where processors use all of their ports. Its claims and bounds hold.
lockstep::experiment_result by_all_ports(std::string const& name, std::string const& on,
                                         parameters const& given) {
  auto asked = requests::make(name, on, given);
  asked.options.ports = lockstep::ports::all;
  auto result = lockstep::find_experiment(name)->run(asked);
  reference::check_result(result);
  return result;
}

lockstep::claim const* claim_of(lockstep::experiment_result const& result, char const* figure) {
  auto const found = std::ranges::find(result.claims, figure, &lockstep::claim::figure);
  return found == result.claims.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("collectives take no more steps where processors use all of their ports") {
  for (auto const* const name : {"broadcast", "reduce", "all-reduce", "scatter", "gather",
                                 "all-gather", "reduce-scatter", "scan", "exclusive-scan"})
    for (auto const* const on :
         {"line:5", "mesh:4x4", "torus:3x5", "torus:2x4", "hypercube:4", "tree:3", "butterfly:2",
          "shuffle-exchange:3", "crossbar:2", "crossbar:5", "crossbar:8"})
      for (int const words : {0, 1, 5, 64}) {
        INFO(name << " of " << words << " on " << on);
        auto const by_one = requests::run(name, on, {{"words", words}});
        auto const by_all = by_all_ports(name, on, {{"words", words}});
        CHECK(by_all.record.counts().steps <= by_one.record.counts().steps);
        auto const scheme = std::get<std::string>(by_all.figures.at("scheme"));
        bool const is_exact =
            scheme == "direct" || scheme == "transpose" || scheme == "tree" || scheme == "two-way";
        auto const* const rounds = claim_of(by_all, "rounds");
        REQUIRE(rounds != nullptr);
        CHECK(rounds->bound ==
              (is_exact ? lockstep::comparison::equal : lockstep::comparison::at_most));
        CHECK(claim_of(by_all, "volume") != nullptr);
        CHECK((claim_of(by_all, "words") != nullptr) == is_exact);
      }
}

TEST_CASE("collectives by every scheme hold their claims and bounds with all ports") {
  std::size_t runs = 0;
  for (auto const* const name : {"broadcast", "reduce", "all-reduce", "scatter", "gather",
                                 "all-gather", "reduce-scatter", "scan", "exclusive-scan"})
    for (auto const* const on : {"mesh:3x4", "torus:3x5", "hypercube:3", "tree:3", "crossbar:7"})
      for (auto const& scheme : parameter_of(name, "scheme")->names) {
        auto asked = requests::make(name, on, {{"words", 6}, {"scheme", scheme}, {"packet", 2}});
        asked.options.ports = lockstep::ports::all;
        auto const fitting = [&] {
          try {
            static_cast<void>(lockstep::find_experiment(name)->run(asked));
          } catch (lockstep::invalid_argument const&) {
            return false;  // it does not fit
          }
          return true;
        };
        INFO(name << " on " << on << " by " << scheme);
        if (!fitting()) continue;
        static_cast<void>(
            by_all_ports(name, on, {{"words", 6}, {"scheme", scheme}, {"packet", 2}}));
        ++runs;
      }
  CHECK(runs > 150);
}

TEST_CASE("an exchange on a crossbar takes one step where processors use all of their ports") {
  for (int const words : {1, 7}) {
    auto const counts =
        by_all_ports("all-to-all", "crossbar:8", {{"words", words}}).record.counts();
    CHECK(counts.steps == 1);
    CHECK(counts.words == static_cast<std::uint64_t>(words));
  }
}

TEST_CASE("two-way rings are refused by name where a processor has one port") {
  for (auto const* const name : {"all-reduce", "all-gather", "reduce-scatter"})
    CHECK_THAT(
        requests::refusal(name, "torus:4x4", {{"scheme", "two-way"}}),
        has_text(
            "the scheme two-way does not fit torus:4x4 unless processors use all ports; take "));
  CHECK_THAT(
      requests::refusal("scan", "crossbar:4", {{"scheme", "direct"}}),
      has_text("the scheme direct does not fit crossbar:4 unless processors use all ports; take "));
}

TEST_CASE("collectives asked for by name refuse what they cannot do") {
  std::string const name = GENERATE(from_range(all_names));
  INFO(name);
  if (lockstep::find_experiment(name)->topologies == "crossbar")
    CHECK(requests::refusal(name, "hypercube:3") ==
          "hypercube:3 is not a crossbar; this algorithm needs a link between every pair, for "
          "example crossbar:8");
  else
    CHECK_THAT(requests::refusal(name, "hypercube:3", {{"scheme", "direct"}}),
               has_text("the scheme direct does not fit hypercube:3; take "));
  bool const has_schemes = lockstep::find_experiment(name)->topologies != "crossbar";
  auto asked = requests::make(name, "crossbar:5",
                              has_schemes ? parameters{{"scheme", "k-ary"}} : parameters{});
  asked.options.ports = lockstep::ports::all;
  CHECK_THAT(requests::refusal(name, asked), has_text("one port; leave out --ports all"));
  auto const refused = [&](parameters const& given) {
    return requests::refusal(name, "crossbar:4", given);
  };
  CHECK(refused({{size_of(name), -1}}) == size_of(name) + " has to be at least 0, not -1");
  CHECK(refused({{"packet", 0}}) == "packet has to be at least 1, not 0");
  CHECK(refused({{"tau", -1}}) == "tau has to be at least 0, not -1");
  CHECK(refused({{"access", "both"}}) == "access: 'both' is not one of messages, reads, writes");
  CHECK_THROWS_AS(requests::run(name, "crossbar:1000000",
                                {{size_of(name), *parameter_of(name, size_of(name))->most}}),
                  lockstep::out_of_memory);
  if (parameter_of(name, "root") != nullptr)
    CHECK(refused({{"root", 4}}) == "root has to be at most 3, not 4");
  if (name == "transpose") return;
  parameters tree;
  if (parameter_of(name, "scheme") != nullptr) {
    CHECK_THAT(refused({{"scheme", "worst"}}),
               Catch::Matchers::StartsWith("scheme: 'worst' is not one of "));
    tree["scheme"] = "k-ary";
  }
  tree["tau"] = 0;
  CHECK_THAT(refused(tree), has_text("tau = 0 is not a whole number of packets of 1 words"));
  tree.erase("tau");
  tree["packet"] = 17;
  CHECK_THAT(refused(tree), has_text("give tau 17, say"));
}

TEST_CASE("collectives refuse what their own parameters do not allow") {
  CHECK(requests::refusal("block-broadcast", "crossbar:4", {{"way", 3}}) ==
        "way has to be at most 2, not 3");
  CHECK(requests::refusal("matrix-sum", "crossbar:4", {{"n", 46'341}}) ==
        "n has to be at most 46340, not 46341");
  for (auto const* const scheme : {"two-phase", "two-phase-filled"})
    CHECK(requests::refusal("all-gather", "crossbar:4", {{"scheme", scheme}, {"words", 2}}) ==
          "two-phase is for one word each, not 2; take --words 1, or --scheme k-ary");
}

TEST_CASE("block-broadcast and matrix-sum count what the page says") {
  parameters of_nine{{"tau", 8}, {"packet", 4}, {"words", 180}};  // k = 3
  auto const blocks = checked("block-broadcast", "crossbar:9", of_nine).record.counts();
  CHECK(blocks.startups == 4);
  CHECK(blocks.words == 2 * (2 * 60 + 2 * 20));
  of_nine["way"] = 2;
  auto const in_two = checked("block-broadcast", "crossbar:9", of_nine);
  CHECK(in_two.record.counts().startups == 2);
  CHECK(in_two.record.counts().words == 2 * 8 * 20);
  CHECK_FALSE(in_two.figures.contains("k"));
  auto const sums = checked("matrix-sum", "crossbar:9", {{"tau", 2}, {"n", 6}});
  CHECK(sums.record.counts().words == 2 * (2 * 12 + 2 * 4));
  CHECK(std::get<std::int64_t>(sums.figures.at("k")) == 3);
  CHECK(std::get<std::int64_t>(sums.figures.at("additions")) == 32);  // 36(1 - 1/9)
  CHECK(sums.record.counts().work == 32);
  CHECK(sums.record.counts().operations == 9 * 32);
}

TEST_CASE("an item goes to all in the least time, which one phase can be") {
  parameters given{{"tau", 1024}, {"packet", 16}, {"scheme", "best"}, {"root", 65}};
  auto const time_on = [&](std::string const& crossbar) {
    auto const result = checked("broadcast", crossbar, given);
    auto const& counted = result.record.counts();
    return counted.startups * 1024 + counted.words;
  };
  CHECK(time_on("crossbar:66") == 2064);
  auto const best = checked("broadcast", "crossbar:66", given);
  CHECK(std::get<std::string>(best.figures.at("parts")) == "66");
  given["scheme"] = "k-ary";
  CHECK(time_on("crossbar:66") == 3088);
  given = {{"tau", 16}, {"scheme", "best"}};
  auto const two = checked("broadcast", "crossbar:72", given);
  CHECK(std::get<std::string>(two.figures.at("parts")) == "9, 8");
  for (auto const* const access : {"reads", "writes"}) {
    given["access"] = access;
    CHECK(checked("broadcast", "crossbar:72", given).record.counts().words == 15);
  }
  given["words"] = 2;
  CHECK(requests::refusal("broadcast", "crossbar:72", given) ==
        "best is for one word, not 2; take --words 1, or --scheme k-ary");
  CHECK(requests::refusal("broadcast", "mesh:4x4", {{"scheme", "best"}}) ==
        "broadcast: the scheme best does not fit mesh:4x4; it is for a crossbar, for example "
        "crossbar:16");
}

TEST_CASE("a sum counts its additions, those of a processor's own blocks first") {
  auto const work = [](std::string const& on, parameters const& given) {
    return checked("reduce", on, given).record.counts().work;
  };
  CHECK(work("crossbar:9", {{"tau", 2}, {"summands", 10}}) == 9 + 2 + 2);  // k = 3
  CHECK(work("crossbar:9", {{"tau", 2}}) == 2 + 2);
  CHECK(work("crossbar:9", {{"scheme", "direct"}, {"summands", 10}}) == 9 + 8);
  CHECK(work("crossbar:1", {{"summands", 10}}) == 9);
  CHECK(work("crossbar:4", {{"scheme", "transpose"}, {"words", 8}, {"summands", 3}}) == 16 + 6);
  auto const sums = checked("reduce", "crossbar:5", {{"words", 3}, {"summands", 4}, {"root", 3}});
  CHECK(sums.record.counts().operations == 5 * 3 * 3 + 4 * 3);
  CHECK(requests::refusal("reduce", "hypercube:3", {{"summands", 2}}) ==
        "--summands is for the schemes of a crossbar: transpose, direct, k-ary; leave it out, or "
        "take one of these there");
  CHECK(requests::refusal("reduce", "crossbar:3", {{"summands", 0}}) ==
        "summands has to be at least 1, not 0");
}

TEST_CASE("Lemma 3.2's second way is there as printed, too") {
  auto const words = [](char const* scheme, int packet) {
    return checked("all-gather", "crossbar:30",
                   {{"packet", packet}, {"tau", 32}, {"scheme", scheme}})
        .record.counts()
        .words;
  };
  CHECK(words("two-phase-filled", 32) == 928);  // b = min(m, p)
  CHECK(words("two-phase", 32) == 288);         // b = min(m, ceil(sqrt p))
  CHECK(words("two-phase-filled", 8) == 8 * 7 + 8 * 3);
  CHECK(words("two-phase", 8) == 8 * 5 + 8 * 4);
}

TEST_CASE(
    "collectives on every network: each scheme is right and as claimed, or refused by its name") {
  int served = 0;
  for (std::string const name :
       {"broadcast", "reduce", "all-reduce", "scatter", "gather", "all-gather", "reduce-scatter",
        "scan", "exclusive-scan", "all-to-all"})
    for (auto const& scheme : parameter_of(name, "scheme")->names) {
      if (name == "all-to-all" && (scheme == "paper" || scheme.starts_with("fewest"))) continue;
      for (std::string const on : {"crossbar:1",
                                   "crossbar:2",
                                   "crossbar:3",
                                   "crossbar:8",
                                   "crossbar:11",
                                   "hypercube:0",
                                   "hypercube:1",
                                   "hypercube:4",
                                   "torus:2",
                                   "torus:3x5",
                                   "torus:4x4",
                                   "mesh:1",
                                   "mesh:3",
                                   "mesh:4x4",
                                   "mesh:2x3x4",
                                   "tree:3",
                                   "shuffle-exchange:3",
                                   "butterfly:2",
                                   "cube-connected-cycles:3",
                                   "graph:0-1,1-2,2-3,3-0,2-4"})
        for (int const words : {1, 20}) {
          INFO(name << " on " << on << " by " << scheme << ", " << words << " words");
          parameters given{{"words", words}, {"scheme", scheme}};
          if (parameter_of(name, "root") != nullptr) given["root"] = 0;
          try {
            auto const result = requests::run(name, on, given);
            CHECK(result.checked);
            CHECK(result.correct);
            CHECK(!result.claims.empty());
            reference::check_result(result);
            CHECK(result.record.counts().contention <= 1);
            ++served;
          } catch (lockstep::invalid_argument const& refused) {
            bool const is_by_name =
                has_text("does not fit " + on).match(refused.message()) ||
                has_text("two-phase is for one word").match(refused.message()) ||
                has_text("best is for one word").match(refused.message()) || name == "all-to-all";
            CHECK(is_by_name);
          }
        }
    }
  CHECK(served > 800);
}

TEST_CASE("a model's price chooses the scheme on a crossbar, or the run says why it does not") {
  auto const by_price = [](std::string const& name, parameters const& given,
                           bool every_round_pays = true) {
    auto asked = requests::make(name, "crossbar:16", given);
    asked.price = {.words = 1000, .every_round_pays = every_round_pays};
    auto const result = requests::run(name, asked);
    reference::check_result(result);
    auto const text = [&](char const* figure) {
      auto const found = result.figures.find(figure);
      return found == result.figures.end() ? std::string("none")
                                           : std::get<std::string>(found->second);
    };
    return std::pair(text("scheme"), text("reason"));
  };
  using texts = std::pair<std::string, std::string>;
  auto const none_for = [](std::string const& option) {
    return option + " is for the schemes of JaJa and Ryu alone, so the model chooses none";
  };
  CHECK(by_price("all-reduce", {}) == texts("recursive-doubling", "none"));
  CHECK(by_price("all-reduce", {{"access", "reads"}}) == texts("none", none_for("--access reads")));
  CHECK(by_price("all-gather", {{"access", "writes"}}) ==
        texts("direct", none_for("--access writes")));
  CHECK(by_price("reduce", {{"summands", 3}}) == texts("none", none_for("--summands 3")));
  CHECK(by_price("reduce", {}).second == "none");
  // Nothing was to be chosen, or by no model.
  CHECK(by_price("all-reduce", {{"access", "reads"}, {"scheme", "direct"}}).second == "none");
  CHECK(by_price("all-reduce", {{"access", "reads"}}, false).second == "none");
  CHECK(checked("all-reduce", "crossbar:16", {{"access", "reads"}}).figures.count("reason") == 0);
}

TEST_CASE("a packet that is given counts in the choice of a scheme") {
  auto const scheme = [](std::string const& name, std::string const& on, parameters const& given) {
    return std::get<std::string>(checked(name, on, given).figures.at("scheme"));
  };
  CHECK(scheme("all-reduce", "hypercube:4", {{"words", 64}}) == "halving-doubling");
  CHECK(scheme("all-reduce", "hypercube:4", {{"words", 64}, {"packet", 64}}) ==
        "recursive-doubling");
  CHECK(scheme("broadcast", "torus:4x4", {{"words", 1600}}) == "bucket");
  CHECK(scheme("broadcast", "torus:4x4", {{"words", 1600}, {"packet", 1024}}) == "binomial");
}

TEST_CASE("collectives on every network refuse what only the schemes of a crossbar do") {
  CHECK_THAT(
      requests::refusal("all-reduce", "mesh:4x4", {{"access", "reads"}}),
      has_text("--access reads is for the schemes of a crossbar: transpose, direct, k-ary; "));
  CHECK_THAT(requests::refusal("broadcast", "mesh:4x4", {{"access", "reads"}}),
             has_text("schemes of a crossbar: transpose, direct, k-ary, best; leave it out"));
  CHECK_THAT(requests::refusal("gather", "tree:3", {{"root", 7}}),
             has_text("root has to be at most 6, not 7"));
  CHECK_THAT(requests::refusal("scan", "mesh:4", {{"scheme", "best"}}),
             Catch::Matchers::StartsWith("scheme: 'best' is not one of "));
}
