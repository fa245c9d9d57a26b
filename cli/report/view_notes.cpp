#include "view_notes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/topologies/parse.hpp>

#include "report/bound_drawing.hpp"
#include "report/bound_sentence.hpp"
#include "report/library_sources.hpp"
#include "report/shell_words.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

/// Gives an option as it is typed: "--k", "4"; nothing for a flag that is not set.
std::vector<std::string> option_words(std::string const& name, parameter_value const& value) {
  auto const option = "--" + name;
  if (auto const* const flag = std::get_if<bool>(&value))
    return *flag ? std::vector{option} : std::vector<std::string>();
  auto const text = as_json(value);
  return {option, text.is_string() ? text.get<std::string>() : text.dump()};
}

/// Lists the parameters that are not at their defaults, or that an input file would tell, as they are typed.
std::vector<std::string> parameter_words(run_command const& asked) {
  std::vector<std::string> words;
  for (auto const& [name, value] : asked.parameters) {
    auto const known = std::ranges::find(asked.what->parameters, name, &parameter::name);
    parameter_value const fallback = known == asked.what->parameters.end()
                                         ? parameter_value(std::int64_t{1})  // the seed
                                         : known->fallback;
    bool const is_against_file =
        asked.input && known != asked.what->parameters.end() && known->told_by_input;
    if (value != fallback || is_against_file)
      std::ranges::copy(option_words(name, value), std::back_inserter(words));
  }
  return words;
}

std::string_view name_of(ports each) {
  if (each == ports::all) return "all";
  return each == ports::per_pass ? "per-pass" : "one";
}

/// Lists what follows `lockstep run` or `lockstep view`.
std::vector<std::string> run_words(run_command const& asked, input_values usual) {
  std::vector<std::string> words{asked.what->name, "--on", asked.on};
  std::ranges::copy(parameter_words(asked), std::back_inserter(words));
  bool const file_tells_ports = asked.input && asked.what->machine_told_by;
  if (asked.options.ports != asked.what->default_ports || file_tells_ports)
    words.insert(words.end(), {"--ports", std::string(name_of(asked.options.ports))});
  if (asked.options.strict) words.emplace_back("--strict");
  if (asked.model) words.insert(words.end(), {"--model", *asked.model});
  if (asked.shares_links) words.insert(words.end(), {"--sharing", "links"});
  if (asked.free_in_ports) words.insert(words.end(), {"--in-port", "free"});
  if (asked.input)
    words.insert(words.end(), {"--input", asked.input->string()});
  else if (asked.values != usual)
    words.insert(words.end(), {"--values", std::string(name_of(asked.values))});
  return words;
}

/// Finds the value of a parameter; "" for one that the run does not have.
parameter_value value_of(run_command const& asked, std::string const& name) {
  auto const found = asked.parameters.find(name);
  return found == asked.parameters.end() ? parameter_value(std::string()) : found->second;
}

/// Gives a parameter as it stands in a title: ", scheme ring"; nothing for a flag that is not set.
std::string in_title(std::string const& name, parameter_value const& value) {
  auto words = option_words(name, value);
  if (words.empty() || words.back().empty()) return {};
  words.front().erase(0, std::string_view("--").size());
  return fmt::format(", {}", fmt::join(words, " "));
}

/// Adds to the bounds of a report whether the run attains them, and where they come from.
ordered_json bounds_of(report const& of, ordered_json bounds) {
  for (std::size_t at = 0; at < bounds.size(); ++at) {
    auto const& one = of.result.bounds[at];
    bounds[at]["tight"] = metric_value(of.result.record.counts(), one.figure) == one.value;
    auto drawing = drawing_of(one, of.result.record);
    bounds[at]["sentence"] = sentence_on(one, of.result.record, drawing);
    bounds[at]["drawing"] = std::move(drawing);
  }
  return bounds;
}

/// Finds the text of one of the library's sources, or reads another source file of usual size.
std::optional<std::string> find_source(std::string const& path) {
  constexpr std::uintmax_t largest = std::uintmax_t{1} << 20U;
  if (auto const text = library_source(path)) return std::string(*text);
  std::error_code unknown;
  auto const bytes = std::filesystem::file_size(path, unknown);
  if (unknown || bytes > largest) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string dumped(ordered_json const& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// Adds how the algorithm works in this run, and how a program calls it.
void add_explanation(view_notes& notes, experiment const& of, run_explanation const& explained) {
  notes.explanation = explained.text;
  notes.members["call"] = dumped(of.call);
  notes.members["header"] = dumped(of.header);
  auto reasons = ordered_json::array();
  for (auto const& [phase, text] : explained.reasons)
    reasons.push_back({{"phase", phase}, {"text", text}});
  notes.members["reasons"] = dumped(reasons);
}

/// Adds, to a run that is not by the form of a paper or textbook, a command that shows that form.
void add_textbook(view_notes& notes, run_command const& asked) {
  auto const chosen = asked.parameters.find("textbook");
  if (chosen == asked.parameters.end() || chosen->second != parameter_value(false)) return;
  auto const example = textbook_example(*asked.what);
  if (!example) return;
  run_command shown{.what = asked.what, .on = example->on, .tool = asked.tool};
  shown.options.ports = asked.what->default_ports;
  for (auto const& taken : asked.what->parameters) shown.parameters[taken.name] = taken.fallback;
  for (auto const& [name, value] : example->parameters) shown.parameters[name] = value;
  notes.members["textbook"] = dumped(view_command_text(shown, nullptr));
}

/// Writes the clocks of the processors: what each does when, and the critical path, as columns.
/// The column `what` has indices of `kinds`.
ordered_json clock_of(report const& of) {
  auto const& times = *of.times;
  ordered_json json{{"model", times.model},
                    {"unit", times.unit},
                    {"makespan", times.makespan},
                    {"utilisation", times.utilisation()},
                    {"kinds", ordered_json::array()}};
  for (int kind = 0; kind <= static_cast<int>(stretch_kind::idle); ++kind)
    json["kinds"].push_back(name_of(static_cast<stretch_kind>(kind)));
  auto stretches = ordered_json::object();
  for (auto const* const column : {"rank", "what", "begin", "end"})
    stretches[column] = ordered_json::array();
  for (auto const& [rank, what, begin, end] : of.stretches) {
    stretches["rank"].push_back(rank);
    stretches["what"].push_back(static_cast<int>(what));
    stretches["begin"].push_back(begin);
    stretches["end"].push_back(end);
  }
  json["stretches"] = std::move(stretches);
  auto steps = ordered_json::object();
  for (auto const* const column : {"step", "begin", "end"}) steps[column] = ordered_json::array();
  for (auto const& [step, begin, end] : of.step_times) {
    steps["step"].push_back(step);
    steps["begin"].push_back(begin);
    steps["end"].push_back(end);
  }
  json["steps"] = std::move(steps);
  json["path"] = ordered_json::array();
  for (auto const& piece : times.critical_path)
    json["path"].push_back({{"rank", piece.rank},
                            {"what", name_of(piece.what)},
                            {"begin", piece.begin},
                            {"end", piece.end},
                            {"other", piece.other}});
  return json;
}

}  // namespace

std::string view_command_text(run_command const& asked, run_command const* beside) {
  auto text = asked.tool + " view";
  for (auto const& word : run_words(asked, run_command().values)) text += ' ' + in_shell(word);
  // What follows --beside is split at blanks, and knows no quotes.
  if (beside != nullptr)
    text += " --beside " +
            in_shell(fmt::format("{}", fmt::join(run_words(*beside, asked.values), " ")));
  return text;
}

std::string run_title(run_command const& asked, run_command const* beside) {
  auto title = fmt::format("{} on {}", asked.what->name, parse(asked.on)->spec());
  bool const has_twin = beside != nullptr && beside->what == asked.what;
  for (auto const& known : asked.what->parameters) {
    auto const value = value_of(asked, known.name);
    bool const is_named = !known.names.empty() && value != known.fallback;
    if (is_named || (has_twin && value != value_of(*beside, known.name)))
      title += in_title(known.name, value);
  }
  if (!has_twin) return title;
  if (value_of(asked, "seed") != value_of(*beside, "seed"))
    title += in_title("seed", value_of(asked, "seed"));
  if (asked.options.ports != beside->options.ports)
    title += fmt::format(", ports {}", name_of(asked.options.ports));
  if (asked.options.strict && !beside->options.strict) title += ", strict";
  if (asked.model && asked.model != beside->model) title += ", priced by " + *asked.model;
  return title;
}

view_notes notes_on(run_command const& asked, std::string page_command, report const* of,
                    run_command const* beside) {
  view_notes notes{
      .title = run_title(asked, beside), .command = std::move(page_command), .source = find_source};
  add_explanation(notes, *asked.what, explanation_in(asked, of));
  add_textbook(notes, asked);
  if (of == nullptr) return notes;
  auto const json = as_json(*of);
  for (auto const* const same : {"parameters", "figures", "claims"})
    notes.members[same] = dumped(json.at(same));
  if (!of->stretches.empty()) notes.members["clock"] = dumped(clock_of(*of));
  notes.members["bounds"] = dumped(bounds_of(*of, json.at("bounds")));
  return notes;
}

run_explanation explanation_in(run_command const& asked, report const* of) {
  return of == nullptr ? explanation_of(*asked.what, *parse(asked.on), asked.parameters)
                       : explanation_of(*asked.what, of->result);
}

std::optional<std::string_view> library_source(std::string_view path) {
  for (auto const& one : library_sources())
    if (path.ends_with(one.path) &&
        (path.size() == one.path.size() || path[path.size() - one.path.size() - 1] == '/'))
      return one.text;
  return std::nullopt;
}

}  // namespace lockstep::cli
