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

#include "text_table.hpp"

namespace lockstep::cli {

namespace {

/// The name of a figure of `counts`, as a column has it.
std::string title_of(std::string const& figure) {
  return figure == "startups" ? "start-ups" : figure;
}

std::string_view name_of(cell_verdict verdict) {
  switch (verdict) {
    case cell_verdict::equal:
      return "equal";
    case cell_verdict::explained:
      return "explained";
    case cell_verdict::not_run:
      return "not run";
    case cell_verdict::wrong:
      break;
  }
  return "WRONG";
}

std::string text_of(std::optional<std::uint64_t> const& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string reference_to(paper_cell const& cell) {
  return cell.explanation ? fmt::format("erratum {}", cell.explanation->number) : "";
}

/// A line for each algorithm: "proposed: start-ups C/2 + 2; words RC(C + 4)m/4; ...".
std::string formulas_of(paper_table const& table) {
  std::set<std::string> seen;
  std::string text;
  for (auto const& row : table.rows) {
    if (!seen.insert(row.algorithm).second) continue;
    std::string line = row.algorithm + ":";
    for (auto const& cell : row.cells)
      line += fmt::format(" {} {};", title_of(cell.figure), cell.formula);
    line.pop_back();
    std::string_view indent;
    for (auto const& part : wrapped(line, page_width - 2)) {
      text += fmt::format("{}{}\n", indent, part);
      indent = "  ";
    }
  }
  return text;
}

template <class Text>
std::vector<std::string> line_of(std::string first, std::string second, std::string third,
                                 paper_row const& row, Text text) {
  std::vector<std::string> line{std::move(first), std::move(second), std::move(third)};
  for (auto const& cell : row.cells) line.emplace_back(text(cell));
  return line;
}

void add_row(text_table& table, paper_row const& row) {
  table.add(line_of(row.network, row.algorithm, "formula", row,
                    [](paper_cell const& cell) { return text_of(cell.claimed); }));
  if (row.correct)
    table.add(line_of(*row.correct ? "" : "WRONG RESULT", "", "measured", row,
                      [](paper_cell const& cell) { return text_of(cell.measured); }));
  table.add(line_of("", "", "verdict", row,
                    [](paper_cell const& cell) { return name_of(cell.verdict); }));
  if (std::ranges::any_of(row.cells,
                          [](paper_cell const& cell) { return cell.explanation.has_value(); }))
    table.add(line_of("", "", "", row, reference_to));
}

std::string rows_of(paper_table const& table) {
  if (table.rows.empty()) return {};
  std::vector<text_table::column> columns{{"network"}, {"algorithm"}, {""}};
  for (auto const& cell : table.rows.front().cells)
    columns.push_back({title_of(cell.figure), column_kind::number});
  text_table text(std::move(columns));
  for (auto const& row : table.rows) add_row(text, row);
  return text.str();
}

/// What was counted over all cells.
struct tally {
  std::map<cell_verdict, int> cells;
  std::map<int, std::string> errata;  ///< by number
  int runs = 0;
  int wrong_results = 0;
};

tally tally_of(std::vector<paper_table> const& tables) {
  tally counted;
  for (auto const& table : tables)
    for (auto const& row : table.rows) {
      if (row.correct) ++counted.runs;
      if (!row.correct.value_or(true)) ++counted.wrong_results;
      for (auto const& cell : row.cells) {
        ++counted.cells[cell.verdict];
        if (cell.explanation) counted.errata[cell.explanation->number] = cell.explanation->text;
      }
    }
  return counted;
}

std::string conclusion(paper_report const& of) {
  auto counted = tally_of(of.tables);
  std::string text;
  for (auto const& [number, reason] : counted.errata) {
    auto lead = fmt::format("erratum {:<4}", number);
    for (auto const& line : wrapped(reason, page_width - lead.size())) {
      text += fmt::format("{}{}\n", lead, line);
      lead.assign(lead.size(), ' ');
    }
  }
  text += fmt::format("\nvalues     {} equal, {} explained, {} not run, {} WRONG\n",
                      counted.cells[cell_verdict::equal], counted.cells[cell_verdict::explained],
                      counted.cells[cell_verdict::not_run], counted.cells[cell_verdict::wrong]);
  text += fmt::format("results    {} of {} runs correct, as a sequential computation has it\n",
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
                              {"verdict", name_of(cell.verdict)}};
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

}  // namespace

std::string as_text(paper_report const& of) {
  std::string text;
  for (auto const& line : wrapped(fmt::format("{}: {}", of.name, of.source), page_width))
    text += line + '\n';
  for (auto const& table : of.tables)
    text += fmt::format("\n{}\n{}\n{}", table.title, formulas_of(table), rows_of(table));
  return text + '\n' + conclusion(of);
}

nlohmann::ordered_json as_json(paper_report const& of) {
  nlohmann::ordered_json json{
      {"paper", of.name}, {"source", of.source}, {"all_right", all_right(of.tables)}};
  json["tables"] = nlohmann::ordered_json::array();
  for (auto const& table : of.tables) {
    auto rows = nlohmann::ordered_json::array();
    for (auto const& row : table.rows) rows.push_back(object_of(row));
    json["tables"].push_back({{"title", table.title}, {"rows", std::move(rows)}});
  }
  json["seconds"] = of.seconds;
  return json;
}

}  // namespace lockstep::cli
