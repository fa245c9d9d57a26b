#include "report/report.hpp"
#include "contains.hpp"

#include <string>
#include <utility>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>
#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "report/text_table.hpp"
#include "sample_outcome.hpp"
#include "shell.hpp"

namespace {

using namespace lockstep;
using cli::all_right;
using cli::report;
using lockstep::claim_verdict;

claim claim_on_steps(double value, comparison bound, std::string erratum = {}) {
  return {.figure = "steps",
          .formula = "f",
          .value = value,
          .bound = bound,
          .source = "s",
          .erratum = std::move(erratum)};
}

report sample() {
  return {.algorithm = "all-to-all",
          .topology = "torus:2x2",
          .processors = 4,
          .result = sample_outcome(),
          .seconds = 0.25};
}

std::vector<std::string> keys_of(nlohmann::ordered_json const& object) {
  std::vector<std::string> keys;
  for (auto const& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

/// A time, that in turns on shared links, and those of two phases.
cli::priced_run priced_by_paragon(double value = 1234.5, double shared = 1234.5,
                                  std::vector<double> phases = {1000, 234.5},
                                  std::vector<double> shared_phases = {1000, 234.5}) {
  return {.model = "paragon",
          .unit = "us",
          .value = value,
          .shared = shared,
          .phases = std::move(phases),
          .shared_phases = std::move(shared_phases)};
}

}  // namespace

TEST_CASE("a claim comes out by its relation and its erratum", "[report]") {
  experiment_result const measured{.record = run_record({.steps = 8}, {}, {}, {})};
  auto const verdict = [&](claim const& one) { return cli::judge(one, measured).verdict; };
  using enum claim_verdict;
  CHECK(verdict(claim_on_steps(8, comparison::equal)) == equal);
  CHECK(cli::judge(claim_on_steps(9, comparison::equal), measured).is_fault);
  CHECK(verdict(claim_on_steps(7, comparison::equal, "why")) == our_program_exceeds);
  CHECK(verdict(claim_on_steps(8, comparison::equal, "why")) == equal);
  CHECK(verdict(claim_on_steps(9, comparison::at_most)) == holds);
  CHECK(cli::judge(claim_on_steps(7, comparison::at_most), measured).is_fault);
  CHECK(verdict(claim_on_steps(1, comparison::order)) == decides_nothing);
}

TEST_CASE("an outcome is all right if correct, and no claim is wrong without a reason",
          "[report]") {
  experiment_result result;
  result.correct = true;
  CHECK(all_right(result));
  result.claims = {claim_on_steps(1, comparison::equal, "why"),
                   claim_on_steps(1, comparison::order)};
  CHECK(all_right(result));
  result.correct = false;
  CHECK_FALSE(all_right(result));
  result.correct = true;
  result.claims.push_back(claim_on_steps(1, comparison::equal));
  CHECK_FALSE(all_right(result));
}

TEST_CASE("the report for people shows what is wrong", "[report]") {
  auto shown = sample();
  shown.result.correct = false;
  shown.result.claims.push_back(
      {.figure = "queued", .formula = "1", .value = 1, .source = "nowhere"});
  auto const text = as_text(shown, false);
  CHECK(contains(text, "WRONG"));
  CHECK(contains(text, "correct    NO"));
  CHECK_FALSE(contains(as_text(sample(), false), "WRONG"));
}

TEST_CASE("the report for people fits the page", "[report]") {
  auto shown = sample();
  shown.result.claims[0].formula =
      "a formula that is as long as only the longest of formulas are "
      "in papers, which is rather long";
  shown.result.claims[0].source =
      "a source that has many authors, a long title, and a section "
      "with a number of many digits";
  auto const text = as_text(shown, true);
  std::size_t start = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    auto const line = text.substr(start, end - start);
    INFO(line);
    CHECK(cli::display_width(line) <= cli::page_width);
    start = end + 1;
  }
}

TEST_CASE("the report shows the steps only on request, and the time only with a model",
          "[report]") {
  auto shown = sample();
  CHECK_FALSE(contains(as_text(shown, false), "largest message"));
  CHECK(contains(as_text(shown, true), shown.result.record.table()));
  CHECK_FALSE(contains(as_text(shown, false), "time (us)"));
  shown.time = priced_by_paragon();
  auto const text = as_text(shown, false);
  CHECK(contains(text, "time       1234.500 us (paragon)"));
  CHECK(contains(text, "time (us)"));
  CHECK(contains(text, "234.500\n"));
}

TEST_CASE("a run that a clock cannot time says why, with its counts and notes", "[report]") {
  report shown{.algorithm = "ring",
               .topology = "torus:2x2",
               .processors = 4,
               .result = sample_outcome(),
               .time_left_out = "it takes more than 512 MiB"};
  shown.result.note = "a sentence";
  auto const text = as_text(shown, false);
  CHECK(contains(text, "\ntime       none: it takes more than 512 MiB\n"));
  CHECK(contains(text, "\nnote       a sentence\n"));
  CHECK(contains(text, "startups"));
  auto const json = as_json(shown);
  CHECK(json["time"]["value"].is_null());
  CHECK(json["time"]["reason"] == "it takes more than 512 MiB");
  CHECK(json["note"] == "a sentence");
  CHECK(json["counts"]["steps"] == 3);
}

TEST_CASE("the phases have the time in turns where messages of one share links", "[report]") {
  auto shown = sample();
  shown.time = priced_by_paragon(1, 4, {1, 0}, {4.25, 0});
  CHECK_FALSE(contains(as_text(shown, false), "in turns (us)"));
  auto const run = lockstep::machine{lockstep::torus{{8}}}.run([](lockstep::processor& me) {
    me.phase("shift");
    (void)me.exchange((me.rank() + 2) % 8, 1, (me.rank() + 6) % 8);
    me.phase("nothing");
  });
  shown.result.record = run;
  auto const text = as_text(shown, false);
  CHECK(contains(text, "in turns (us)\n"));
  CHECK(contains(text, "4.250\n"));
}

TEST_CASE("the report for programs has its fields in the documented order", "[report]") {
  auto shown = sample();
  CHECK(keys_of(as_json(shown)) ==
        std::vector<std::string>{"algorithm", "topology", "processors", "parameters", "correct",
                                 "counts", "figures", "phases", "claims", "bounds", "seconds"});
  shown.time = priced_by_paragon();
  auto const json = as_json(shown);
  CHECK(keys_of(json).at(10) == "time");
  CHECK(keys_of(json).at(11) == "seconds");
  CHECK(json.at("time").dump() ==
        R"({"model":"paragon","value":1234.5,"unit":"us","shared":1234.5})");
}

TEST_CASE("claims for programs have an erratum only where there is one", "[report]") {
  auto const claims = as_json(sample()).at("claims");
  REQUIRE(claims.size() == 4);
  CHECK(claims[0].dump() ==
        R"({"figure":"steps","formula":"C/2 + 1","value":3,"relation":"=","holds":true,)"
        R"("source":"Suh and Shin 2001, 3.1.4","verdict":"equal","where":[]})");
  CHECK(claims[1].at("relation") == "<=");
  CHECK(claims[2].at("relation") == "order");
  CHECK(claims[2].at("value") == 72.5);
  CHECK(claims[2].at("constant") == 216 / 72.5);
  CHECK_FALSE(claims[0].contains("constant"));
  CHECK(claims[3].at("holds") == false);
  CHECK(claims[3].contains("erratum"));
  CHECK(claims[1].at("verdict") == "holds");
  CHECK(claims[2].at("verdict") == "decides nothing");
  CHECK(claims[2].at("reason") == "one size decides nothing");
}

TEST_CASE("hypotheses stand with their claims", "[report]") {
  auto shown = sample();
  auto& hops = shown.result.claims[3];
  hops.where = {{"C >= 4", false}, {"R a multiple of 2", true}};
  auto const text = as_text(shown, false);
  CHECK(contains(text, "outside the claim\n"));
  CHECK(contains(text, "where C >= 4: no\nwhere R a multiple of 2: yes\n"));
  auto const json = as_json(shown).at("claims").at(3);
  CHECK(json.at("verdict") == "outside the claim");
  CHECK(json.at("reason") == "made for C >= 4");
  CHECK(json.at("where").dump() ==
        R"([{"text":"C >= 4","met":false},{"text":"R a multiple of 2","met":true}])");
  CHECK(all_right(shown.result));
}

TEST_CASE("what is claimed about is an order for those who know no more", "[report]") {
  auto shown = sample();
  shown.result.claims = {claim_on_steps(2, comparison::about)};
  auto const json = as_json(shown).at("claims").at(0);
  CHECK(json.at("relation") == "order");
  CHECK(json.at("about") == true);
  CHECK(json.at("verdict") == "decides nothing");
  CHECK(contains(as_text(shown, false), "about 2"));
}

TEST_CASE("bounds stand beside what was measured, the strongest of each figure", "[report]") {
  auto const text = as_text(sample(), false);
  CHECK(contains(text, "figure            measured   bound     claimed  formula"));
  CHECK(contains(text, "words                  216  >= 144      <= 240  3 (n/p"));
  CHECK(contains(text, "words  >= 144  144 words into a processor  lockstep  holds\n"));
  CHECK_FALSE(contains(text, "words times links"));
  CHECK_FALSE(contains(lockstep::cli::claims_as_text(sample().result), ">= 144"));
  auto const bounds = as_json(sample()).at("bounds");
  REQUIRE(bounds.size() == 3);
  CHECK(bounds[0].dump() ==
        R"({"figure":"words","formula":"144 words into a processor","value":144,)"
        R"("source":"lockstep"})");
  auto without = sample();
  without.result.bounds.clear();
  CHECK_FALSE(contains(as_text(without, false), "bound"));
  CHECK(as_json(without).at("bounds").empty());
}

TEST_CASE("a figure below its bound is wrong", "[report]") {
  auto shown = sample();
  CHECK(all_right(shown.result));
  shown.result.bounds.push_back({"words", "too much", 217, "nowhere"});
  CHECK_FALSE(all_right(shown.result));
  CHECK(contains(as_text(shown, false), "words  >= 217  too much      nowhere   WRONG\n"));
}

TEST_CASE("an order of growth is shown with its constant", "[report]") {
  CHECK(contains(as_text(sample(), false), "words: one size decides nothing: 2.979 times\n"));
}

TEST_CASE("a phase for programs has all counts", "[report]") {
  auto const phase = as_json(sample()).at("phases").at(0);
  CHECK(phase.size() == 15);
  CHECK(phase.at("name") == "ring 1");
  CHECK(phase.at("serialised_steps") == 0);
  CHECK(phase.at("port_words") == 144);
}

TEST_CASE("values keep their types", "[report]") {
  CHECK(cli::as_json(parameter_value(std::int64_t{-3})).dump() == "-3");
  CHECK(cli::as_json(parameter_value(8.0)).dump() == "8");
  CHECK(cli::as_json(parameter_value(8.5)).dump() == "8.5");
  CHECK(cli::as_json(parameter_value(1e300)).dump() == "1e+300");
  CHECK(cli::as_json(parameter_value(std::string("x"))).dump() == "\"x\"");
  CHECK(cli::as_json(parameter_value(true)).dump() == "true");
  CHECK(cli::as_json(parameter_value(false)).dump() == "false");
}

TEST_CASE("claims about figures and times stand in the table of claims", "[report]") {
  experiment_result result{.record = run_record({.startups = 2, .words = 20}, {}, {}, {}),
                           .correct = true};
  result.figures = {{"bin1", std::int64_t{7}}, {"slot", std::int64_t{9}}};
  result.claims = {{"bin1", "x/p", 7.5, comparison::at_most, "a source"},
                   {"time", "2 tau + n", 39, comparison::at_most, "a source", "n is too small",
                    lockstep::block_distributed_model{.tau_words = 10}}};
  auto shown = sample();
  shown.result = result;
  auto const text = lockstep::cli::as_text(shown, false);
  INFO(text);
  CHECK(contains(text, "bin1                     7   <= 7.5  x/p        a source  holds"));
  CHECK(contains(text,
                 "time                    40    <= 39  2 tau + n  a source  our program exceeds"));
  CHECK(contains(text, "slot"));
  CHECK(text.find("bin1") == text.rfind("bin1"));
  auto const json = lockstep::cli::as_json(shown);
  CHECK(json["claims"][0]["holds"] == true);
  CHECK(json["claims"][1]["holds"] == false);
  CHECK(json["claims"][1]["measured"] == 40);
  CHECK(json["claims"][1]["tau"] == 10);
  CHECK(all_right(result));
  result.claims.back().erratum.clear();
  CHECK_FALSE(all_right(result));
}
