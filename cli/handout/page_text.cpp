#include "handout/page_text.hpp"

#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

constexpr double wider_font = 1.12;

/// Removes the last character, all bytes of it.
void remove_last_character(std::string& word) {
  while (word.size() > 1 && (static_cast<unsigned char>(word.back()) & 0xC0U) == 0x80U)
    word.pop_back();
  word.pop_back();
}

/// Breaks a text into lines of at most that width; a longer word is cut.
std::vector<std::string> lines_within(std::string const& text, double size, double width) {
  std::vector<std::string> lines{""};
  for (auto word : wrapped(text, 1)) {
    auto const longer = lines.back().empty() ? word : lines.back() + ' ' + word;
    if (width_on_page(longer, size) <= width) {
      lines.back() = longer;
      continue;
    }
    if (!lines.back().empty()) lines.emplace_back();
    while (word.size() > 1 && width_on_page(word, size) > width) remove_last_character(word);
    lines.back() = word;
  }
  return lines;
}

}  // namespace

double width_on_page(std::string_view text, double size) {
  return wider_font * text_width(text, size);
}

double write_lines(drawing& on, page_box const& box, std::vector<std::string> const& paragraphs,
                   double size) {
  double down = 0;
  for (auto const& paragraph : paragraphs)
    for (auto const& one : lines_within(paragraph, size, box.width)) {
      if (down + size > box.height) return down;
      on.shapes.emplace_back(drawn_text{{box.x, box.y + down + size}, one, size});
      down += line_height * size;
    }
  return down;
}

}  // namespace lockstep::cli
