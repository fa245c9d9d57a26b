#pragma once

// JSON of counts and records, for nlohmann-json (`nlohmann::json` or `nlohmann::ordered_json`; the
// latter keeps the order of declaration). Optional: nothing else of lockstep needs nlohmann-json.
//
//   nlohmann::ordered_json document = run.counts();   // {"steps": 8, "rounds": 8, ...}

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <lockstep/counts.hpp>
#include <lockstep/run.hpp>

namespace lockstep {

/// `{"steps": 8, "rounds": 8, ...}`: all figures, in the order of declaration; "memory" only where
/// the program took any, "link_words" only where it is not "words", "hot_startups", "work" and
/// "operations" only where they are not 0.
template <class Json>
void to_json(Json& json, counts const& of) {
  json = Json::object();
  for_each_shown_figure(of, [&](char const* name, std::uint64_t value) { json[name] = value; });
}

/// `{"step": 1, "phase": 0, <all figures>, "largest": 96}`; "phase" is null outside a named phase.
template <class Json>
void to_json(Json& json, step_record const& of) {
  json = Json::object();
  json["step"] = of.step;
  if (of.phase == no_phase) {
    json["phase"] = nullptr;
  } else {
    json["phase"] = of.phase;
  }
  for_each_shown_figure(of, [&](char const* name, std::uint64_t value) { json[name] = value; });
  json["largest"] = of.largest;
}

/// `{"name": "ring 1", <all figures>, "port_words": 144}`.
template <class Json>
void to_json(Json& json, phase_record const& of) {
  json = Json::object();
  json["name"] = of.name;
  for_each_shown_figure(of, [&](char const* name, std::uint64_t value) { json[name] = value; });
  json["port_words"] = of.port_words;
}

/// `{"name": "skew", "inside": 0, "first_step": 1, "steps": 3, "words": 12, ...}`; "inside" only where
/// another label encloses it, "operations" only if it has some.
template <class Json>
void to_json(Json& json, label_record const& of) {
  json = Json::object();
  json["name"] = of.name;
  if (of.inside != no_label) json["inside"] = of.inside;
  json["first_step"] = of.first_step;
  for_each_figure(of, [&](std::string_view name, std::uint64_t value) {
    if (name != "operations" || value > 0) json[std::string(name)] = value;
  });
}

/// {"words_sent": 576, "words_received": 576}, "memory" where it took any, and "operations" where it
/// worked.
template <class Json>
void to_json(Json& json, processor_record const& of) {
  json = Json::object();
  json["words_sent"] = of.words_sent;
  json["words_received"] = of.words_received;
  if (of.memory > 0) json["memory"] = of.memory;
  if (of.operations > 0) json["operations"] = of.operations;
}

/// `{"counts": {...}, "phases": [...], "steps": [...], "processors": [...]}`, one entry for each
/// phase, step and processor; but one for more than 1,000 equal steps, with "last_step", the number
/// of the last of them. "steps_cut_off" is true where `run_record::has_all_steps` is not; "makespan"
/// stands only where it is more than the rounds, "span" only where processors worked, "labels" only where
/// they labelled something. The results of the program are not part of it.
template <class Json>
void to_json(Json& json, run_record const& of) {
  json = Json::object();
  json["counts"] = of.counts();
  json["phases"] = of.phases();
  auto& steps = json["steps"] = Json::array();
  detail::for_each_row(of.steps(), [&](step_record const& first, std::uint64_t last) {
    Json one = first;
    if (last != first.step) one["last_step"] = last;
    steps.push_back(std::move(one));
  });
  if (!of.has_all_steps()) json["steps_cut_off"] = true;
  if (of.makespan() > of.counts().rounds) json["makespan"] = of.makespan();
  if (of.span() > 0) json["span"] = of.span();
  if (!of.labels().empty()) json["labels"] = of.labels();
  json["processors"] = of.processors();
}

}  // namespace lockstep
