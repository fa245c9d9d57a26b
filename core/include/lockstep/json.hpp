#pragma once

// JSON of counts and records, for nlohmann-json (`nlohmann::json` or `nlohmann::ordered_json`; the
// latter keeps the order of declaration). Optional: nothing else of lockstep needs nlohmann-json.
//
//   nlohmann::ordered_json document = run.counts();   // {"steps": 8, "rounds": 8, ...}

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <lockstep/claim.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/problem_instance.hpp>
#include <lockstep/run.hpp>

namespace lockstep {

namespace detail {

/// A number without ".0" where it is whole, and double precision has all whole numbers of its size.
template <class Json>
[[nodiscard]] Json json_of_number(double value) {
  constexpr double exact_whole_numbers = 9007199254740992.0;  // 2^53
  if (std::trunc(value) == value && std::abs(value) < exact_whole_numbers)
    return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace detail

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

/// Writes a claim beside the value that was measured, and how it is judged:
/// `{"figure": "steps", "formula": "log2 p", "value": 3, "relation": "=", "holds": true, "source": "", "verdict": "equal",
/// "where": []}`. "measured" stands for times by a model, and where `at` has a network, "constant" for orders, "reason",
/// "erratum", "tau" (of the claim's model, in words) and "wrong" (`judgement::is_fault`) only of claims that have them.
/// Errors: those of the claim's formula and hypotheses.
template <class Json>
[[nodiscard]] Json claim_as(claim const& claimed, double measured,
                            problem_instance const& at = {}) {
  Json json = Json::object();
  bool const is_about = claimed.bound == comparison::about;
  json["figure"] = claimed.figure;
  json["formula"] = claimed.formula;
  json["value"] = detail::json_of_number<Json>(claimed.value(at));
  json["relation"] = symbol(is_about ? comparison::order : claimed.bound);
  if (is_about) json["about"] = true;
  json["holds"] = is_about ? measured <= claimed.value(at) : holds(claimed, measured, at);
  if (claimed.bound == comparison::order || is_about)
    if (auto const constant = constant_of(claimed, measured, at)) json["constant"] = *constant;
  if (claimed.model) json["tau"] = detail::json_of_number<Json>(claimed.model->tau_words);
  if (claimed.model || at.network) json["measured"] = detail::json_of_number<Json>(measured);
  json["source"] = claimed.source;
  if (!claimed.erratum.empty()) json["erratum"] = claimed.erratum;
  auto const found = judge(claimed, measured, at);
  json["verdict"] = name_of(found.verdict);
  if (!found.reason.empty()) json["reason"] = found.reason;
  if (found.is_fault) json["wrong"] = true;
  json["where"] = Json::array();
  for (auto const& one : claimed.where)
    json["where"].push_back(Json{{"text", one.text}, {"met", one.is_met(at)}});
  return json;
}

/// Writes claims beside what a run counted, for a page of it: `view_notes::members` has the text as "claims".
/// `at`: where the program ran, and on how much, for claims that are functions of that.
/// Errors: those of `measured_for`, and of the claims' formulas and hypotheses.
template <class Json>
[[nodiscard]] Json claims_as(std::span<claim const> claims, counts const& measured,
                             problem_instance const& at = {}) {
  Json all = Json::array();
  for (auto const& one : claims)
    all.push_back(claim_as<Json>(one, measured_for(one, measured, at), at));
  return all;
}

}  // namespace lockstep
