#include "view_notes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "report/library_sources.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

constexpr int most_searched = 1'024;  // processors, whose pairs are a million

std::string parameters_text(run_command const& asked) {
  std::string text;
  for (auto const& [name, value] : asked.parameters) {
    auto const known = std::ranges::find(asked.what->parameters, name, &parameter::name);
    parameter_value const fallback = known == asked.what->parameters.end()
                                         ? parameter_value(std::int64_t{1})  // the seed
                                         : known->fallback;
    if (value == fallback) continue;
    for (auto const& word : option_words(name, value)) text += ' ' + word;
  }
  return text;
}

std::string_view name_of(ports each) {
  if (each == ports::all) return "all";
  return each == ports::per_pass ? "per-pass" : "one";
}

/// Finds the processor with most words in or out.
int busiest(run_record const& run, std::uint64_t processor_record::*words) {
  auto const& all = run.processors();
  return static_cast<int>(std::ranges::max_element(all, {}, words) - all.begin());
}

/// Finds two processors at that distance, and the way between them.
ordered_json path_of(topology const& network, std::uint64_t distance) {
  if (network.size() > most_searched) return nullptr;
  for (int from = 0; from < network.size(); ++from)
    for (int to = 0; to < network.size(); ++to) {
      if (from == to || static_cast<std::uint64_t>(network.hops(from, to)) != distance) continue;
      auto ranks = network.route(from, to);
      ranks.insert(ranks.begin(), from);
      return {{"kind", "path"}, {"ranks", ranks}};
    }
  return nullptr;
}

/// Counts the links from one side to the other.
std::int64_t crossing(topology const& network, std::vector<bool> const& side) {
  std::int64_t links = 0;
  for (int from = 0; from < network.size(); ++from)
    for (auto const& to : network.neighbours(from))
      if (side[static_cast<std::size_t>(from)] && !side[static_cast<std::size_t>(to.rank)]) ++links;
  return links;
}

/// The first half of the processors, in the order of their coordinate `which`, or -1: of their ranks.
std::vector<bool> first_half(topology const& network, int which) {
  auto const p = static_cast<std::size_t>(network.size());
  std::vector<std::pair<int, int>> order;
  order.reserve(p);
  for (int rank = 0; rank < network.size(); ++rank)
    order.emplace_back(
        which < 0 ? rank : network.coordinates(rank)[static_cast<std::size_t>(which)], rank);
  std::ranges::sort(order);
  std::vector<bool> side(p);
  for (std::size_t at = 0; at < p / 2; ++at)
    side[static_cast<std::size_t>(order[at].second)] = true;
  return side;
}

/// Finds halves with as few links between them as there can be.
ordered_json cut_of(topology const& network) {
  auto const width = network.bisection_width();
  if (!width || network.size() > most_searched) return nullptr;
  auto const axes = static_cast<int>(network.coordinates(0).size());
  for (int which = -1; which < axes; ++which) {
    auto const side = first_half(network, which);
    if (crossing(network, side) != *width) continue;
    std::vector<int> ranks;
    for (int rank = 0; rank < network.size(); ++rank)
      if (side[static_cast<std::size_t>(rank)]) ranks.push_back(rank);
    return {{"kind", "cut"}, {"side", ranks}};
  }
  return nullptr;
}

/// The bounds as the report has them, and whether the run attains them, and where they come from.
ordered_json bounds_of(report const& of, ordered_json bounds) {
  for (std::size_t at = 0; at < bounds.size(); ++at) {
    auto const& one = of.result.bounds[at];
    bounds[at]["tight"] = metric_value(of.result.record.counts(), one.figure) == one.value;
    bounds[at]["drawing"] = drawing_of(one, of.result.record);
  }
  return bounds;
}

std::optional<std::string> find_source(std::string const& path) {
  if (auto const text = library_source(path)) return std::string(*text);
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string dumped(ordered_json const& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// Splits a paragraph into its sentences.
std::vector<std::string> sentences_of(std::string_view paragraph) {
  std::vector<std::string> sentences;
  while (!paragraph.empty()) {
    auto const stop = paragraph.find(". ");
    auto const length = stop == std::string_view::npos ? paragraph.size() : stop + 1;
    sentences.emplace_back(paragraph.substr(0, length));
    paragraph.remove_prefix(std::min(paragraph.size(), length + 1));
  }
  return sentences;
}

/// Adds how the algorithm works, and how a program calls it.
void add_explanation(view_notes& notes, experiment const& of) {
  notes.members["explanation"] = dumped(sentences_of(of.explanation));
  notes.members["call"] = dumped(of.call);
  notes.members["header"] = dumped(of.header);
}

}  // namespace

std::vector<std::string> option_words(std::string const& name, parameter_value const& value) {
  auto const option = "--" + name;
  if (auto const* const flag = std::get_if<bool>(&value))
    return *flag ? std::vector{option} : std::vector<std::string>();
  auto const text = as_json(value);
  return {option, text.is_string() ? text.get<std::string>() : text.dump()};
}

std::string command_text(run_command const& asked) {
  auto text = fmt::format("lockstep run {} --on {}", asked.what->name, asked.on);
  text += parameters_text(asked);
  if (asked.options.ports != asked.what->default_ports)
    text += fmt::format(" --ports {}", name_of(asked.options.ports));
  if (asked.options.strict) text += " --strict";
  if (asked.input) text += fmt::format(" --input {}", asked.input->string());
  return text;
}

view_notes notes_on(run_command const& asked, report const* of) {
  view_notes notes{.command = command_text(asked), .source = find_source};
  add_explanation(notes, *asked.what);
  if (of == nullptr) return notes;
  auto const json = as_json(*of);
  notes.members["parameters"] = dumped(json.at("parameters"));
  notes.members["claims"] = dumped(json.at("claims"));
  notes.members["bounds"] = dumped(bounds_of(*of, json.at("bounds")));
  return notes;
}

ordered_json drawing_of(lower_bound const& bound, run_record const& run) {
  if (run.network() == nullptr || run.processors().empty()) return nullptr;
  switch (bound.reason) {
    case bound_reason::distance:
      return path_of(*run.network(), bound.value);
    case bound_reason::in_port:
      return {{"kind", "port"}, {"rank", busiest(run, &processor_record::words_received)}};
    case bound_reason::out_port:
      return {{"kind", "port"}, {"rank", busiest(run, &processor_record::words_sent)}};
    case bound_reason::halves:
      return cut_of(*run.network());
    case bound_reason::spreading:
    case bound_reason::links:
    case bound_reason::moved:
      break;
  }
  return nullptr;
}

std::optional<std::string_view> library_source(std::string_view path) {
  for (auto const& one : library_sources())
    if (path.ends_with(one.path) &&
        (path.size() == one.path.size() || path[path.size() - one.path.size() - 1] == '/'))
      return one.text;
  return std::nullopt;
}

}  // namespace lockstep::cli
