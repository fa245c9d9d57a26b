#include "handout/held_stacks.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace lockstep::cli {

namespace {

constexpr double blank_in_cell = 0.5;  ///< of the size, in a cell
constexpr double cell_height = 1.2;    ///< of the size
constexpr double name_height = 1.05;   ///< of the size
constexpr double size_of_name = 0.8;   ///< of the size
constexpr std::string_view colour_of_names = "#606060";
constexpr std::string_view colour_of_borders = "#a0a0a0";

std::string line_of(held_table const& table) {
  std::string text;
  for (auto const& one : table.cells) text += (text.empty() ? "" : " ") + one.text;
  return text;
}

bool has_cells(held_table const& table) { return table.is != held_table::form::words; }

std::size_t columns_in(held_table const& table, double width, double across) {
  if (table.is == held_table::form::matrix) return std::min(table.columns, table.cells.size());
  auto const most = static_cast<std::size_t>(std::max(1.0, width / across));
  auto const lines = (table.cells.size() + most - 1) / most;
  return (table.cells.size() + lines - 1) / lines;
}

/// Draws a cell: its border, its colour and its text in the middle.
void draw_cell(drawing& on, page_box const& box, std::string const& text, double size,
               std::string colour) {
  std::vector<page_point> const corners{{box.x, box.y},
                                        {box.x + box.width, box.y},
                                        {box.x + box.width, box.y + box.height},
                                        {box.x, box.y + box.height},
                                        {box.x, box.y}};
  on.shapes.emplace_back(drawn_path{corners, std::move(colour), 0});
  on.shapes.emplace_back(drawn_path{corners, std::string(colour_of_borders), 0.4});
  if (!text.empty())
    on.shapes.emplace_back(
        drawn_text{{box.x + box.width / 2, box.y + 0.96 * size}, text, size, text_anchor::middle});
}

}  // namespace

held_stacks::held_stacks(logged_step const& step, std::vector<std::string> const& names,
                         int processors)
    : m_processors(processors), m_is_named(names.size() > 1) {
  for (auto const& [rank, held] : step.shown)
    for (auto const& name : names) {
      auto const found = held.find(name);
      if (found == held.end() || is_nothing(*found->second)) continue;
      auto table = table_of(name, *found->second, processors);
      m_are_whole = m_are_whole && table.rest.empty();
      auto& widest = m_widest[name];
      widest = std::max(widest, table.widest());
      m_held[rank].push_back(std::move(table));
    }
}

page_box held_stacks::measure(int rank, double width, double size) const {
  return write(nullptr, {}, rank, width, size);
}

void held_stacks::draw(drawing& on, page_point corner, int rank, double width, double size) const {
  write(&on, corner, rank, width, size);
}

page_box held_stacks::write(drawing* on, page_point corner, int rank, double width,
                            double size) const {
  page_box taken{corner.x, corner.y, 0, 0};
  auto const found = m_held.find(rank);
  if (found == m_held.end()) return taken;
  for (auto const& table : found->second) {
    page_point at{corner.x, corner.y + taken.height};
    if (m_is_named) {
      auto const letters = size_of_name * size;
      if (on != nullptr)
        on->shapes.emplace_back(drawn_text{{at.x, at.y + 0.8 * name_height * size},
                                           table.name,
                                           letters,
                                           text_anchor::start,
                                           false,
                                           std::string(colour_of_names)});
      taken.width = std::max(taken.width, width_on_page(table.name, letters));
      at.y += name_height * size;
      taken.height += name_height * size;
    }
    auto const cells = write_cells(on, at, table, width, size);
    taken.width = std::max(taken.width, cells.width);
    taken.height += cells.height;
  }
  return taken;
}

page_box held_stacks::write_cells(drawing* on, page_point corner, held_table const& table,
                                  double width, double size) const {
  if (!has_cells(table)) {
    auto const text = line_of(table);
    if (on != nullptr)
      on->shapes.emplace_back(drawn_text{{corner.x, corner.y + 0.96 * size}, text, size});
    return {corner.x, corner.y, width_on_page(text, size), cell_height * size};
  }
  auto const across = (m_widest.at(table.name) + blank_in_cell) * size;
  auto const down = cell_height * size;
  auto const columns = columns_in(table, width, across);
  auto const lines = (table.cells.size() + columns - 1) / columns;
  for (std::size_t at = 0; on != nullptr && at < table.cells.size(); ++at)
    draw_cell(*on,
              {corner.x + static_cast<double>(at % columns) * across,
               corner.y + static_cast<double>(at / columns) * down, across, down},
              table.cells[at].text, size,
              table.is == held_table::form::blocks
                  ? colour_of_block(table.cells[at].number, m_processors)
                  : "#ffffff");
  return {corner.x, corner.y, static_cast<double>(columns) * across,
          static_cast<double>(lines) * down + 0.15 * size};
}

}  // namespace lockstep::cli
