#include "phase_names.hpp"

#include <algorithm>
#include <string_view>

namespace lockstep::cli {

namespace {

/// A name, the character above which it begins, and its line, counted from the lowest.
struct placed_name {
  std::string_view name;
  std::size_t column = 0;
  std::size_t line = 0;
};

/// Places names of phases that are in those steps, each above those further right that it would hide.
std::vector<placed_name> placed(std::vector<phase_columns> const& phases, step_range steps,
                                std::size_t width) {
  std::vector<placed_name> names;
  for (auto const& phase : phases) {
    if (phase.steps.last < steps.first || phase.steps.first > steps.last) continue;
    auto const begin = std::max(phase.steps.first, steps.first) - steps.first;
    names.push_back({phase.name, static_cast<std::size_t>(begin) * width + width - 1});
  }
  for (auto one = names.rbegin(); one != names.rend(); ++one)
    for (auto other = names.rbegin(); other != one; ++other)
      if (other->column <= one->column + one->name.size())
        one->line = std::max(one->line, other->line + 1);
  return names;
}

void write_at(std::string& line, std::size_t column, std::string_view text) {
  line.resize(std::max(line.size(), column + text.size()), ' ');
  line.replace(column, text.size(), text);
}

}  // namespace

std::vector<std::string> phase_lines(std::vector<phase_columns> const& phases, step_range steps,
                                     std::size_t width) {
  auto const names = placed(phases, steps, width);
  std::vector<std::string> lines;
  for (auto const& one : names) {
    lines.resize(std::max(lines.size(), one.line + 1));
    for (std::size_t below = 0; below < one.line; ++below) write_at(lines[below], one.column, "|");
    write_at(lines[one.line], one.column, one.name);
  }
  std::ranges::reverse(lines);
  return lines;
}

}  // namespace lockstep::cli
