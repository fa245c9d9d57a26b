#include "harness/explanations.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/catalog.hpp>
#include <lockstep/topologies/parse.hpp>

#include "harness/generated_explanations.hpp"

namespace lockstep {

namespace {

[[nodiscard]] parameter const& parameter_named(experiment const& which, std::string_view option) {
  auto const found = std::ranges::find_if(
      which.parameters, [&](parameter const& one) { return "--" + one.name == option; });
  if (found == which.parameters.end())
    throw invalid_argument(
        fmt::format("the explanation of {} has {}, which is not an option "
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
    if (std::holds_alternative<bool>(taken.fallback)) {
      example.parameters[taken.name] = true;
      continue;
    }
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
  static std::regex const form(R"re(why(?: "([^"]+)")?: (.+))re");
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

/// Takes the text before a separator off the front, and the separator.
[[nodiscard]] std::string_view taken_off(std::string_view& text, std::string_view separator) {
  auto const end = text.find(separator);
  auto const front = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return front;
}

/// Takes a list such as "ring,bucket" apart.
[[nodiscard]] std::vector<std::string> names_in(std::string const& list) {
  std::vector<std::string> names;
  std::istringstream parts(list);
  for (std::string name; std::getline(parts, name, ',');) names.push_back(name);
  return names;
}

/// Errors: invalid_argument for an unknown kind of networks.
void check_networks(experiment const& which, std::vector<std::string> const& networks) {
  for (auto const& name : networks)
    if (std::ranges::find(topology_kinds(), name, &topology_kind::name) == topology_kinds().end())
      throw invalid_argument(
          fmt::format("explanations/{}.md is for network {}, which is not a kind of networks; give "
                      "some that `lockstep list` names",
                      which.name, name));
}

/// Errors: invalid_argument for a parameter that the experiment lacks, or a value that it does not take;
/// and for no value, but of a flag.
void check_values(experiment const& which, variant_explanation const& variant) {
  auto const& taken = parameter_named(which, "--" + variant.parameter);
  auto const& names = taken.names;
  if (variant.values.empty() && !std::holds_alternative<bool>(taken.fallback))
    throw invalid_argument(fmt::format(
        "explanations/{}.md is for --{} without a value, which is not a flag; give some "
        "that `lockstep run {} --help` lists",
        which.name, variant.parameter, which.name));
  for (auto const& value : variant.values)
    if (std::ranges::find(names, value) == names.end())
      throw invalid_argument(
          fmt::format("explanations/{}.md is for --{} {}, which is not a value of it; give some "
                      "that `lockstep run {} --help` lists",
                      which.name, variant.parameter, value, which.name));
}

/// Reads a line such as: for network tree and --scheme k-ary,best and phase "broadcast"; a flag has
/// no values.
[[nodiscard]] variant_explanation variant_from(experiment const& which, std::string_view line) {
  static std::regex const form(
      R"re(for (?:network ([a-z-]+(?:,[a-z-]+)*)(?: and (?=--)|(?= and phase|$)))?)re"
      R"re((?:--([a-z0-9-]+)(?: ([a-z0-9,-]+))?)?(?: and phase "([^"]+)")?)re");
  std::cmatch found;
  bool const is_read = std::regex_match(line.data(), line.data() + line.size(), found, form) &&
                       (found[1].matched || found[2].matched);
  if (!is_read)
    throw invalid_argument(fmt::format(
        "explanations/{}.md has the line {}; write for network KIND,KIND, or for --PARAMETER "
        "VALUE,VALUE, or for --FLAG, or both with and between them, with and phase \"PHASE\" where "
        "that is not enough",
        which.name, line));
  variant_explanation variant{.networks = names_in(found[1]),
                              .parameter = found[2],
                              .values = names_in(found[3]),
                              .phase = found[4]};
  check_networks(which, variant.networks);
  if (!variant.parameter.empty()) check_values(which, variant);
  return variant;
}

/// Reads sections: the line that says for which runs, reasons, an empty line and the text.
[[nodiscard]] std::vector<variant_explanation> variants_from(experiment const& which,
                                                             std::string_view written) {
  std::vector<variant_explanation> variants;
  while (!written.empty()) {
    auto head = taken_off(written, "\n\n");
    auto const line = taken_off(head, "\n");
    auto variant = variant_from(which, line);
    variant.reasons = reasons_from(which, head);
    variant.explanation = paragraph_of(taken_off(written, "\n\n"));
    if (variant.reasons.empty() || variant.explanation.empty())
      throw invalid_argument(
          fmt::format("explanations/{}.md has a section {} without a reason or a text; write a "
                      "line why: TEXT, an empty line, and two or three sentences",
                      which.name, line));
    variants.push_back(std::move(variant));
  }
  return variants;
}

using parameter_values = std::map<std::string, parameter_value>;

/// Finds the text of a parameter or figure; nullptr without one, or for a number.
[[nodiscard]] std::string const* text_in(parameter_values const& values, std::string const& name) {
  auto const found = values.find(name);
  return found == values.end() ? nullptr : std::get_if<std::string>(&found->second);
}

/// Finds the first variant for which `fits(variant)`, or else the usual explanation.
template <class Fits>
[[nodiscard]] run_explanation first_that(experiment const& which, Fits const& fits) {
  auto const variant = std::ranges::find_if(which.variants, fits);
  if (variant == which.variants.end()) return {which.explanation, which.reasons};
  return {variant->explanation, variant->reasons};
}

/// Gives the word before the colon of a network's specification: "hypercube".
[[nodiscard]] std::string kind_of(topology const& network) {
  auto const spec = network.spec();
  return spec.substr(0, spec.find(':'));
}

/// `network`: may be nullptr, of a record that no machine has made.
[[nodiscard]] bool has_network(variant_explanation const& variant, topology const* network) {
  if (variant.networks.empty()) return true;
  return network != nullptr &&
         std::ranges::find(variant.networks, kind_of(*network)) != variant.networks.end();
}

[[nodiscard]] bool is_set(parameter_values const& values, std::string const& flag) {
  auto const found = values.find(flag);
  return found != values.end() && found->second == parameter_value(true);
}

/// `figures`: of a run, which say what was taken; else none.
[[nodiscard]] bool has_value(variant_explanation const& variant, parameter_values const& parameters,
                             parameter_values const& figures) {
  if (variant.parameter.empty()) return true;
  if (variant.values.empty()) return is_set(parameters, variant.parameter);
  auto const* taken = text_in(figures, variant.parameter);
  if (taken == nullptr) taken = text_in(parameters, variant.parameter);
  return taken != nullptr && std::ranges::find(variant.values, *taken) != variant.values.end();
}

}  // namespace

void explain(experiment& which, written_explanation const& written) {
  which.explanation = paragraph_of(written.text);
  which.call = written.call;
  which.header = written.header;
  which.teaching = teaching_from(which, written.teaching);
  which.reasons = reasons_from(which, written.reasons);
  which.variants = variants_from(which, written.variants);
}

std::string networks_in_words(variant_explanation const& variant) {
  if (variant.networks.empty()) return {};
  return fmt::format("on a {}", fmt::join(variant.networks, " or a "));
}

run_explanation explanation_of(experiment const& which, experiment_result const& result) {
  auto const& phases = result.record.phases();
  return first_that(which, [&](variant_explanation const& variant) {
    bool const has_phase =
        variant.phase.empty() ||
        std::ranges::any_of(phases, [&](auto const& phase) { return phase.name == variant.phase; });
    return has_phase && has_network(variant, result.record.network().get()) &&
           has_value(variant, result.parameters, result.figures);
  });
}

run_explanation explanation_of(experiment const& which, topology const& network,
                               parameter_values const& parameters) {
  return first_that(which, [&](variant_explanation const& variant) {
    return variant.phase.empty() && has_network(variant, &network) &&
           has_value(variant, parameters, {});
  });
}

std::optional<teaching_example> textbook_example(experiment const& which) {
  bool const has_form = std::ranges::any_of(
      which.parameters, [](parameter const& one) { return one.name == "textbook"; });
  if (!has_form) return std::nullopt;
  auto example = which.teaching;
  example.parameters["textbook"] = true;
  auto asked = teaching_request(which);
  asked.parameters["textbook"] = true;
  std::vector<std::string> networks{example.on};
  std::ranges::copy(which.examples, std::back_inserter(networks));
  for (auto const& on : networks) try {
      asked.network = parse(on);
      if (which.run(asked).is_wrong()) continue;
      example.on = on;
      return example;
    } catch (error const& /*not on this network*/) {
    }
  return std::nullopt;
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
