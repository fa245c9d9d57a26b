#include "in_port_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "phase_names.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

bool is_plain(in_port_tally const& tally) { return tally.words == tally.messages; }

/// The columns beside the cells: for each row its messages, words and busy share, as far as they
/// tell something.
class row_ends {
 public:
  explicit row_ends(in_port_chart const& of) : m_steps(of.steps) {
    m_has_messages = !std::ranges::all_of(of.rows, is_plain, &in_port_row::tally);
    for (auto const& row : of.rows)
      m_width = std::max(m_width, fmt::formatted_size("{}", row.tally.words));
  }

  [[nodiscard]] std::string title() const {
    return fmt::format("{}  {:>{}}  busy", m_has_messages ? "  messages" : "", "words", m_width);
  }
  [[nodiscard]] std::string of(in_port_tally const& tally) const {
    auto const messages = m_has_messages ? fmt::format("  {:>8}", tally.messages) : "";
    auto const busy = m_steps == 0 ? 0 : (100 * tally.busy_steps + m_steps / 2) / m_steps;
    return fmt::format("{}  {:>{}}  {:>3}%", messages, tally.words, m_width, busy);
  }

 private:
  std::uint64_t m_steps;
  std::size_t m_width = 5;
  bool m_has_messages = false;
};

/// Writes a cell: the sender's symbol, or the number of words that came in.
std::string text_of_cell(in_port_row const& row, std::size_t column, cell_content content) {
  char const symbol = row.cells[column];
  bool const has_words = symbol != idle_cell && symbol != empty_cell;
  return content == cell_content::words && has_words ? fmt::format("{}", row.words[column])
                                                     : std::string(1, symbol);
}

/// Characters that a column of numbers takes, with a space before it; 1 for symbols.
std::size_t width_of_cells(in_port_chart const& of, cell_content content) {
  if (content == cell_content::senders) return 1;
  std::size_t width = fmt::formatted_size("{}", of.shown.last);
  for (auto const& row : of.rows)
    for (std::size_t column = 0; column < row.cells.size(); ++column)
      width = std::max(width, text_of_cell(row, column, content).size());
  return width + 1;
}

/// The rows in blocks of steps.
class chart_lines {
 public:
  chart_lines(in_port_chart const& of, cell_content content)
      : m_of(of), m_content(content), m_width(width_of_cells(of, content)), m_ends(of) {
    for (auto const& row : of.rows) m_label = std::max(m_label, row.label.size());
  }

  [[nodiscard]] std::string str() const {
    std::string text;
    auto const columns = static_cast<std::size_t>(m_of.shown.count());
    auto const room =
        (page_width - std::min(page_width, 4 + m_label + m_ends.title().size())) / m_width;
    auto const block = columns <= room ? columns : std::max<std::size_t>(10, room / 10 * 10);
    for (std::size_t start = 0; start < columns; start += block) {
      if (start > 0) text += '\n';
      append_block(text, start, std::min(block, columns - start), start + block >= columns);
    }
    return text;
  }

 private:
  void append_block(std::string& text, std::size_t start, std::size_t count, bool is_last) const {
    auto const first = m_of.shown.first + start;
    for (auto const& line : phase_lines(m_of.phases, {first, first + count - 1}, m_width))
      append_line(text, ' ', "", line, "", count);
    append_line(text, ' ', "processor", step_numbers(start, count), is_last ? m_ends.title() : "",
                count);
    for (std::size_t i = 0; i < m_of.rows.size(); ++i) {
      auto const& row = m_of.rows[i];
      bool const is_busiest = m_of.busiest && m_of.busiest->row == i;
      append_line(text, is_busiest ? '>' : ' ', row.label, cells_of(row, start, count),
                  is_last ? m_ends.of(row.tally) : "", count);
      if (is_busiest) append_rounds(text, start, count);
    }
  }

  [[nodiscard]] std::string cells_of(in_port_row const& row, std::size_t start,
                                     std::size_t count) const {
    std::string cells;
    for (auto column = start; column < start + count; ++column)
      cells += fmt::format("{:>{}}", text_of_cell(row, column, m_content), m_width);
    return cells;
  }

  void append_line(std::string& text, char mark, std::string_view label, std::string_view cells,
                   std::string_view end, std::size_t count) const {
    auto line =
        fmt::format("{} {:<{}}  {:<{}}{}", mark, label, m_label, cells, count * m_width, end);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }

  /// Marks the steady state under the busiest row.
  void append_rounds(std::string& text, std::size_t start, std::size_t count) const {
    auto const& steady = m_of.busiest->steady;
    if (!steady) return;
    std::string line;
    for (std::size_t i = 0; i < count; ++i) {
      auto const step = m_of.shown.first + start + i;
      bool const is_steady = step >= steady->steps.first && step <= steady->steps.last;
      line += std::string(m_width, is_steady ? '=' : ' ');
    }
    if (line.find('=') != std::string::npos) append_line(text, ' ', "", line, "", count);
  }

  /// The first step's number and every tenth, each above its column; of wide columns all.
  [[nodiscard]] std::string step_numbers(std::size_t start, std::size_t count) const {
    std::string line;
    if (m_width > 1) {
      for (std::size_t i = 0; i < count; ++i)
        line += fmt::format("{:>{}}", m_of.shown.first + start + i, m_width);
      return line;
    }
    for (std::size_t i = 0; i < count; ++i) {
      auto const step = m_of.shown.first + start + i;
      if ((i > 0 && step % 10 != 0) || (i > 0 && line.size() >= i)) continue;
      auto const number = std::to_string(step);
      line.resize(i, ' ');
      if (i + number.size() <= count) line += number;
    }
    return line;
  }

  in_port_chart const& m_of;
  cell_content m_content;
  std::size_t m_width;
  row_ends m_ends;
  std::size_t m_label = std::string_view("processor").size();
};

bool has_cell(in_port_chart const& of, auto const& is_meant) {
  return std::ranges::any_of(
      of.rows, [&](in_port_row const& row) { return std::ranges::any_of(row.cells, is_meant); });
}

bool has_digits(in_port_chart const& of) {
  return std::ranges::any_of(
      of.legend, [](sender_mark const& mark) { return mark.symbol >= '0' && mark.symbol <= '9'; });
}

/// Explains the marks of senders; a crossbar's all at once.
std::vector<std::string> meaning_of_marks(in_port_chart const& of) {
  std::vector<std::string> parts;
  for (auto const& mark : of.legend) {
    auto part = fmt::format("{}  {}", mark.symbol, mark.name);
    if (mark.name.starts_with("processor "))
      part = mark.symbol == '*' ? "*  a higher rank" : "0-9, a-z, A-Z  the sender's rank (a is 10)";
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(std::move(part));
  }
  return parts;
}

/// Explains the characters that occur in the chart.
std::string legend(in_port_chart const& of, cell_content content) {
  bool const has_marks = content == cell_content::senders;
  auto parts = has_marks ? meaning_of_marks(of) : std::vector<std::string>();
  auto const is = [](char which) { return [=](char cell) { return cell == which; }; };
  auto const is_count = [&](char cell) { return !has_digits(of) && cell >= '2' && cell <= '9'; };
  if (has_marks && has_cell(of, is_count)) parts.emplace_back("2-9  that many at once");
  if (has_marks && has_cell(of, is(several_cell)))
    parts.emplace_back(has_digits(of) ? "+  several at once" : "+  ten or more at once");
  if (has_cell(of, is(empty_cell))) parts.emplace_back("_  an empty message");
  if (has_cell(of, is(idle_cell))) parts.emplace_back(".  nothing");
  if (parts.empty()) return {};
  std::string text;
  std::string line;
  for (auto const& part : parts) {
    if (!line.empty() && line.size() + 4 + part.size() > page_width)
      text += std::exchange(line, "") + '\n';
    line += line.empty() ? "  " + part : "    " + part;
  }
  return text + line + '\n';
}

/// Says which part of the run is not shown, and how to see it.
std::string what_is_left_out(in_port_chart const& of) {
  std::string text;
  if (of.shown.count() < of.steps)
    text += fmt::format("{} of {}{}. Words and busy steps are those of the whole run. ",
                        of.shown.count() == 0
                            ? "No step"
                            : fmt::format("Steps {} to {}", of.shown.first, of.shown.last),
                        of.steps,
                        of.is_cut_short ? ": there is room for more steps of fewer processors"
                                        : "; --steps FROM-TO shows others");
  if (std::cmp_less(of.rows.size(), of.processors))
    text += fmt::format("{} of {} processors{}; --processors LIST shows others.", of.rows.size(),
                        of.processors, of.are_chosen ? "" : " that take in most");
  return text.empty() ? text : fmt::format("\n{}\n", fmt::join(wrapped(text, page_width), "\n"));
}

}  // namespace

std::string as_text(in_port_chart const& of, cell_content content) {
  if (!of.busiest) return "No words came in anywhere: there is nothing to show.\n";
  std::string text = content == cell_content::words
                         ? "How many words came in at each processor in each step"
                         : "What came in at each processor in each step, by where it came from";
  if (!of.label_note.empty()) text += fmt::format(" ({})", of.label_note);
  text += ":\n";
  text += legend(of, content) + '\n' + chart_lines(of, content).str();
  return text + what_is_left_out(of);
}

namespace {

nlohmann::ordered_json object_of(step_range steps) {
  return {{"first", steps.first}, {"last", steps.last}};
}

nlohmann::ordered_json object_of(in_port_row const& row) {
  nlohmann::ordered_json json{{"processor", row.rank},
                              {"words", row.tally.words},
                              {"messages", row.tally.messages},
                              {"busy_steps", row.tally.busy_steps},
                              {"cells", row.cells}};
  json["senders"] = row.senders;
  json["from"] = nlohmann::ordered_json::array();
  for (auto const& share : row.shares)
    json["from"].push_back({{"mark", std::string(1, share.mark.symbol)},
                            {"name", share.mark.name},
                            {"messages", share.messages},
                            {"words", share.words}});
  return json;
}

nlohmann::ordered_json object_of(busiest_in_port const& busiest, int rank) {
  nlohmann::ordered_json json{{"processor", rank}, {"as_busy", busiest.as_busy.size()}};
  json["unbroken"] = object_of(busiest.unbroken);
  json["steady"] = nullptr;
  if (busiest.steady) {
    json["steady"] = object_of(busiest.steady->steps);
    json["steady"]["round"] = busiest.steady->round;
  }
  json["least_steps"] = busiest.bound.steps;
  return json;
}

}  // namespace

nlohmann::ordered_json as_json(in_port_chart const& of) {
  constexpr std::array<std::string_view, 3> port_names{"one", "all", "per-pass"};
  nlohmann::ordered_json json{{"ports", port_names[static_cast<std::size_t>(of.with)]},
                              {"steps", of.steps}};
  json["shown"] = object_of(of.shown);
  json["busiest"] = nullptr;
  if (of.busiest) json["busiest"] = object_of(*of.busiest, of.rows[of.busiest->row].rank);
  json["rows"] = nlohmann::ordered_json::array();
  for (auto const& row : of.rows) json["rows"].push_back(object_of(row));
  return json;
}

}  // namespace lockstep::cli
