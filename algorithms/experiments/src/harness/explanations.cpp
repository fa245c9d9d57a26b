#include "harness/explanations.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "harness/generated_explanations.hpp"

namespace lockstep {

namespace {

[[nodiscard]] parameter const& parameter_named(experiment const& which, std::string_view option) {
  auto const found = std::ranges::find_if(
      which.parameters, [&](parameter const& one) { return "--" + one.name == option; });
  if (found == which.parameters.end())
    throw invalid_argument(
        fmt::format("the teaching example of {} has {}, which is not an option "
                    "of it; give one that `lockstep run {} --help` lists",
                    which.name, option, which.name));
  return *found;
}

/// Reads a value of the type that the parameter has: a whole number or a text.
[[nodiscard]] parameter_value value_for(parameter const& taken, std::string const& text) {
  if (std::holds_alternative<std::string>(taken.fallback)) return text;
  std::int64_t number = 0;
  auto const* const end = text.data() + text.size();
  auto const [stopped, problem] = std::from_chars(text.data(), end, number);
  if (!std::holds_alternative<std::int64_t>(taken.fallback) || problem != std::errc{} ||
      stopped != end)
    throw invalid_argument(
        fmt::format("a teaching example has --{} {}; it may set options that "
                    "take a whole number or a text",
                    taken.name, text));
  return number;
}

[[nodiscard]] teaching_example teaching_from(experiment const& which, std::string_view written) {
  std::istringstream words{std::string(written)};
  teaching_example example;
  words >> example.on;
  for (std::string option, value; words >> option;) {
    auto const& taken = parameter_named(which, option);
    if (!(words >> value))
      throw invalid_argument(
          fmt::format("the teaching example of {} ends in {}; write the option's value after it",
                      which.name, option));
    example.parameters[taken.name] = value_for(taken, value);
  }
  return example;
}

/// Reads lines such as: why "route 1": sends a bin to each other processor.
[[nodiscard]] std::vector<phase_reason> reasons_from(experiment const& which,
                                                     std::string_view written) {
  std::regex const form(R"re(why(?: "([^"]+)")?: (.+))re");
  std::vector<phase_reason> reasons;
  std::istringstream lines{std::string(written)};
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, form))
      throw invalid_argument(
          fmt::format("explanations/{}.md has the line {}; write why: TEXT, or why \"PHASE\": TEXT",
                      which.name, line));
    reasons.push_back({found[1], found[2]});
  }
  return reasons;
}

/// Joins lines by spaces.
[[nodiscard]] std::string paragraph_of(std::string_view lines) {
  std::string text(lines);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

void explain(experiment& which, written_explanation const& written) {
  which.explanation = paragraph_of(written.text);
  which.call = written.call;
  which.header = written.header;
  which.teaching = teaching_from(which, written.teaching);
  which.reasons = reasons_from(which, written.reasons);
}

std::string reason_for(std::span<phase_reason const> reasons, std::string_view phase) {
  phase_reason const* best = nullptr;
  for (auto const& each : reasons)
    if (phase.starts_with(each.phase) &&
        (best == nullptr || each.phase.size() > best->phase.size()))
      best = &each;
  return best == nullptr ? std::string() : best->text;
}

std::vector<experiment> with_explanations(std::vector<experiment> all) {
  for (auto& which : all) {
    auto const* const written =
        std::ranges::find(generated_explanations, which.name, &written_explanation::name);
    if (written == generated_explanations.end())
      throw invalid_argument(
          fmt::format("nothing explains {}; write explanations/{}.md", which.name, which.name));
    explain(which, *written);
  }
  return all;
}

experiment_request teaching_request(experiment const& which) {
  experiment_request asked{.network = parse(which.teaching.on), .values = input_values::small};
  asked.options.ports = which.default_ports;
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  for (auto const& [name, value] : which.teaching.parameters) asked.parameters[name] = value;
  return asked;
}

}  // namespace lockstep
