#include "paper_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

#include "text_table.hpp"

namespace lockstep::cli {

namespace {

/// The name of a figure of `counts`, as the column's title.
std::string title_of(std::string const& figure) {
  return figure == "startups" ? "start-ups" : figure;
}

/// "=", "<=", or what else a cell's claim says.
std::string_view symbol_of(paper_cell const& cell) {
  if (cell.is_lower_bound) return ">=";
  return symbol(cell.bound);
}

/// A column shows a figure, or one figure of several runs.
std::string column_title(paper_cell const& cell) {
  auto const title = cell.instance.empty() ? title_of(cell.figure) : cell.instance;
  return cell.is_ours ? title + " (ours)" : title;
}

/// The verdict, or the mark of a mistake.
std::string_view word_of(paper_cell const& cell) {
  return cell.judged.is_fault ? "WRONG" : name_of(cell.verdict());
}

std::string text_of(std::optional<std::uint64_t> const& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string text_of(std::optional<double> const& value) {
  return value ? fmt::format("{:.3g}", *value) : "-";
}

std::string reference_to(paper_cell const& cell) {
  if (!cell.explanation) return "";
  return cell.explanation->number > 0 ? fmt::format("number {}", cell.explanation->number)
                                      : "remark";
}

/// Adds a text, unless it is there.
void add_once(std::vector<std::string>& texts, std::string const& text) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

/// The formulas of a metric, in all rows of an algorithm.
struct formulas_of_metric {
  std::string title;  ///< "start-ups", "steps <="
  std::vector<std::string> formulas{};
};

/// "start-ups C/2 + 2", "steps <= 2k + 4 log p", "ours: start-ups 1 or ceil(log_k p)".
std::vector<std::string> formulas_of(paper_table const& table, std::string const& algorithm) {
  std::vector<formulas_of_metric> all;
  for (auto const& row : table.rows) {
    if (row.algorithm != algorithm) continue;
    for (auto const& cell : row.cells) {
      auto const title = fmt::format(
          "{}{}{}", cell.is_ours ? "ours: " : "", title_of(cell.figure),
          symbol_of(cell) == symbol(comparison::equal) ? "" : fmt::format(" {}", symbol_of(cell)));
      auto found = std::ranges::find(all, title, &formulas_of_metric::title);
      if (found == all.end()) found = all.insert(all.end(), {.title = title});
      add_once(found->formulas, cell.formula);
    }
  }
  std::vector<std::string> texts;
  for (auto const& [title, formulas] : all)
    texts.push_back(fmt::format("{} {}", title, fmt::join(formulas, " or ")));
  return texts;
}

/// "= 2k + 2, 3k + 4d - 8": the programs' own, in all rows of the table.
std::string exact_formulas_of(paper_table const& table) {
  std::vector<std::string> formulas;
  for (auto const& row : table.rows)
    for (auto const& cell : row.cells)
      if (cell.exact) add_once(formulas, cell.exact_formula);
  return formulas.empty() ? "" : fmt::format("; ours: = {}", fmt::join(formulas, ", "));
}

/// A line for each algorithm: "proposed: start-ups C/2 + 2; words RC(C + 4)m/4; ...".
std::string formulas_of(paper_table const& table) {
  std::set<std::string> seen;
  std::string text;
  for (auto const& row : table.rows) {
    if (!seen.insert(row.algorithm).second) continue;
    auto const line =
        fmt::format("{}: {}{}", row.algorithm, fmt::join(formulas_of(table, row.algorithm), "; "),
                    exact_formulas_of(table));
    std::string_view indent;
    for (auto const& part : wrapped(line, page_width - 2)) {
      text += fmt::format("{}{}\n", indent, part);
      indent = "  ";
    }
  }
  return text;
}

/// "where N1 >= N2 >= ... >= Nn": what claims of the table suppose, each once.
std::string hypotheses_of(paper_table const& table) {
  std::vector<std::string> seen;
  for (auto const& row : table.rows)
    for (auto const& cell : row.cells)
      for (auto const& one : cell.where) add_once(seen, one.text);
  return seen.empty() ? "" : fmt::format("where {}\n", fmt::join(seen, "; "));
}

using text_line = std::vector<std::string>;

/// The first columns, and then what `text` makes of each cell.
template <class Text>
text_line line_of(text_line first, paper_row const& row, Text text) {
  for (auto const& cell : row.cells) first.emplace_back(text(cell));
  return first;
}

/// Where a bound breaks: the step, whose in-port a word takes in it, and which in-port takes in the
/// most words in all.
std::vector<text_line> lines_of_breaches(text_line const& empty, paper_row const& row) {
  auto const text = [&](std::string const& label, auto of) {
    auto first = empty;
    first.back() = label;
    return line_of(std::move(first), row, [&](paper_cell const& cell) {
      return cell.broken_at ? of(*cell.broken_at) : std::string();
    });
  };
  return {text("in step", [](breach const& at) { return fmt::format("{}", at.step); }),
          text("over link",
               [](breach const& at) { return fmt::format("{}->{}", at.from, at.processor); }),
          text("most words",
               [](breach const& at) { return fmt::format("{}: {}", at.busiest, at.most_words); })};
}

bool any_cell(paper_row const& row, auto predicate) {
  return std::ranges::any_of(row.cells, predicate);
}

/// Whether the row has times, or their ratios.
bool is_timed(paper_row const& row) {
  return any_cell(row, [](paper_cell const& cell) { return cell.printed || cell.priced; });
}

/// "at most" over bounds, "formula" over equalities; one word for any others.
std::string label_of_claims(paper_row const& row) {
  auto const all_are = [&](std::string_view relation) {
    return std::ranges::all_of(row.cells,
                               [&](paper_cell const& cell) { return symbol_of(cell) == relation; });
  };
  if (all_are("=")) return "formula";
  if (all_are(">=")) return "at least";
  return all_are("<=") ? "at most" : "claimed";
}

/// Adds the row's network and size, and the paper's claim.
text_line first_line_of(text_line first, paper_row const& row) {
  first.front() = row.network;
  if (first.size() > 2) first[1] = row.algorithm;
  if (is_timed(row)) {
    first.back() = "paper";
    return line_of(std::move(first), row,
                   [](paper_cell const& cell) { return text_of(cell.printed); });
  }
  first.back() = label_of_claims(row);
  return line_of(std::move(first), row,
                 [](paper_cell const& cell) { return text_of(cell.claimed); });
}

/// Writes what was measured over the lower bound: "2.5"; nothing without either.
std::string times_the_least(paper_cell const& cell) {
  if (!cell.measured || cell.least.value_or(0) == 0) return {};
  return fmt::format("{:.3g}",
                     static_cast<double>(*cell.measured) / static_cast<double>(*cell.least));
}

/// The strongest lower bounds, and what was measured over them.
template <class Add>
void add_lower_bounds(paper_row const& row, Add const& add) {
  if (!any_cell(row, [](paper_cell const& cell) { return !times_the_least(cell).empty(); })) return;
  add("bound", [](paper_cell const& cell) { return cell.least ? text_of(cell.least) : ""; });
  add("over it", times_the_least);
}

/// `empty`: the first columns, without text.
void add_row(text_table& table, text_line const& empty, paper_row const& row,
             std::string const& counted) {
  auto const add = [&](std::string label, auto text) {
    auto first = empty;
    first.back() = std::move(label);
    table.add(line_of(std::move(first), row, text));
  };
  table.add(first_line_of(empty, row));
  if (is_timed(row)) add("counts", [](paper_cell const& cell) { return text_of(cell.priced); });
  if (any_cell(row,
               [](paper_cell const& cell) { return cell.exact && cell.exact != cell.measured; }))
    add("exact", [](paper_cell const& cell) { return text_of(cell.exact); });
  if (any_cell(row, [](paper_cell const& cell) { return cell.measured.has_value(); })) {
    auto first = empty;
    first.front() = row.correct.value_or(true) ? "" : "WRONG RESULT";
    first.back() = counted;
    table.add(line_of(std::move(first), row,
                      [](paper_cell const& cell) { return text_of(cell.measured); }));
  }
  add("verdict", word_of);
  add_lower_bounds(row, add);
  if (any_cell(row, [](paper_cell const& cell) { return cell.broken_at.has_value(); }))
    for (auto& line : lines_of_breaches(empty, row)) table.add(std::move(line));
  else if (any_cell(row, [](paper_cell const& cell) { return cell.explanation.has_value(); }))
    add("", reference_to);
}

std::string rows_of(paper_table const& table) {
  if (table.rows.empty()) return {};
  // One algorithm stands above the table already.
  bool const one_algorithm = std::ranges::all_of(table.rows, [&](paper_row const& row) {
    return row.algorithm == table.rows.front().algorithm && !row.cells.front().instance.empty();
  });
  std::vector<text_table::column> columns{{table.row_kind}};
  if (!one_algorithm) columns.push_back({"algorithm"});
  columns.push_back({""});
  text_line const empty(columns.size());
  for (auto const& cell : table.rows.front().cells)
    columns.push_back({column_title(cell), column_kind::number});
  text_table text(std::move(columns));
  for (auto const& row : table.rows) {
    if (row.cells.size() != table.rows.front().cells.size())
      throw broken_invariant("rows of a paper's table have unlike cells: please report it",
                             incident{});
    add_row(text, empty, row, table.counted);
  }
  return text.str();
}

/// Cells by verdict.
struct cells_by_verdict {
  std::map<claim_verdict, int> cells;
  int wrong = 0;

  void add(paper_cell const& cell) {
    if (cell.judged.is_fault)
      ++wrong;
    else
      ++cells[cell.verdict()];
  }
  /// "261 equal, 12 holds, 75 not run, 0 WRONG": words without a cell are left out.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (auto const& [verdict, count] : cells)
      text += fmt::format("{} {}, ", count, name_of(verdict));
    return text + fmt::format("{} WRONG", wrong);
  }
};

/// The counts over all cells.
struct tally {
  cells_by_verdict papers;
  cells_by_verdict ours;
  std::map<int, std::vector<std::string>> errata;  ///< what each number says, in its cases
  std::map<claim_verdict, std::vector<std::string>> reasons;  ///< of other cells
  int runs = 0;
  int wrong_results = 0;
};

void add(tally& counted, paper_cell const& cell) {
  (cell.is_ours ? counted.ours : counted.papers).add(cell);
  auto const& [verdict, reason, is_fault] = cell.judged;
  if (cell.explanation) add_once(counted.errata[cell.explanation->number], cell.explanation->text);
  bool const is_told = cell.explanation && cell.explanation->text == reason;
  if (!reason.empty() && !is_told) add_once(counted.reasons[verdict], reason);
}

/// A row with several instances has a run for each; other rows have one, or none.
int runs_of(paper_row const& row) {
  if (!row.correct) return 0;
  bool const has_instances =
      any_cell(row, [](paper_cell const& cell) { return !cell.instance.empty(); });
  return has_instances ? static_cast<int>(row.cells.size()) : 1;
}

tally tally_of(std::vector<paper_table> const& tables) {
  tally counted;
  for (auto const& table : tables)
    for (auto const& row : table.rows) {
      int const runs = runs_of(row);
      counted.runs += runs;
      if (!row.correct.value_or(true)) counted.wrong_results += runs;
      for (auto const& cell : row.cells) add(counted, cell);
    }
  return counted;
}

/// "number 8    our program ...": a reason under what it belongs to.
std::string told(std::string lead, std::string const& reason) {
  constexpr std::size_t least_width = 12;
  lead.resize(std::max(lead.size() + 2, least_width), ' ');
  std::string text;
  for (auto const& line : wrapped(reason, page_width - lead.size())) {
    text += fmt::format("{}{}\n", lead, line);
    lead.assign(lead.size(), ' ');
  }
  return text;
}

/// Lists the reasons of the verdicts, and says where the numbered ones are explained.
std::string reasons_of(tally const& counted, std::string const& paper) {
  std::string text;
  for (auto const& [number, reasons] : counted.errata)
    for (auto const& reason : reasons)
      text += told(number > 0 ? fmt::format("number {}", number) : "remark", reason);
  if (!counted.errata.empty() && counted.errata.rbegin()->first > 0)
    text += told("numbers", fmt::format("of the entries in docs/errata/{}.md", paper));
  for (auto const& [verdict, reasons] : counted.reasons)
    for (auto const& reason : reasons) text += told(std::string(name_of(verdict)), reason);
  return text;
}

std::string conclusion(paper_report const& of) {
  auto const counted = tally_of(of.tables);
  auto text =
      reasons_of(counted, of.name) + fmt::format("\nvalues     {}\n", counted.papers.text());
  if (!counted.ours.cells.empty() || counted.ours.wrong > 0)
    text += fmt::format("ours       {}\n", counted.ours.text());
  text += fmt::format("results    {} of {} runs correct (match a sequential computation)\n",
                      counted.runs - counted.wrong_results, counted.runs);
  return text + fmt::format("wall time  {:.3g} s\n", of.seconds);
}

template <class Value>
nlohmann::ordered_json or_null(std::optional<Value> const& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json object_of(paper_cell const& cell) {
  nlohmann::ordered_json json{{"figure", cell.figure},
                              {"formula", cell.formula},
                              {"claimed", or_null(cell.claimed)},
                              {"measured", or_null(cell.measured)},
                              {"verdict", name_of(cell.verdict())}};
  if (!cell.judged.reason.empty()) json["reason"] = cell.judged.reason;
  if (cell.judged.is_fault) json["wrong"] = true;
  if (cell.is_ours) json["ours"] = true;
  json["where"] = nlohmann::ordered_json::array();
  for (auto const& one : cell.where)
    json["where"].push_back({{"text", one.text}, {"met", one.is_met()}});
  if (!cell.instance.empty()) json["instance"] = cell.instance;
  bool const is_about = cell.bound == comparison::about;
  json["relation"] = is_about ? symbol(comparison::order) : symbol_of(cell);
  if (is_about) json["about"] = true;
  if (cell.exact) {
    json["exact"] = *cell.exact;
    json["exact_formula"] = cell.exact_formula;
  }
  if (cell.least) json["least"] = *cell.least;
  if (cell.printed || cell.priced) {
    json["paper"] = or_null(cell.printed);
    json["priced"] = or_null(cell.priced);
  }
  if (cell.broken_at)
    json["broken_at"] = {{"step", cell.broken_at->step},
                         {"processor", cell.broken_at->processor},
                         {"in_port_from", cell.broken_at->from},
                         {"busiest_processor", cell.broken_at->busiest},
                         {"most_words", cell.broken_at->most_words}};
  if (cell.explanation)
    json["erratum"] = {{"number", cell.explanation->number}, {"text", cell.explanation->text}};
  return json;
}

nlohmann::ordered_json object_of(paper_row const& row) {
  nlohmann::ordered_json json{
      {"network", row.network}, {"algorithm", row.algorithm}, {"correct", or_null(row.correct)}};
  json["cells"] = nlohmann::ordered_json::array();
  for (auto const& cell : row.cells) json["cells"].push_back(object_of(cell));
  return json;
}

nlohmann::ordered_json object_of(printed_figure const& figure) {
  nlohmann::ordered_json json{{"title", figure.title}, {"text", figure.text}};
  json[figure.compared.empty() ? "as_printed" : "as_said"] = or_null(figure.is_as_printed);
  if (!figure.compared.empty()) json["compared"] = figure.compared;
  return json;
}

/// The title of a figure in text, and what it was compared with.
std::string title_of(printed_figure const& figure) {
  auto const title = figure.title + ", from a run";
  if (!figure.is_as_printed)
    return title + "\n(our text of the paper lacks the drawing, and has nothing to compare with)\n";
  auto const* const as = *figure.is_as_printed ? "as" : "NOT AS";
  if (figure.compared.empty()) return fmt::format("{}, {} in the paper\n", title, as);
  std::string text;
  for (auto const& part :
       {fmt::format("{}, {} the paper says", title, as), fmt::format("({})", figure.compared)})
    for (auto const& line : wrapped(part, page_width)) text += line + '\n';
  return text;
}

/// The meanings of the verdicts' words.
constexpr std::string_view about_verdicts =
    "equal: the claim says \"=\", and that was measured. holds: a bound is met. refuted: within "
    "what the "
    "paper supposes, and no program can keep it, or the paper's own was run; the reasons below say "
    "why. "
    "our program exceeds: that is all that is known. outside the claim: not what the paper "
    "supposes. "
    "decides nothing: the run is compatible with the claim, and would be with others. (ours): a "
    "formula "
    "of lockstep's, not of the paper.";
constexpr std::string_view about_lower_bounds =
    " bound: the strongest lower bound that lockstep computes, on every program for this input, "
    "network and ports; under Mayr and Plaxton's steps on those with messages of one word, as "
    "theirs have; below it what was measured over it.";

/// Writes the meanings of the words in these tables.
std::string legend_of(std::vector<paper_table> const& tables) {
  std::string text(about_verdicts);
  bool const has_lower_bounds = std::ranges::any_of(tables, [](paper_table const& table) {
    return std::ranges::any_of(table.rows, [](paper_row const& row) {
      return any_cell(row, [](paper_cell const& cell) { return !times_the_least(cell).empty(); });
    });
  });
  return has_lower_bounds ? text.append(about_lower_bounds) : text;
}

/// Whether a hypothesis or a bound is shown.
bool has_claims(std::vector<paper_table> const& tables) {
  return std::ranges::any_of(tables, [](paper_table const& table) { return !table.rows.empty(); });
}

}  // namespace

bool all_right(paper_report const& of) { return all_right(of.tables) && all_right(of.figures); }

std::string as_text(paper_report const& of) {
  std::string text;
  for (auto const& line : wrapped(fmt::format("{}: {}", of.name, of.source), page_width))
    text += line + '\n';
  if (has_claims(of.tables))
    for (auto const& line : wrapped(legend_of(of.tables), page_width)) text += line + '\n';
  for (auto const& table : of.tables)
    text += fmt::format("\n{}\n{}{}\n{}", fmt::join(wrapped(table.title, page_width), "\n"),
                        formulas_of(table), hypotheses_of(table), rows_of(table));
  for (auto const& figure : of.figures) text += '\n' + title_of(figure) + figure.text;
  return text + '\n' + conclusion(of);
}

nlohmann::ordered_json as_json(paper_report const& of) {
  nlohmann::ordered_json json{
      {"paper", of.name}, {"source", of.source}, {"all_right", all_right(of)}};
  json["tables"] = nlohmann::ordered_json::array();
  for (auto const& table : of.tables) {
    auto rows = nlohmann::ordered_json::array();
    for (auto const& row : table.rows) rows.push_back(object_of(row));
    json["tables"].push_back({{"title", table.title}, {"rows", std::move(rows)}});
  }
  for (auto const& figure : of.figures) json["figures"].push_back(object_of(figure));
  json["seconds"] = of.seconds;
  return json;
}

}  // namespace lockstep::cli
