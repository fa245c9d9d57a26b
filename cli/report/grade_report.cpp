#include "grade_report.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/experiments/csv_field.hpp>

#include "text_table.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

/// The points of the whole test: of submissions that do not compile nobody has asked it.
int points_of_test(grade_report const& of) {
  int most = 0;
  for (auto const& one : of.submissions) most = std::max(most, one.most_points());
  return most;
}

std::string number_cell(std::optional<std::uint64_t> number) {
  return number ? std::to_string(*number) : "";
}

std::optional<std::uint64_t> steps_of(graded_submission const& one) {
  auto const* const shown = one.shown();
  return shown == nullptr ? std::nullopt : shown->steps;
}

std::optional<std::uint64_t> claimed_for(graded_submission const& one) {
  auto const* const shown = one.shown();
  return shown == nullptr ? std::nullopt : shown->claimed;
}

ordered_json number_or_null(std::optional<std::uint64_t> number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json as_json(checked const& one) {
  return {{"check", one.name},
          {"points", one.points},
          {"passed", one.passed},
          {"rule", one.rule},
          {"steps", number_or_null(one.steps)},
          {"claimed", number_or_null(one.claimed)}};
}

ordered_json as_json(graded_submission const& one, int of) {
  ordered_json checks = ordered_json::array();
  for (auto const& check : one.checks) checks.push_back(as_json(check));
  return {{"submission", one.name},
          {"verdict", name_of(one.what)},
          {"points", one.points()},
          {"of", of},
          {"failed", one.rule},
          {"steps", number_or_null(steps_of(one))},
          {"claimed", number_or_null(claimed_for(one))},
          {"checks", checks}};
}

}  // namespace

std::string grades_as_text(grade_report const& of) {
  text_table table({{"submission", column_kind::text},
                    {"verdict", column_kind::text},
                    {"points", column_kind::number},
                    {"steps", column_kind::number},
                    {"claimed", column_kind::number},
                    {"first failed check", column_kind::text}});
  int const most = points_of_test(of);
  for (auto const& one : of.submissions)
    table.add({one.name, name_of(one.what), fmt::format("{}/{}", one.points(), most),
               number_cell(steps_of(one)), number_cell(claimed_for(one)), one.rule});
  auto const passed = std::ranges::count(of.submissions, verdict::passed, &graded_submission::what);
  return fmt::format("{}\n{} of {} passed\n", table.str(), passed,
                     counted(of.submissions.size(), "submission"));
}

std::string grades_as_csv(grade_report const& of) {
  std::string text = "submission,verdict,points,of,steps,claimed,failed\n";
  int const most = points_of_test(of);
  for (auto const& one : of.submissions)
    text += fmt::format("{},{},{},{},{},{},{}\n", csv_field(one.name), name_of(one.what),
                        one.points(), most, number_cell(steps_of(one)),
                        number_cell(claimed_for(one)), csv_field(one.rule));
  return text;
}

nlohmann::ordered_json grades_as_json(grade_report const& of) {
  ordered_json submissions = ordered_json::array();
  int const most = points_of_test(of);
  for (auto const& one : of.submissions) submissions.push_back(as_json(one, most));
  return {{"grade", 1}, {"lockstep", of.version}, {"test", of.test}, {"submissions", submissions}};
}

}  // namespace lockstep::cli
