#include "harness/explanations.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include <lockstep/experiments/registry.hpp>

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

[[nodiscard]] std::string refusal_of(lockstep::experiment& which, char const* teaching) {
  try {
    explain(which, {.name = "an", .call = "", .header = "", .teaching = teaching, .text = ""});
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
