#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <lockstep/topologies/catalog.hpp>

#include "commands.hpp"
#include "models.hpp"
#include "report/report.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

std::string parameters_of(experiment const& one) {
  std::vector<std::string> names;
  names.reserve(one.parameters.size() + 2);
  for (auto const& parameter : one.parameters) names.push_back("--" + parameter.name);
  if (one.takes_files) names.emplace_back("--input");
  if (one.takes_files || one.writes_file) names.emplace_back("--output");
  return fmt::format("{}", fmt::join(names, ", "));
}

/// "    label   text", wrapped to the page.
std::string labelled(std::string_view label, std::string_view text) {
  if (text.empty()) return {};
  constexpr std::size_t indent = 15;
  std::string lines;
  for (auto const& line : wrapped(text, page_width - indent)) {
    lines += fmt::format("    {:<11}{}\n", label, line);
    label = "";
  }
  return lines;
}

/// "lockstep::prefix(me, plus, value), in <lockstep/algorithms/prefix/prefix.hpp>"
std::string call_of(experiment const& one) {
  return one.header.empty() ? one.call : fmt::format("{}, in <{}>", one.call, one.header);
}

std::string algorithms_as_text(list_command const& asked) {
  auto text = fmt::format("Algorithms: {} run ALGORITHM --on TOPOLOGY\n", asked.tool);
  for (auto const& one : asked.known) {
    text += fmt::format("\n  {}\n", one.name);
    text += labelled("what", one.summary);
    text += labelled("on", one.topologies);
    text += labelled("options", parameters_of(one));
    text += labelled("source", one.source);
    text += labelled("call", call_of(one));
    text += labelled("try",
                     fmt::format("{} run {} --on {}", asked.tool, one.name, one.examples.front()));
  }
  return text;
}

std::string topologies_as_text() {
  std::string text = "\nTopologies: --on TOPOLOGY\n\n";
  std::size_t width = 0;
  for (auto const& one : topology_kinds()) width = std::max(width, one.examples.front().size());
  for (auto const& one : topology_kinds())
    text += fmt::format("  {:<{}}{}\n", one.examples.front(), width + 2, one.summary);
  return text;
}

std::string models_as_text() {
  std::string text = "\nCost models: --model NAME, or --model NAME:PARAMETER=VALUE,...\n\n";
  for (auto const& one : model_entries()) {
    text += fmt::format("  {:<22}{}\n", one.name, one.summary);
    for (auto const& line : wrapped(parameter_values_of(one), page_width - 26))
      if (!line.empty()) text += fmt::format("  {:<24}{}\n", "", line);
  }
  return text;
}

nlohmann::ordered_json object_of(teaching_example const& one) {
  nlohmann::ordered_json json{{"on", one.on}, {"parameters", nlohmann::ordered_json::object()}};
  for (auto const& [name, value] : one.parameters) json["parameters"][name] = as_json(value);
  return json;
}

nlohmann::ordered_json object_of(std::vector<phase_reason> const& reasons) {
  auto list = nlohmann::ordered_json::array();
  for (auto const& [phase, text] : reasons) list.push_back({{"phase", phase}, {"text", text}});
  return list;
}

/// Lists the explanations of other networks, schemes and the like: "networks", "parameter" with
/// "values" (a flag has none) and "phase" stand where a run has to have such.
nlohmann::ordered_json object_of(std::vector<variant_explanation> const& variants) {
  auto list = nlohmann::ordered_json::array();
  for (auto const& one : variants) {
    auto& object = list.emplace_back(nlohmann::ordered_json::object());
    if (!one.networks.empty()) object["networks"] = one.networks;
    if (!one.parameter.empty()) {
      object["parameter"] = one.parameter;
      object["values"] = one.values;
    }
    if (!one.phase.empty()) object["phase"] = one.phase;
    object["explanation"] = one.explanation;
    object["reasons"] = object_of(one.reasons);
  }
  return list;
}

nlohmann::ordered_json object_of(experiment const& one) {
  nlohmann::ordered_json json{{"name", one.name},
                              {"summary", one.summary},
                              {"explanation", one.explanation},
                              {"call", one.call},
                              {"header", one.header},
                              {"topologies", one.topologies},
                              {"source", one.source},
                              {"example", one.examples.front()},
                              {"teaching", object_of(one.teaching)},
                              {"reasons", object_of(one.reasons)},
                              {"variants", object_of(one.variants)},
                              {"takes_files", one.takes_files},
                              {"writes_file", one.takes_files || one.writes_file}};
  json["parameters"] = nlohmann::ordered_json::array();
  for (auto const& parameter : one.parameters) {
    auto& object = json["parameters"].emplace_back(
        nlohmann::ordered_json{{"name", parameter.name},
                               {"help", parameter.help},
                               {"default", as_json(parameter.fallback)}});
    if (parameter.least) object["least"] = *parameter.least;
    if (parameter.most) object["most"] = *parameter.most;
    if (!parameter.names.empty()) object["names"] = parameter.names;
  }
  return json;
}

nlohmann::ordered_json everything_as_json(list_command const& asked) {
  auto json = nlohmann::ordered_json::object();
  json["algorithms"] = nlohmann::ordered_json::array();
  for (auto const& one : asked.known) json["algorithms"].push_back(object_of(one));
  json["topologies"] = nlohmann::ordered_json::array();
  for (auto const& one : topology_kinds())
    json["topologies"].push_back({{"example", one.examples.front()}, {"summary", one.summary}});
  json["models"] = nlohmann::ordered_json::array();
  for (auto const& one : model_entries())
    json["models"].push_back(
        {{"name", one.name}, {"summary", one.summary}, {"parameters", parameter_values_of(one)}});
  return json;
}

}  // namespace

exit_status execute(list_command const& asked, std::ostream& out) {
  if (asked.json) {
    out << everything_as_json(asked).dump(2) << '\n';
  } else {
    out << algorithms_as_text(asked) << topologies_as_text() << models_as_text();
  }
  return exit_status::all_right;
}

exit_status execute(show_text const& asked, std::ostream& out) {
  out << asked.text;
  return exit_status::all_right;
}

}  // namespace lockstep::cli
