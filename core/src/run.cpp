#include <lockstep/run.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace lockstep {

namespace {

using row = std::array<std::string, 7>;

constexpr std::size_t phase_column = 1;

row const header{"step",   "phase",         "messages",  "largest message",
                 "volume", "longest route", "contention"};

row row_of(step_record const& step, std::vector<phase_record> const& phases) {
  bool const named = step.phase < phases.size();
  return {fmt::to_string(step.step),      named ? phases[step.phase].name : "-",
          fmt::to_string(step.messages),  fmt::to_string(step.largest),
          fmt::to_string(step.volume),    fmt::to_string(step.hops),
          fmt::to_string(step.contention)};
}

/// Columns that a terminal needs for the text: its code points.
std::size_t width_of(std::string_view text) {
  auto const is_start = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_start));
}

void append(std::string& text, row const& cells, std::array<std::size_t, 7> const& widths) {
  for (std::size_t column = 0; column < cells.size(); ++column) {
    std::string const padding(widths[column] - width_of(cells[column]), ' ');
    bool const left = column == phase_column;
    text += column == 0 ? "" : "  ";
    text += left ? cells[column] + padding : padding + cells[column];
  }
  text += '\n';
}

}  // namespace

run_record::run_record(lockstep::counts total, std::vector<phase_record> phases,
                       std::vector<step_record> steps, std::vector<processor_record> processors)
    : m_counts(total),
      m_phases(std::move(phases)),
      m_steps(std::move(steps)),
      m_processors(std::move(processors)) {}

std::string run_record::table() const {
  std::vector<row> rows{header};
  rows.reserve(m_steps.size() + 1);
  for (auto const& step : m_steps) rows.push_back(row_of(step, m_phases));

  std::array<std::size_t, 7> widths{};
  for (auto const& cells : rows)
    for (std::size_t column = 0; column < cells.size(); ++column)
      widths[column] = std::max(widths[column], width_of(cells[column]));

  std::string text;
  for (auto const& cells : rows) append(text, cells, widths);
  return text;
}

}  // namespace lockstep
