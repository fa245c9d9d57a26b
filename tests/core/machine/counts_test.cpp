#include <lockstep/counts.hpp>

#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/json.hpp>
#include <lockstep/run.hpp>

#include "catch.hpp"

namespace {

/// A different value in every figure, so that no two can be mixed up.
lockstep::counts distinct() {
  return {.steps = 1,
          .rounds = 2,
          .startups = 3,
          .words = 4,
          .volume = 5,
          .messages = 6,
          .hops = 7,
          .barriers = 8,
          .rearrangements = 9,
          .rearranged = 10,
          .contention = 11,
          .serialised_steps = 12,
          .queued = 13,
          .link_words = 14,
          .hot_startups = 15,
          .work = 16,
          .operations = 17};
}

std::string const distinct_text =
    "steps 1, rounds 2, startups 3, words 4, volume 5, messages 6, hops 7, barriers 8, "
    "rearrangements 9, rearranged 10, contention 11, serialised_steps 12, queued 13, "
    "link_words 14, hot_startups 15, work 16, operations 17";

lockstep::phase_record phase_named(std::string name) {
  lockstep::phase_record phase;
  phase.name = std::move(name);
  return phase;
}

lockstep::step_record step_of(std::uint64_t number, std::size_t phase, std::uint64_t messages,
                              std::uint64_t largest, std::uint64_t volume) {
  lockstep::step_record step;
  step.step = number;
  step.phase = phase;
  step.messages = messages;
  step.largest = largest;
  step.volume = volume;
  step.hops = messages == 0 ? 0 : 4;
  step.contention = messages == 0 ? 0 : 1;
  return step;
}

}  // namespace

TEST_CASE("counts are equal when every figure is", "[counts]") {
  lockstep::counts const base = distinct();
  CHECK(base == distinct());

  std::vector<lockstep::counts> others(17, base);
  others[0].steps++, others[1].rounds++, others[2].startups++, others[3].words++;
  others[4].volume++, others[5].messages++, others[6].hops++, others[7].barriers++;
  others[8].rearrangements++, others[9].rearranged++, others[10].contention++;
  others[11].serialised_steps++, others[12].queued++, others[13].link_words++;
  others[14].hot_startups++, others[15].work++, others[16].operations++;
  for (auto const& other : others) {
    INFO(to_string(other));
    CHECK_FALSE(base == other);
  }
}

TEST_CASE("counts print every figure with its name, in order", "[counts]") {
  CHECK(to_string(distinct()) == distinct_text);
  CHECK(fmt::format("{}", distinct()) == distinct_text);
  std::ostringstream out;
  out << distinct();
  CHECK(out.str() == distinct_text);
}

TEST_CASE("counts as JSON have the figures in the order of declaration", "[counts][json]") {
  nlohmann::ordered_json const json = distinct();
  CHECK(json.dump() ==
        R"({"steps":1,"rounds":2,"startups":3,"words":4,"volume":5,"messages":6,"hops":7,)"
        R"("barriers":8,"rearrangements":9,"rearranged":10,"contention":11,)"
        R"("serialised_steps":12,"queued":13,"link_words":14,"hot_startups":15,)"
        R"("work":16,"operations":17})");
  nlohmann::json const unordered = distinct();
  CHECK(unordered.size() == 17);
  CHECK(unordered.at("queued") == 13);
}

TEST_CASE("64-bit figures keep every digit in JSON", "[counts][json]") {
  lockstep::counts large;
  large.volume = 18'446'744'073'709'551'615U;
  nlohmann::ordered_json const json = large;
  CHECK(json.at("volume").dump() == "18446744073709551615");
}

TEST_CASE("a run as JSON has counts, phases, steps and processors", "[counts][json][sanitize]") {
  auto ring = phase_named("ring \"1\"");
  ring.steps = 2;
  ring.port_words = 144;
  lockstep::run_record const run{distinct(),
                                 {ring},
                                 {step_of(1, 0, 8, 4, 32), step_of(2, lockstep::no_phase, 0, 0, 0)},
                                 {{.words_sent = 3, .words_received = 5}}};
  nlohmann::ordered_json const json = run;
  CHECK(json.at("counts").at("steps") == 1);
  CHECK(json.at("phases").at(0).at("name") == "ring \"1\"");
  CHECK(json.at("phases").at(0).at("port_words") == 144);
  CHECK(json.at("phases").at(0).at("steps") == 2);
  CHECK(json.at("steps").at(0).at("phase") == 0);
  CHECK(json.at("steps").at(0).at("largest") == 4);
  CHECK(json.at("steps").at(0).at("volume") == 32);
  CHECK(json.at("steps").at(1).at("phase").is_null());
  CHECK(json.at("processors").dump() == R"([{"words_sent":3,"words_received":5}])");
}

TEST_CASE("a summary has a row for each figure that is not 0, with its meaning",
          "[counts][table]") {
  lockstep::counts const some{.steps = 12, .startups = 9, .serialised_steps = 1'024};
  CHECK(lockstep::run_record(some, {}, {}, {}).summary() ==
        "steps               12  steps, up to the last message\n"
        "startups             9  steps, or pipelined runs, that pay a start-up\n"
        "serialised_steps  1024  steps, if messages that share a link take turns\n");
  CHECK(lockstep::run_record().summary().empty());

  auto all = distinct();
  all.link_words = 14;
  all.memory = 16;
  std::istringstream rows(lockstep::run_record(all, {}, {}, {}).summary());
  lockstep::for_each_figure(all, [&](std::string const& figure, std::uint64_t value) {
    std::string name;
    std::string meaning;
    std::uint64_t shown = 0;
    rows >> name >> shown;
    std::getline(rows, meaning);
    CHECK(name == figure);
    CHECK(shown == value);
    CHECK(meaning.size() > 5);
  });
  CHECK(rows.peek() == std::istringstream::traits_type::eof());
}

TEST_CASE("a run's table has a row for each step, idle ones included", "[counts][table]") {
  auto without_work = distinct();
  without_work.work = without_work.operations = 0;
  lockstep::run_record const run{
      without_work,
      {phase_named("ring 1"), phase_named("échange, columns")},
      {step_of(1, 0, 144, 96, 13824), step_of(2, 0, 0, 0, 0), step_of(3, 1, 72, 1000000, 10368),
       step_of(4, lockstep::no_phase, 1, 1, 1)},
      {}};
  CHECK(run.table() ==
        "step  phase             messages  largest message  volume  longest route  contention\n"
        "   1  ring 1                 144               96   13824              4           1\n"
        "   2  ring 1                   0                0       0              0           0\n"
        "   3  échange, columns        72          1000000   10368              4           1\n"
        "   4  -                        1                1       1              4           1\n");
}

TEST_CASE("the table of a run without steps is its header", "[counts][table]") {
  CHECK(lockstep::run_record{}.table() ==
        "step  phase  messages  largest message  volume  longest route  contention\n");
}
