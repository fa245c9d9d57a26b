#include "handout/held_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "handout/held_table.hpp"

namespace lockstep::cli {

namespace {

constexpr double least_letters = 4.5;  ///< points
constexpr double least_share = 0.55;   ///< of the size that is wished for
constexpr double blank = 0.35;         ///< of the size
constexpr int most_columns = 8;
constexpr std::string_view quiet = "#606060";

/// How large letters are, and cells without letters; 0: all cells have letters.
struct held_scale {
  double letters = 0;
  double cell = 0;

  [[nodiscard]] bool writes_cells() const { return cell == 0; }
};

/// The values of a processor.
struct held_card {
  int rank = 0;
  std::vector<held_table> tables{};
};

/// Widths that all processors share: how wide, at size 1, names and the cells under each name are, and whether
/// arrays stand in rows of cells, as they do with several numbers under a name.
struct held_columns {
  double widest_name = 0;
  std::map<std::string, double> widest{};
  bool are_aligned = false;
};

/// The largest number under each name, of all processors.
using largest_numbers = std::map<std::string, double>;

/// A colour between white and blue.
std::string shade_of(double share) {
  constexpr std::array<double, 3> low{242, 246, 249};
  constexpr std::array<double, 3> high{11, 92, 142};
  std::string colour = "#";
  for (std::size_t i = 0; i < 3; ++i)
    colour += fmt::format(
        "{:02x}", static_cast<int>(std::lround(low.at(i) + share * (high.at(i) - low.at(i)))));
  return colour;
}

/// Writes a processor's data from a corner on, in lines of a width; or measures them.
class card_writer {
 public:
  card_writer(drawing* on, page_box const& box, held_scale const& scale, int processors,
              held_columns const& columns)
      : m_on(on), m_box(box), m_scale(scale), m_processors(processors), m_columns(columns) {}

  void write(held_card const& card, largest_numbers const& largest) {
    write_word(rank_text(card.rank), width_on_page(rank_text(m_processors - 1), 1));
    if (m_columns.are_aligned && m_scale.writes_cells()) return write_rows(card);
    for (auto const& table : card.tables) {
      // A name beside its table.
      write_word(table.name, width_on_page(table.name, 1), quiet, first_width(table));
      write_table(table, largest.at(table.name));
      if (!table.rest.empty()) write_word(table.rest, width_on_page(table.rest, 1), quiet);
      m_right += blank * m_scale.letters;
    }
  }

  [[nodiscard]] double height() const { return m_down + m_line; }
  /// Whether all is within the box.
  [[nodiscard]] bool fits() const { return m_is_narrow && height() <= m_box.height; }

 private:
  [[nodiscard]] static std::string rank_text(int rank) { return fmt::format("{}:", rank); }
  [[nodiscard]] double size() const { return m_scale.letters; }

  /// Writes each name in a line of its own, its cells below those of the other processors.
  void write_rows(held_card const& card) {
    auto const indent = m_right;
    auto const begin = indent + (m_columns.widest_name + blank) * size();
    auto const down = 1.2 * size();
    if (card.tables.empty()) m_down += line_height * size();  // a line for its rank
    for (auto const& table : card.tables) {
      m_right = indent;
      m_line = line_height * size();
      write_at({m_box.x + m_right, m_box.y + m_down}, table.name, text_anchor::start, quiet);
      auto const across = (m_columns.widest.at(table.name) + blank) * size();
      m_right = begin;
      if (begin + across > m_box.width) m_is_narrow = false;
      for (auto const& one : table.cells) {
        if (m_right > begin && m_right + across > m_box.width) {
          m_down += down;
          m_right = begin;
        }
        page_point const corner{m_box.x + m_right, m_box.y + m_down};
        auto const width = std::max(across, (one.width + blank) * size());
        if (table.is == held_table::form::blocks)
          fill(corner, width, down, colour_of_block(one.number, m_processors));
        if (table.is != held_table::form::words && m_on != nullptr)
          draw_grid(corner, width, down, 1, 1);
        write_at({corner.x + width / 2, corner.y}, one.text, text_anchor::middle, "#000000");
        m_right += width;
      }
      if (!table.rest.empty()) {
        m_down += down;
        write_at({m_box.x + begin, m_box.y + m_down}, table.rest, text_anchor::start, quiet);
      }
      m_down += m_line;
    }
    m_line = 0;
  }

  /// Finds the upper left corner of something, in a new line where this one has no room for it and what follows.
  page_point place(double width, double height, double next = 0) {
    if (m_right > 0 && m_right + width + next > m_box.width) {
      m_down += m_line;
      m_right = size();  // behind the rank
      m_line = 0;
    }
    if (m_right + width > m_box.width) m_is_narrow = false;
    page_point const corner{m_box.x + m_right, m_box.y + m_down};
    m_right += width;
    m_line = std::max(m_line, height);
    return corner;
  }

  void write_at(page_point corner, std::string const& text, text_anchor anchor,
                std::string_view colour) {
    if (m_on != nullptr && !text.empty())
      m_on->shapes.emplace_back(drawn_text{
          {corner.x, corner.y + size()}, text, size(), anchor, false, std::string(colour)});
  }

  void write_word(std::string const& text, double width, std::string_view colour = "#000000",
                  double next = 0) {
    auto const room = (width + blank) * size();
    write_at(place(room, line_height * size(), next), text, text_anchor::start, colour);
  }

  void fill(page_point corner, double width, double height, std::string colour) {
    if (m_on == nullptr) return;
    m_on->shapes.emplace_back(drawn_path{{corner,
                                          {corner.x + width, corner.y},
                                          {corner.x + width, corner.y + height},
                                          {corner.x, corner.y + height}},
                                         std::move(colour),
                                         0});
  }

  void line(page_point from, page_point to) {
    if (m_on != nullptr) m_on->shapes.emplace_back(drawn_path{{from, to}, "#a0a0a0", 0.4});
  }

  [[nodiscard]] double width_of_cell(held_table const& table) const {
    return m_scale.writes_cells() ? (table.widest() + blank) * size() : m_scale.cell;
  }

  /// The width of what cannot be broken at the begin of a table.
  [[nodiscard]] double first_width(held_table const& table) const {
    if (table.is == held_table::form::matrix)
      return static_cast<double>(table.columns) * width_of_cell(table);
    return table.cells.empty() ? 0 : (table.cells.front().width + blank) * size();
  }

  void write_table(held_table const& table, double largest) {
    bool const is_written = m_scale.writes_cells();
    if (table.is == held_table::form::matrix)
      write_matrix(table, largest);
    else if (table.is == held_table::form::blocks)
      write_blocks(table);
    else if (table.is == held_table::form::words || is_written || table.cells.size() == 1)
      for (auto const& one : table.cells) write_word(one.text, one.width);
    else
      write_bars(table, largest);
  }

  void write_matrix(held_table const& table, double largest) {
    bool const is_written = m_scale.writes_cells();
    auto const columns = std::min(table.columns, table.cells.size());
    auto const rows = (table.cells.size() + columns - 1) / columns;
    auto const across = width_of_cell(table);
    auto const down = is_written ? 1.15 * size() : m_scale.cell;
    auto const width = static_cast<double>(columns) * across;
    auto const height = static_cast<double>(rows) * down;
    auto const corner = place(width + 2 * blank * size(), height + 2 * blank * size());
    if (m_on == nullptr) return;
    for (std::size_t at = 0; at < table.cells.size(); ++at) {
      page_point const cell{corner.x + static_cast<double>(at % columns) * across,
                            corner.y + static_cast<double>(at / columns) * down};
      auto const& one = table.cells[at];
      if (is_written)
        write_at({cell.x + across / 2, cell.y}, one.text, text_anchor::middle, "#000000");
      else
        fill(cell, across, down, shade_of(largest > 0 ? std::abs(one.number) / largest : 0));
    }
    draw_grid(corner, width, height, is_written ? columns : 1, is_written ? rows : 1);
  }

  void draw_grid(page_point corner, double width, double height, std::size_t columns,
                 std::size_t rows) {
    for (std::size_t i = 0; i <= columns; ++i) {
      auto const x = corner.x + width * static_cast<double>(i) / static_cast<double>(columns);
      line({x, corner.y}, {x, corner.y + height});
    }
    for (std::size_t i = 0; i <= rows; ++i) {
      auto const y = corner.y + height * static_cast<double>(i) / static_cast<double>(rows);
      line({corner.x, y}, {corner.x + width, y});
    }
  }

  void write_blocks(held_table const& table) {
    auto const across = width_of_cell(table);
    auto const down = m_scale.writes_cells() ? 1.15 * size() : m_scale.cell;
    for (auto const& one : table.cells) {
      auto const corner = place(across, std::max(down + 0.15 * size(), line_height * size()));
      fill(corner, across, down, colour_of_block(one.number, m_processors));
      if (m_on != nullptr) draw_grid(corner, across, down, 1, 1);
      if (m_scale.writes_cells())
        write_at({corner.x + across / 2, corner.y}, one.text, text_anchor::middle, "#000000");
    }
    m_right += blank * size();
  }

  void write_bars(held_table const& table, double largest) {
    auto const room = 0.9 * m_box.width - m_right;
    auto const each = std::min(m_scale.cell, room / static_cast<double>(table.cells.size()));
    auto const high = 2 * size();
    auto const corner =
        place(each * static_cast<double>(table.cells.size()) + blank * size(), 1.2 * high);
    for (std::size_t at = 0; at < table.cells.size(); ++at) {
      auto const number = table.cells[at].number;
      auto const tall =
          largest > 0 && std::isfinite(number) ? std::abs(number) / largest * high : 0;
      fill({corner.x + each * static_cast<double>(at), corner.y + high - tall}, 0.8 * each, tall,
           number < 0 ? "#c8c8c8" : "#606060");
    }
  }

  drawing* m_on;
  page_box m_box;
  held_scale m_scale;
  int m_processors;
  held_columns const& m_columns;
  double m_right = 0;  ///< where the line ends
  double m_down = 0;   ///< where it begins
  double m_line = 0;   ///< its height
  bool m_is_narrow = true;
};

/// All cards of a step, in rows of several columns.
class held_cards {
 public:
  held_cards(logged_step const& step, int processors) : m_processors(processors) {
    auto const names = names_in(step);
    bool has_matrix = false;
    for (auto const& [rank, held] : step.shown) {
      auto& card = m_cards.emplace_back(held_card{.rank = rank});
      for (auto const& name : names) {
        auto const found = held.find(name);
        if (found == held.end() || is_nothing(*found->second)) continue;
        card.tables.push_back(table_of(name, *found->second, processors));
        auto const& table = card.tables.back();
        auto& largest = m_largest[name];
        largest = std::max(largest, table.largest());
        auto& widest = m_columns.widest[name];
        widest = std::max(widest, table.widest());
        m_columns.widest_name = std::max(m_columns.widest_name, width_on_page(name, 1));
        m_columns.are_aligned = m_columns.are_aligned ||
                                (table.is == held_table::form::numbers && table.cells.size() > 1);
        has_matrix = has_matrix || table.is == held_table::form::matrix;
      }
    }
    if (has_matrix) m_columns.are_aligned = false;
  }

  /// In how many columns all fit into the box, or nothing.
  [[nodiscard]] std::optional<int> columns_in(page_box const& box, held_scale const& scale) const {
    auto const most = std::min(most_columns, static_cast<int>(m_cards.size()));
    for (int columns = 1; columns <= most; ++columns)
      if (draw(nullptr, box, scale, columns) == m_cards.size()) return columns;
    return std::nullopt;
  }

  /// Draws the cards, as long as there is room; result: how many have it.
  std::size_t draw(drawing* on, page_box const& box, held_scale const& scale, int columns) const {
    auto const gap = scale.letters;
    auto const width = (box.width + gap) / columns - gap;
    double down = 0;
    for (std::size_t first = 0; first < m_cards.size();) {
      auto const end = std::min(first + static_cast<std::size_t>(columns), m_cards.size());
      double height = 0;
      for (auto at = first; at < end; ++at) {
        auto const column = static_cast<double>(at - first);
        page_box const part{box.x + column * (width + gap), box.y + down, width, box.height - down};
        // Measured first, so that no part of a card is drawn that has no room.
        card_writer measure(nullptr, part, scale, m_processors, m_columns);
        measure.write(m_cards[at], m_largest);
        if (!measure.fits()) return at;
        height = std::max(height, measure.height());
        if (on == nullptr) continue;
        card_writer(on, part, scale, m_processors, m_columns).write(m_cards[at], m_largest);
      }
      down += height + 0.25 * scale.letters;
      first = end;
    }
    return m_cards.size();
  }

  [[nodiscard]] std::size_t size() const { return m_cards.size(); }

 private:
  int m_processors;
  std::vector<held_card> m_cards;
  largest_numbers m_largest;
  held_columns m_columns;
};

/// The scales to be tried, from the best on.
std::vector<held_scale> scales_up_to(double size) {
  std::vector<held_scale> scales;
  auto const least = std::max(least_letters, least_share * size);
  for (auto letters = size; letters > least; letters -= 0.5) scales.push_back({letters});
  scales.push_back({least});
  for (double const cell : {0.8, 0.5, 0.35, 0.2, 0.1}) scales.push_back({least, cell * least});
  return scales;
}

}  // namespace

bool has_room_for_held(page_box const& box, logged_step const& step, int processors, double size) {
  return held_cards(step, processors).columns_in(box, {size}).has_value();
}

void draw_held(drawing& on, page_box const& box, logged_step const& step, int processors,
               double size) {
  held_cards const cards(step, processors);
  auto const scales = scales_up_to(size);
  for (auto const& scale : scales)
    if (auto const columns = cards.columns_in(box, scale)) {
      cards.draw(&on, box, scale, *columns);
      return;
    }
  auto const last = scales.back();
  page_box const all_but_a_line{box.x, box.y, box.width, box.height - line_height * last.letters};
  auto const drawn = cards.draw(&on, all_but_a_line, last, most_columns / 2);
  write_lines(on, {box.x, box.y + all_but_a_line.height, box.width, line_height * last.letters},
              {fmt::format("and {} more", cards.size() - drawn)}, last.letters);
}

}  // namespace lockstep::cli
