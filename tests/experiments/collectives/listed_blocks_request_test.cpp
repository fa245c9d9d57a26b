#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/lower_bounds.hpp>

#include "catch.hpp"
#include "experiments/requests.hpp"
#include "experiments/temporary_file.hpp"

namespace {

using requests::values;

std::vector<std::string> const listed_names{"gatherv", "scatterv", "all-gatherv", "all-to-allv"};

lockstep::experiment_request with_file(std::string const& name, temporary_file const& file,
                                       std::string const& on, values const& given = {}) {
  auto asked = requests::make(name, on, given);
  asked.input = file.path();
  asked.parameters.erase("words");
  asked.parameters.erase("sizes");
  return asked;
}

std::string scheme_of(lockstep::experiment_result const& result) {
  return std::get<std::string>(result.figures.at("scheme"));
}

}  // namespace

TEST_CASE("collectives of blocks of any sizes are right and as claimed on every network") {
  for (auto const& name : listed_names)
    for (std::string const on :
         {"crossbar:1", "crossbar:2", "crossbar:7", "hypercube:0", "hypercube:3", "torus:2",
          "torus:3x4", "mesh:1", "mesh:5", "mesh:4x4", "tree:3", "shuffle-exchange:3",
          "butterfly:2", "cube-connected-cycles:3", "graph:0-1,1-2,2-3,3-0,2-4"})
      for (auto const* const sizes : {"random", "even", "rising", "first"})
        for (int const words : {0, 1, 9})
          for (int const packet : {1, 4}) {
            INFO(name << " on " << on << ", " << sizes << ", " << words << " words, packet "
                      << packet);
            requests::check(
                requests::run(
                    name, on,
                    {{"sizes", sizes}, {"words", words}, {"packet", packet}, {"seed", 3}}),
                requests::errata::refused);
          }
}

TEST_CASE("collectives of blocks of any sizes take each scheme that fits, and any root") {
  int served = 0;
  for (auto const& name : listed_names)
    for (auto const* const scheme :
         {"binomial", "tree", "ring", "recursive-doubling", "bucket", "direct"})
      for (std::string const on : {"crossbar:8", "hypercube:3", "mesh:3x3", "tree:3"}) {
        auto asked = requests::make(name, on);
        auto const& of = *lockstep::find_experiment(name);
        auto const taken =
            std::ranges::find(of.parameters, std::string("scheme"), &lockstep::parameter::name);
        if (std::ranges::find(taken->names, scheme) == taken->names.end()) continue;
        asked.parameters["scheme"] = std::string(scheme);
        if (asked.parameters.contains("root")) asked.parameters["root"] = std::int64_t{5};
        INFO(name << " on " << on << " by " << scheme);
        try {
          auto const result = requests::run(name, asked);
          requests::check(result);
          CHECK(scheme_of(result) == scheme);
          ++served;
        } catch (lockstep::invalid_argument const& refused) {
          CHECK_THAT(refused.message(), has_text("does not fit " + on));
        }
      }
  CHECK(served >= 20);
}

TEST_CASE("sizes of blocks are made by their rules") {
  auto const longest = [](char const* sizes, int words) {
    return requests::figure(
        requests::run("gatherv", "mesh:3x3", {{"sizes", sizes}, {"words", words}}), "longest");
  };
  auto const all = [](std::string const& name, char const* sizes) {
    return requests::figure(requests::run(name, "mesh:3x3", {{"sizes", sizes}, {"words", 4}}), "n");
  };
  CHECK(longest("even", 7) == 7);
  CHECK(longest("rising", 8) == 16);
  CHECK(longest("first", 5) == 45);
  CHECK(longest("random", 50) <= 100);
  CHECK(all("gatherv", "even") == 36);
  CHECK(all("gatherv", "rising") == 36);  // 0, 1, .., 8
  CHECK(all("all-gatherv", "first") == 36);
  CHECK(all("all-to-allv", "rising") == 9 * 36);
  CHECK(all("all-to-allv", "first") == 9 * 36);
  auto const counts = [](int seed) {
    return requests::run("all-to-allv", "mesh:3x3", {{"seed", seed}}).record.counts();
  };
  CHECK(counts(1) == counts(1));
  CHECK_FALSE(counts(1) == counts(2));
}

TEST_CASE("the port of the root bounds the words, and one long block is paid for in each round") {
  auto const result = requests::run("gatherv", "crossbar:8", {{"sizes", "rising"}, {"words", 7}});
  auto const* const words = strongest(result.bounds, "words");
  REQUIRE(words != nullptr);
  CHECK(words->value == 56);  // 2 + 4 + .. + 14, the root has none
  auto const one = requests::run("all-gatherv", "crossbar:6", {{"sizes", "first"}, {"words", 10}});
  CHECK(one.record.counts().words == 5 * 60);
  auto const straight = requests::run("all-to-allv", "crossbar:6", {{"sizes", "first"}});
  CHECK(straight.record.counts().words == 5 * 24);
  CHECK(straight.record.counts().startups == 1);
  CHECK(strongest(straight.bounds, "words")->value <= 5 * 24);
  // With the sizes before the blocks there are twice the rounds.
  CHECK(requests::run("all-to-allv", "mesh:4x4").record.counts().rounds == 12);
}

TEST_CASE("sizes of blocks come from a column of a file") {
  temporary_file const file("node,load\n0,3\n1,0\n2,70\n3,1\n");
  auto const gathered =
      requests::run("gatherv", with_file("gatherv", file, "mesh:2x2", {{"column", "load"}}));
  requests::check(gathered);
  CHECK(requests::figure(gathered, "n") == 74);
  CHECK(requests::figure(gathered, "longest") == 70);
  CHECK_FALSE(gathered.parameters.contains("words"));
  CHECK_FALSE(gathered.parameters.contains("sizes"));
  for (auto const& name : {"scatterv", "all-gatherv"})
    requests::check(
        requests::run(name, with_file(name, file, "graph:0-1,1-2,2-3", {{"column", "load"}})));
  temporary_file const pairs("words\n9\n1\n2\n3\n");
  auto const exchanged =
      requests::run("all-to-allv", with_file("all-to-allv", pairs, "crossbar:2"));
  requests::check(exchanged);
  CHECK(exchanged.record.counts().words == 2);
  CHECK(exchanged.record.counts().volume == 3);
}

TEST_CASE("sizes that were made are written to a file, and read again") {
  for (auto const& name : listed_names) {
    INFO(name);
    auto const output = temporary_file::ending_in(".csv");
    auto asked = requests::make(name, "mesh:2x3", {{"seed", 5}});
    asked.output = output.path();
    auto const made = requests::run(name, asked);
    CHECK(made.unwritten.empty());
    CHECK(output.content().starts_with("words\n"));
    auto const again = requests::run(name, with_file(name, output, "mesh:2x3", {{"seed", 5}}));
    requests::check(again);
    CHECK(again.record.counts() == made.record.counts());
  }
  auto const output = temporary_file::ending_in(".csv");
  auto asked = requests::make("gatherv", "mesh:3", {{"sizes", "rising"}, {"words", 2}});
  asked.output = output.path();
  CHECK(requests::run("gatherv", asked).correct);
  CHECK(output.content() == "words\n0\n2\n4\n");
}

TEST_CASE("collectives of blocks of any sizes refuse files and requests that do not fit") {
  auto const refusal = [](std::string const& content, std::string const& column = "") {
    temporary_file const file(content);
    auto const text =
        requests::refusal("gatherv", with_file("gatherv", file, "mesh:3", {{"column", column}}));
    CHECK_THAT(text, has_text(file.path().string()));
    return text;
  };
  CHECK_THAT(refusal("n\n1\n2\n"),
             has_text(" has 2 sizes, and on mesh:3 there are 3 blocks: give a row for"));
  CHECK_THAT(refusal("n\n1\n-2\n3\n"),
             has_text("row 2 has a size of -2; give 0 to 2147483647 words"));
  CHECK_THAT(refusal("n\n1\n2.5\n3\n"), has_text("column n has a decimal"));
  CHECK_THAT(refusal("a,b\n1,2\n3,4\n5,6\n"), has_text("name one with --column"));
  for (auto const& name : listed_names) {
    INFO(name);
    CHECK(requests::refusal(name, "mesh:3", {{"column", "n"}}) == "--column needs --input FILE");
    auto asked = requests::make(name, "mesh:3");
    asked.options.ports = lockstep::ports::all;
    CHECK_THAT(requests::refusal(name, asked), has_text("one port"));
    CHECK_THROWS_AS(
        requests::run(name, "crossbar:1000000", {{"words", std::int64_t{2'147'483'647}}}),
        lockstep::out_of_memory);
  }
  CHECK_THAT(requests::refusal("gatherv", "mesh:3", {{"scheme", "ring"}}),
             has_text("scheme: 'ring' is not one of "));
  CHECK_THAT(requests::refusal("all-to-allv", "mesh:3", {{"scheme", "direct"}}),
             has_text("the scheme direct does not fit mesh:3; take bucket, tree"));
  CHECK(requests::refusal("scatterv", "mesh:3", {{"root", 3}}) ==
        "root has to be at most 2, not 3");
}
