#include "figure_json.hpp"

#include <string>
#include <utility>

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

/// Makes a row of a panel. Few figures tell panels of one name apart by a reading.
ordered_json row_of(paper_figure const& of, figure_panel const& panel) {
  ordered_json row{{of.columns.panel, panel.name}};
  if (!panel.reading.empty()) row[of.columns.reading] = panel.reading;
  return row;
}

ordered_json points_of(paper_figure const& of) {
  auto points = ordered_json::array();
  for (auto const& panel : of.panels)
    for (auto const& curve : panel.curves)
      for (auto const& point : curve.points) {
        auto row = row_of(of, panel);
        row[of.columns.curve] = curve.name;
        row["basis"] = curve.basis;
        row[of.x.column] = point.x;
        row[of.y.column] = point.us;
        points.push_back(std::move(row));
      }
  return points;
}

ordered_json cross_overs_of(paper_figure const& of) {
  auto found = ordered_json::array();
  for (auto const& panel : of.panels)
    for (auto const& one : panel.cross_overs) {
      auto row = row_of(of, panel);
      row["rival"] = one.rival;
      row[of.x.column] = one.at ? ordered_json(one.at->x) : nullptr;
      row[of.y.column] = one.at ? ordered_json(one.at->us) : nullptr;
      found.push_back(std::move(row));
    }
  return found;
}

ordered_json checks_of(paper_figure const& of) {
  auto checks = ordered_json::array();
  for (auto const& check : of.checks) {
    auto& row = checks.emplace_back(ordered_json{{"statement", check.statement},
                                                 {"found", check.found},
                                                 {"verdict", name_of(check.judged.verdict)}});
    if (!check.judged.reason.empty()) row["reason"] = check.judged.reason;
    if (check.judged.is_fault) row["wrong"] = true;
    if (!check.quoted.empty()) row["quoted"] = check.quoted;
  }
  return checks;
}

}  // namespace

ordered_json as_json(paper_figure const& of) {
  return {
      {"figure", of.name},
      {"title", of.title},
      {"note", of.note},
      {"basis", of.basis},
      {"x", {{"quantity", of.x.quantity}, {"unit", of.x.unit}, {"column", of.x.column}}},
      {"y", {{"quantity", of.time}, {"unit", of.y.is_time ? "us" : ""}, {"column", of.y.column}}},
      {"panel", of.columns.panel},
      {"reading", of.columns.reading},
      {"curve", of.columns.curve},
      {"all_right", all_right(of)},
      {"points", points_of(of)},
      {"cross_overs", cross_overs_of(of)},
      {"checks", checks_of(of)}};
}

}  // namespace lockstep::cli
