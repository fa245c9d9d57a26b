#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/json.hpp>

#include "sweep_row.hpp"
#include "text_table.hpp"

namespace lockstep::cli {

namespace {

constexpr double exact_whole_numbers = 9007199254740992.0;  // 2^53

bool is_whole(double value) {
  return std::trunc(value) == value && std::abs(value) < exact_whole_numbers;
}

std::string text_of(double value) {
  return is_whole(value) ? fmt::format("{}", static_cast<std::int64_t>(value))
                         : fmt::format("{:.10g}", value);
}

/// A time, to a thousandth of its unit; a small one to four digits.
std::string time_text(double time) {
  if (is_whole(time)) return text_of(time);
  return std::abs(time) < 1 ? fmt::format("{:.4g}", time) : fmt::format("{:.3f}", time);
}

std::string text_of(parameter_value const& value) {
  if (auto const* number = std::get_if<double>(&value)) return text_of(*number);
  if (auto const* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (auto const* is_so = std::get_if<bool>(&value)) return *is_so ? "yes" : "no";
  return std::get<std::string>(value);
}

/// Puts parameters one after the other, but flags that are not set.
std::string joined(std::map<std::string, parameter_value> const& values) {
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (auto const& [name, value] : values)
    if (auto const text = text_of(value); !text.empty() && value != parameter_value(false))
      parts.push_back(fmt::format("{} {}", name, text));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Lines under the table of claims, numbered as they are referred to there.
class footnotes {
 public:
  /// The mark that refers to the note: "[1]".
  std::string add(std::string_view figure, std::string_view text) {
    m_notes.push_back(fmt::format("{}: {}", figure, text));
    return fmt::format("[{}]", m_notes.size());
  }

  [[nodiscard]] std::string str() const {
    std::string text;
    for (std::size_t i = 0; i < m_notes.size(); ++i) {
      auto const mark = fmt::format("[{}] ", i + 1);
      std::string_view lead = mark;
      std::string const indent(mark.size(), ' ');
      for (auto const& line : wrapped(m_notes[i], page_width - mark.size())) {
        text += fmt::format("{}{}\n", lead, line);
        lead = indent;
      }
    }
    return text;
  }

 private:
  std::vector<std::string> m_notes;
};

/// Writes the constant of an order of growth.
std::string constant_text(claim const& claimed, experiment_result const& result) {
  auto const constant = constant_of(claimed, measured_for(claimed, result));
  return constant ? fmt::format(": {:.4g} times", *constant) : "";
}

/// "holds", "outside the claim", "our program exceeds [1]".
std::string verdict_text(claim const& claimed, experiment_result const& result, footnotes& notes) {
  auto const found = judge(claimed, result);
  if (found.is_fault) return "WRONG";
  auto text = std::string(name_of(found.verdict));
  // Hypotheses stand under the table.
  if (found.verdict == claim_verdict::outside_the_claim) return text;
  if (found.reason.empty()) return text;
  bool const is_order = claimed.bound == comparison::order;
  return text + ' ' +
         notes.add(claimed.figure, found.reason + (is_order ? constant_text(claimed, result) : ""));
}

/// Lists the hypotheses of the claims, each once, and whether they hold here.
std::string hypotheses_of(experiment_result const& result) {
  std::vector<std::string> seen;
  std::string text;
  for (auto const& claimed : result.claims)
    for (auto const& one : claimed.where) {
      if (std::ranges::find(seen, one.text) != seen.end()) continue;
      seen.push_back(one.text);
      text += fmt::format("where {}: {}\n", one.text, one.is_met() ? "yes" : "no");
    }
  return text;
}

std::vector<claim> claims_on(std::string_view figure, std::vector<claim> const& claims) {
  std::vector<claim> selected;
  std::ranges::copy_if(claims, std::back_inserter(selected),
                       [&](claim const& one) { return one.figure == figure; });
  return selected;
}

bool is_claimed(std::string_view figure, experiment_result const& result) {
  return std::ranges::find(result.claims, figure, &claim::figure) != result.claims.end();
}

/// Figures, one below the other, each with its bound, if there are any, and its claims.
class figure_table {
 public:
  figure_table(experiment_result const& result, bool with_bounds)
      : m_result(result),
        m_with_bounds(with_bounds),
        m_table(columns(with_bounds, !result.claims.empty())) {}

  void add(std::string const& name, std::string const& measured, bool only_claimed) {
    std::vector<std::string> cells{name, measured};
    if (m_with_bounds) cells.push_back(bound_on(name));
    auto const claims = claims_on(name, m_result.claims);
    for (auto const& one : claims) {
      for (auto& cell : {fmt::format("{} {}", symbol(one.bound), text_of(one.value())), one.formula,
                         one.source, verdict_text(one, m_result, m_notes)})
        cells.push_back(cell);
      m_table.add(std::exchange(cells, std::vector<std::string>(m_with_bounds ? 3 : 2)));
    }
    if (!claims.empty() || only_claimed) return;
    if (!m_result.claims.empty()) cells.resize(cells.size() + 4);
    m_table.add(std::move(cells));
  }

  [[nodiscard]] std::string str() const {
    return m_table.str() + hypotheses_of(m_result) + m_notes.str();
  }

 private:
  [[nodiscard]] static std::vector<text_table::column> columns(bool with_bounds, bool with_claims) {
    std::vector<text_table::column> all{{"figure", column_kind::text},
                                        {"measured", column_kind::number}};
    if (with_bounds) all.push_back({"bound", column_kind::number});
    if (!with_claims) return all;
    all.insert(all.end(), {{"claimed", column_kind::number},
                           {"formula", column_kind::prose},
                           {"source", column_kind::prose},
                           {"verdict", column_kind::text}});
    return all;
  }

  [[nodiscard]] std::string bound_on(std::string_view figure) const {
    auto const* const bound = strongest(m_result.bounds, figure);
    return bound == nullptr ? "" : fmt::format(">= {}", bound->value);
  }

  experiment_result const& m_result;
  bool m_with_bounds;
  text_table m_table;
  footnotes m_notes;
};

/// Each figure with its claims; with `only_claimed` no figure without any. Counts first.
std::string counts_beside_claims(experiment_result const& result, bool only_claimed) {
  figure_table table(result, !result.bounds.empty() && !only_claimed);
  auto const add = [&](std::string const& name, std::string const& number) {
    table.add(name, number, only_claimed);
  };
  for_each_shown_figure(result.record.counts(), [&](std::string_view figure, std::uint64_t value) {
    add(std::string(figure), fmt::format("{}", value));
  });
  for (auto const& [name, value] : result.figures)
    if (is_claimed(name, result)) add(name, text_of(value));
  if (auto const timed = claims_on("time", result.claims); !timed.empty())
    add("time", fmt::format("{}", text_of(measured_for(timed.front(), result))));
  return table.str();
}

/// Why no program does with less: the strongest bound on each figure.
std::string reasons_of_bounds(experiment_result const& result) {
  if (result.bounds.empty()) return {};
  text_table table({{"bound", column_kind::text},
                    {"", column_kind::number},
                    {"because", column_kind::prose},
                    {"source", column_kind::prose},
                    {"verdict", column_kind::text}});
  for_each_figure(result.record.counts(), [&](std::string_view figure, std::uint64_t) {
    if (auto const* const one = strongest(result.bounds, figure))
      table.add({one->figure, fmt::format(">= {}", one->value), one->formula, one->source,
                 holds(*one, result.record.counts()) ? "holds" : "WRONG"});
  });
  return '\n' + table.str();
}

/// Tabulates the algorithm's other figures, about which nothing is claimed.
std::string figures_besides(experiment_result const& result) {
  text_table table({{"further", column_kind::text}, {"value", column_kind::prose}});
  bool is_empty = true;
  for (auto const& [name, value] : result.figures)
    if (!is_claimed(name, result)) {
      table.add({name, text_of(value)});
      is_empty = false;
    }
  return is_empty ? "" : '\n' + table.str();
}

std::string phases(report const& of) {
  auto const& records = of.result.record.phases();
  if (records.empty()) return {};
  std::vector<text_table::column> columns{{"phase", column_kind::prose},
                                          {"steps", column_kind::number},
                                          {"words", column_kind::number},
                                          {"port words", column_kind::number}};
  if (of.time) columns.push_back({fmt::format("time ({})", of.time->unit), column_kind::number});
  bool const has_turns = of.time && std::ranges::any_of(records, [](phase_record const& one) {
                           return shares_links(one);
                         });
  if (has_turns)
    columns.push_back({fmt::format("in turns ({})", of.time->unit), column_kind::number});
  text_table table(std::move(columns));
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::vector<std::string> cells{records[i].name, fmt::format("{}", records[i].steps),
                                   fmt::format("{}", records[i].words),
                                   fmt::format("{}", records[i].port_words)};
    if (of.time) cells.push_back(time_text(of.time->phases.at(i)));
    if (has_turns) cells.push_back(time_text(of.time->shared_phases.at(i)));
    table.add(std::move(cells));
  }
  return '\n' + table.str();
}

std::string labels(report const& of) {
  auto const table = of.result.record.label_table();
  return table.empty() ? table : '\n' + table;
}

std::string wall_time(double seconds) {
  return seconds < 1 ? fmt::format("{:.3f} ms", 1000 * seconds) : fmt::format("{:.3f} s", seconds);
}

nlohmann::ordered_json object_of(std::map<std::string, parameter_value> const& values) {
  auto json = nlohmann::ordered_json::object();
  for (auto const& [name, value] : values) json[name] = as_json(value);
  return json;
}

}  // namespace

judgement judge(claim const& claimed, experiment_result const& result) {
  return lockstep::judge(claimed, measured_for(claimed, result));
}

bool all_right(experiment_result const& result) {
  auto const is_wrong = [&](claim const& one) { return judge(one, result).is_fault; };
  auto const is_met = [&](lower_bound const& one) { return holds(one, result.record.counts()); };
  return !result.is_wrong() && std::ranges::none_of(result.claims, is_wrong) &&
         std::ranges::all_of(result.bounds, is_met);
}

std::string headline(report const& of) {
  auto line = fmt::format("{} on {}: {} processor{}", of.algorithm, of.topology, of.processors,
                          of.processors == 1 ? "" : "s");
  if (!of.result.parameters.empty()) line += "; " + joined(of.result.parameters);
  return line + '\n';
}

std::string claims_as_text(experiment_result const& result) {
  return result.claims.empty() ? "" : counts_beside_claims(result, true);
}

/// Says that a model leaves out local work.
std::string unpriced_text(std::uint64_t operations) {
  return fmt::format(", which has no price of the {} operations of work", operations);
}

/// "11260.624 us (paragon); 11553.488 us where shared links take turns"
std::string price_text(priced_run const& of, counts const& counted) {
  auto text = fmt::format("{} {} ({})", time_text(of.value), of.unit, of.model);
  if (counted.work > 0 && !of.prices_work) text += unpriced_text(counted.work);
  if (!shares_links(counted)) return text;
  if (of.shared == of.value) return text + "; messages share links, which it leaves out";
  return text + fmt::format("; {} {} where shared links take turns", time_text(of.shared), of.unit);
}

/// "135.41 us (loggp-clock); processors are busy for 3 % of it", and the critical path.
std::string clock_text(timeline const& of, counts const& counted) {
  constexpr std::size_t most_pieces = 40;
  auto shown = of;
  auto& path = shown.critical_path;
  auto const pieces = path.size();
  if (pieces > most_pieces) path.resize(most_pieces);
  auto text = fmt::format(
      "time       {} {} ({}){}; processors are busy for {:.3g} % of it\n\n", time_text(of.makespan),
      of.unit, of.model,
      counted.operations > 0 && of.operation == 0 ? unpriced_text(counted.operations) : "",
      100 * of.utilisation());
  text += "critical path\n" + shown.path_text();
  if (pieces > path.size()) text += fmt::format("and {} pieces more\n", pieces - path.size());
  return text + '\n';
}

/// Says how the result compares with a sequential computation.
std::string correctness_of(experiment_result const& result) {
  if (!result.checked) return "not checked (there is no sequential computation to compare with)";
  if (result.correct) return "yes (matches a sequential computation)";
  return fmt::format("NO (differs from a sequential computation{}{})",
                     result.difference.empty() ? "" : ": ", result.difference);
}

std::string conclusion(report const& of) {
  std::string text = "\n";
  if (of.time)
    text += fmt::format("time       {}\n", price_text(*of.time, of.result.record.counts()));
  if (of.times) text += clock_text(*of.times, of.result.record.counts());
  if (!of.time_left_out.empty()) text += fmt::format("time       none: {}\n", of.time_left_out);
  auto const& record = of.result.record;
  if (record.makespan() > record.counts().rounds)
    text +=
        fmt::format("makespan   {} steps, until the last processor is done\n", record.makespan());
  if (record.span() > 0)
    text += fmt::format("span       {} operations, on the longest path through work and messages\n",
                        record.span());
  if (!of.result.note.empty()) text += fmt::format("note       {}\n", of.result.note);
  text += fmt::format("correct    {}\n", correctness_of(of.result));
  text += "wall time  " + wall_time(of.seconds) + '\n';
  return text;
}

std::string as_text(report const& of, bool with_steps) {
  auto text = headline(of) + '\n' + counts_beside_claims(of.result, false) +
              reasons_of_bounds(of.result) + figures_besides(of.result) + phases(of) + labels(of);
  if (with_steps) text += '\n' + of.result.record.table();
  return text + conclusion(of);
}

nlohmann::ordered_json as_json(parameter_value const& value) {
  if (auto const* number = std::get_if<double>(&value); number != nullptr && is_whole(*number))
    return static_cast<std::int64_t>(*number);
  return std::visit([](auto const& any) { return nlohmann::ordered_json(any); }, value);
}

namespace {

nlohmann::ordered_json object_of(timeline const& of) {
  nlohmann::ordered_json json{{"model", of.model},
                              {"value", as_json(parameter_value(of.makespan))},
                              {"unit", of.unit},
                              {"utilisation", of.utilisation()}};
  json["critical_path"] = nlohmann::ordered_json::array();
  for (auto const& piece : of.critical_path) {
    auto& one =
        json["critical_path"].emplace_back(nlohmann::ordered_json{{"rank", piece.rank},
                                                                  {"what", name_of(piece.what)},
                                                                  {"begin", piece.begin},
                                                                  {"end", piece.end}});
    if (piece.other >= 0) one["other"] = piece.other;
  }
  json["processors"] = nlohmann::ordered_json::array();
  for (auto const& one : of.processors)
    json["processors"].push_back({{"overhead", one.overhead},
                                  {"work", one.work},
                                  {"waiting", one.waiting},
                                  {"held", one.held},
                                  {"barrier", one.barrier},
                                  {"idled", one.idled},
                                  {"tail", one.tail}});
  return json;
}

}  // namespace

/// Whether the time of a run that counts local work has no price of it.
bool is_work_unpriced(report const& of) {
  return of.result.record.counts().operations > 0 &&
         ((of.time && !of.time->prices_work) || (of.times && of.times->operation == 0));
}

void add_ends(nlohmann::ordered_json& json, counts const& of, std::uint64_t makespan,
              std::uint64_t span) {
  if (makespan > of.rounds) json["makespan"] = makespan;
  if (span > 0) json["span"] = span;
}

nlohmann::ordered_json as_json(std::vector<lower_bound> const& bounds) {
  auto json = nlohmann::ordered_json::array();
  for (auto const& one : bounds)
    json.push_back({{"figure", one.figure},
                    {"formula", one.formula},
                    {"value", one.value},
                    {"source", one.source}});
  return json;
}

nlohmann::ordered_json as_json(report const& of) {
  nlohmann::ordered_json json;
  json["algorithm"] = of.algorithm;
  json["topology"] = of.topology;
  json["processors"] = of.processors;
  json["parameters"] = object_of(of.result.parameters);
  if (of.has_small_values) json["values"] = name_of(input_values::small);
  json["correct"] = of.result.checked ? nlohmann::ordered_json(of.result.correct) : nullptr;
  if (!of.result.difference.empty()) json["difference"] = of.result.difference;
  if (!of.result.note.empty()) json["note"] = of.result.note;
  json["counts"] = of.result.record.counts();
  json["figures"] = object_of(of.result.figures);
  json["phases"] = of.result.record.phases();
  auto const& record = of.result.record;
  add_ends(json, record.counts(), record.makespan(), record.span());
  if (!of.result.record.labels().empty()) json["labels"] = of.result.record.labels();
  json["claims"] = nlohmann::ordered_json::array();
  for (auto const& one : of.result.claims)
    json["claims"].push_back(claim_as<nlohmann::ordered_json>(one, measured_for(one, of.result)));
  json["bounds"] = as_json(of.result.bounds);
  if (of.time)
    json["time"] = {{"model", of.time->model},
                    {"value", as_json(parameter_value(of.time->value))},
                    {"unit", of.time->unit},
                    {"shared", as_json(parameter_value(of.time->shared))}};
  if (of.times) json["time"] = object_of(*of.times);
  if (!of.time_left_out.empty()) json["time"] = {{"value", nullptr}, {"reason", of.time_left_out}};
  if (is_work_unpriced(of)) json["time"]["unpriced"] = nlohmann::ordered_json::array({"work"});
  json["seconds"] = of.seconds;
  return json;
}

std::string size_text(std::size_t bytes) {
  if (bytes < 1'000'000) return fmt::format("{} kB", (bytes + 999) / 1'000);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace lockstep::cli
