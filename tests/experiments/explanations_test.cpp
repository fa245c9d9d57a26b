#include "harness/explanations.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

[[nodiscard]] auto matches_of(std::string const& text, char const* expression) {
  std::regex const pattern(expression);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), pattern),
                       std::sregex_iterator());
}

[[nodiscard]] std::string text_of(std::filesystem::path const& path) {
  std::ifstream file(path);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// "lockstep::prefix(me, plus, value)" calls "prefix".
[[nodiscard]] std::string called_by(std::string const& call) {
  std::smatch found;
  REQUIRE(std::regex_match(call, found, std::regex(R"(lockstep::(\w+)\(me\b.*\))")));
  return found[1];
}

[[nodiscard]] std::string refusal_of(lockstep::experiment& which, char const* teaching,
                                     char const* reasons = "") {
  try {
    explain(which, {.name = "an",
                    .call = "",
                    .header = "",
                    .teaching = teaching,
                    .reasons = reasons,
                    .text = ""});
  } catch (lockstep::invalid_argument const& refused) {
    return refused.message();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("every algorithm is explained in five sentences of one paragraph", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name);
    auto const& text = which.explanation;
    CHECK(matches_of(text, R"([.!?]( |$))") == 5);
    CHECK(matches_of(text, R"([.!?] [A-Z])") == 4);
    CHECK(text.ends_with('.'));
    CHECK(text.find_first_of("\n<>*`") == std::string::npos);
    CHECK(matches_of(text, "steps?|rounds?|start-ups?") > 0);
  }
}

TEST_CASE("every phase that an explanation quotes is one of the run's", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    auto const result = which.run(teaching_request(which));
    std::regex const quoted("\"([^\"]+)\"");
    for (std::sregex_iterator found(which.explanation.begin(), which.explanation.end(), quoted),
         end;
         found != end; ++found) {
      auto const words = (*found)[1].str();
      INFO(which.name << " says \"" << words << "\"");
      auto const& phases = result.record.phases();
      bool const is_phase = std::ranges::any_of(
          phases, [&](auto const& phase) { return phase.name.starts_with(words); });
      bool const is_choice = std::ranges::any_of(which.parameters, [&](auto const& taken) {
        return std::ranges::find(taken.names, words) != taken.names.end();
      });
      CHECK((is_phase || is_choice));
    }
  }
}

namespace {

/// Adds the names of the phases with steps in a run, if the network and the options go together.
void add_phases(std::set<std::string>& names, lockstep::experiment const& which,
                lockstep::experiment_request const& asked) {
  constexpr int most_processors = 64;
  if (asked.network->size() > most_processors) return;
  try {
    for (auto const& phase : which.run(asked).record.phases())
      if (phase.steps > 0) names.insert(phase.name);
  } catch (lockstep::error const& /*not with these options, or not on this network*/) {
  }
}

/// Finds the names of phases of the teaching example, on the other examples, and with each choice.
std::set<std::string> phases_of(lockstep::experiment const& which) {
  std::set<std::string> names;
  auto asked = teaching_request(which);
  add_phases(names, which, asked);
  for (auto const& on : which.examples) {
    asked.network = lockstep::parse(on);
    add_phases(names, which, asked);
    for (auto const& taken : which.parameters) {
      auto other = asked;
      for (auto const& choice : taken.names) {
        other.parameters[taken.name] = choice;
        add_phases(names, which, other);
      }
      if (!std::holds_alternative<bool>(taken.fallback)) continue;
      other.parameters[taken.name] = true;
      add_phases(names, which, other);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("each step of every teaching example has a reason, in a few words", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name);
    auto const result = which.run(teaching_request(which));
    std::uint64_t steps = 0;
    for (auto const& phase : result.record.phases()) {
      INFO("phase " << phase.name);
      if (phase.steps > 0) CHECK_FALSE(reason_for(which.reasons, phase.name).empty());
      steps += phase.steps;
    }
    if (steps < result.record.counts().steps) CHECK_FALSE(reason_for(which.reasons, "").empty());
    for (auto const& [phase, text] : which.reasons) {
      INFO(text);
      CHECK(matches_of(text, "^[a-z].*[a-zA-Z0-9]$") == 1);
      CHECK(text.size() <= 120);
      CHECK(text.find_first_of("<>*`") == std::string::npos);
    }
  }
}

TEST_CASE("every reason is for a phase of some run", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    auto const names = phases_of(which);
    for (auto const& [phase, text] : which.reasons) {
      INFO(which.name << ": " << phase);
      CHECK((phase.empty() || std::ranges::any_of(names, [&](std::string const& name) {
               return name.starts_with(phase);
             })));
    }
  }
}

TEST_CASE("a reason is that of the longest beginning of a phase's name", "[explanations]") {
  std::vector<lockstep::phase_reason> const reasons{
      {"4 ", "turns"}, {"4 to rows", "brings rows together"}, {"", "sorts"}};
  CHECK(lockstep::reason_for(reasons, "4 to rows") == "brings rows together");
  CHECK(lockstep::reason_for(reasons, "4 to columns") == "turns");
  CHECK(lockstep::reason_for(reasons, "5") == "sorts");
  CHECK(lockstep::reason_for(std::span(reasons).first(2), "5").empty());
  lockstep::experiment which{.name = "an"};
  explain(which, {.name = "an",
                  .call = "",
                  .header = "",
                  .teaching = "tree:3",
                  .reasons = "why: sorts\nwhy \"1: a\": goes on: so\n",
                  .text = ""});
  CHECK(which.reasons ==
        std::vector<lockstep::phase_reason>{{"", "sorts"}, {"1: a", "goes on: so"}});
  CHECK_THAT(refusal_of(which, "tree:3", "because: so\n"),
             has_text("write why: TEXT, or why \"PHASE\": TEXT"));
}

TEST_CASE("every algorithm's header declares what its call names", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name << ": " << which.call << " in " << which.header);
    std::filesystem::path const include(LOCKSTEP_INCLUDE);
    CHECK(which.header.find("detail/") == std::string::npos);
    auto const header = text_of(include / which.header);
    auto const declared = "\\s" + called_by(which.call) + "\\(\\s*processor& me\\b";
    CHECK(matches_of(header, declared.c_str()) > 0);
  }
}

TEST_CASE("every teaching example is right, and small enough for a class", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    auto const asked = teaching_request(which);
    auto const result = which.run(asked);
    INFO(which.name << " on " << which.teaching.on);
    CHECK(result.correct);
    CHECK(asked.network->size() <= 64);
    CHECK(result.record.counts().steps > 0);
    CHECK(result.record.counts().rounds <= 64);
  }
}

TEST_CASE("a teaching example sets options of the experiment", "[explanations]") {
  lockstep::experiment which{.name = "an",
                             .parameters = {lockstep::integer_parameter{"k", "packets", 8},
                                            lockstep::text_parameter{"pattern", "of traffic"},
                                            lockstep::flag_parameter{"plain", "as printed"}}};
  explain(which, {.name = "an",
                  .call = "lockstep::an(me)",
                  .header = "an.hpp",
                  .teaching = "tree:3 --k 4 --pattern all",
                  .reasons = "",
                  .text = "One\nparagraph."});
  CHECK(which.explanation == "One paragraph.");
  CHECK(which.call == "lockstep::an(me)");
  CHECK(which.header == "an.hpp");
  CHECK(which.teaching.on == "tree:3");
  auto const asked = teaching_request(which);
  CHECK(asked.network->spec() == "tree:3");
  CHECK(std::get<std::int64_t>(asked.parameters.at("k")) == 4);
  CHECK(std::get<std::string>(asked.parameters.at("pattern")) == "all");
  CHECK_FALSE(std::get<bool>(asked.parameters.at("plain")));
  CHECK(std::get<std::int64_t>(asked.parameters.at("seed")) == 1);
}

TEST_CASE("a teaching example with other options is refused", "[explanations]") {
  lockstep::experiment which{.name = "an",
                             .parameters = {lockstep::integer_parameter{"k", "packets", 8},
                                            lockstep::flag_parameter{"plain", "as printed"}}};
  CHECK_THAT(refusal_of(which, "tree:3 --m 4"), has_text("--m"));
  CHECK_THAT(refusal_of(which, "tree:3 --k 4x"), has_text("--k 4x"));
  CHECK_THAT(refusal_of(which, "tree:3 --plain yes"), has_text("whole number"));
  CHECK_THAT(refusal_of(which, "tree:3 --k"), has_text("ends in --k"));
}

TEST_CASE("an experiment that nothing explains is refused", "[explanations]") {
  CHECK_THROWS_AS(lockstep::with_explanations({{.name = "unexplained"}}),
                  lockstep::invalid_argument);
}
