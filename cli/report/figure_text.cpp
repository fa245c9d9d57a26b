#include "figure_text.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <lockstep/experiments/csv_field.hpp>

#include "text_table.hpp"

namespace lockstep::cli {

namespace {

std::string place_of(figure_cross_over const& found, bool has_blocks) {
  if (!found.at) return has_blocks ? "never for large blocks" : "not in the end";
  if (found.at->x == 0) return "always";
  return fmt::format("{:.3f}", found.at->x);
}

bool has_cross_overs(paper_figure const& of) {
  return std::ranges::any_of(of.panels,
                             [](figure_panel const& panel) { return !panel.cross_overs.empty(); });
}

std::string cross_overs_as_text(paper_figure const& of) {
  auto const& first = of.panels.front().curves.front().name;
  bool const has_blocks = of.x.unit == "bytes";
  text_table table(
      {{of.columns.panel},
       {of.columns.reading},
       {"rival"},
       {fmt::format("{} is faster from ({})", first, has_blocks ? of.x.unit : of.x.quantity),
        column_kind::number},
       {of.y.is_time ? "time there (us)" : of.time + " there", column_kind::number}});
  for (auto const& panel : of.panels)
    for (auto const& found : panel.cross_overs)
      table.add({panel.name, panel.reading, found.rival, place_of(found, has_blocks),
                 found.at && found.at->x > 0 ? fmt::format("{:.1f}", found.at->us) : ""});
  return table.str();
}

/// The checks that the paper makes, in its words, or those that lockstep makes itself.
std::string checks_as_text(paper_figure const& of, bool are_papers) {
  text_table table({{are_papers ? "the paper says" : "lockstep says", column_kind::prose},
                    {""},
                    {"found", column_kind::prose}});
  bool is_empty = true;
  for (auto const& check : of.checks) {
    if (check.quoted.empty() == are_papers) continue;
    auto const statement =
        are_papers ? fmt::format("{}: {}", check.quoted, check.statement) : check.statement;
    table.add(
        {statement, check.judged.is_fault ? "WRONG" : std::string(name_of(check.judged.verdict)),
         check.judged.reason.empty() ? check.found
                                     : fmt::format("{}; {}", check.found, check.judged.reason)});
    is_empty = false;
  }
  return is_empty ? "" : '\n' + table.str();
}

/// Writes fields of CSV, each with a comma after it.
std::string fields_of(std::initializer_list<std::string_view> fields) {
  std::string row;
  for (auto const field : fields) row += csv_field(field) + ',';
  return row;
}

}  // namespace

std::string curves_as_csv(paper_figure const& of) {
  auto text = fields_of(
      {of.columns.panel, of.columns.reading, of.columns.curve, "basis", of.x.column, of.y.column});
  text.back() = '\n';
  for (auto const& panel : of.panels)
    for (auto const& curve : panel.curves) {
      auto const texts = fields_of({panel.name, panel.reading, curve.name, curve.basis});
      for (auto const& point : curve.points)
        text += fmt::format("{}{},{:.10g}\n", texts, point.x, point.us);
    }
  return text;
}

std::string cross_overs_as_csv(paper_figure const& of) {
  auto text = fields_of({of.columns.panel, of.columns.reading, "rival", of.x.column, "us"});
  text.back() = '\n';
  for (auto const& panel : of.panels)
    for (auto const& found : panel.cross_overs) {
      text += fields_of({panel.name, panel.reading, found.rival});
      text += found.at ? fmt::format("{:.10g},{:.10g}\n", found.at->x, found.at->us) : ",\n";
    }
  return text;
}

std::string as_text(paper_figure const& of) {
  std::string text = fmt::format("{}: {}\n{}\n", of.name, of.title, of.note);
  if (!of.basis.empty()) text += of.basis + '\n';
  if (has_cross_overs(of)) text += '\n' + cross_overs_as_text(of);
  return text + checks_as_text(of, true) + checks_as_text(of, false);
}

}  // namespace lockstep::cli
