#include "markdown.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace lockstep::docs {

namespace {

/// Reads a page line by line: blocks, and outside of them comments, headings and links.
class reader {
 public:
  explicit reader(page& into) : m_page(into) {}

  void take(int number, std::string const& line) {
    auto const stripped = trimmed(line);
    if (m_block)
      inside_block(stripped, line);
    else if (m_comment)
      inside_comment(stripped, line);
    else if (stripped.starts_with("```"))
      open(number, stripped.substr(3));
    else if (stripped.starts_with("<!--"))
      open_comment(stripped.substr(4));
    else if (!stripped.empty())
      take_text(number, line);
  }

  void end() const {
    if (m_block) throw page_error(m_page, m_block->line, "a block without an end");
    if (m_comment) throw page_error(m_page, 1, "a comment without an end");
  }

 private:
  void open(int number, std::string_view language) {
    m_block = block{.language = std::string(trimmed(language)), .line = number, .text = {}};
    m_block->notes = std::exchange(m_notes, {});
  }

  void inside_block(std::string_view stripped, std::string const& line) {
    if (stripped == "```") {
      m_page.blocks.push_back(*std::exchange(m_block, std::nullopt));
    } else {
      m_block->text += line + '\n';
    }
  }

  void open_comment(std::string_view rest) {
    m_comment = "";
    inside_comment(rest, std::string(rest));
  }

  void inside_comment(std::string_view stripped, std::string const& line) {
    if (!stripped.ends_with("-->")) {
      *m_comment += line + '\n';
      return;
    }
    *m_comment += line.substr(0, line.rfind("-->"));
    add_note(*std::exchange(m_comment, std::nullopt));
  }

  void add_note(std::string_view text) {
    auto const colon = text.find(':');
    if (colon == std::string_view::npos)
      m_notes.push_back({.key = std::string(trimmed(text)), .value = {}});
    else
      m_notes.push_back({.key = std::string(trimmed(text.substr(0, colon))),
                         .value = std::string(trimmed(text.substr(colon + 1)))});
  }

  void take_text(int number, std::string const& line) {
    m_notes.clear();
    if (line.starts_with('#')) take_heading(number, line);
    take_references(number, line);
  }

  void take_heading(int number, std::string const& line) {
    auto const level = line.find_first_not_of('#');
    if (level == std::string::npos || line[level] != ' ') return;
    auto const text = std::string(trimmed(std::string_view(line).substr(level)));
    m_page.headings.push_back({.level = static_cast<int>(level),
                               .line = number,
                               .text = text,
                               .anchor = anchor_of(text)});
  }

  [[nodiscard]] std::string anchor_of(std::string_view text) {
    std::string anchor;
    for (char const character : text) {
      auto const code = static_cast<unsigned char>(character);
      if (std::isalnum(code) != 0 || character == '-' || character == '_')
        anchor += static_cast<char>(std::tolower(code));
      else if (character == ' ')
        anchor += '-';
    }
    auto const times = m_anchors[anchor]++;
    return times == 0 ? anchor : fmt::format("{}-{}", anchor, times);
  }

  void take_references(int number, std::string_view line) {
    bool in_code = false;
    for (std::size_t place = 0; place < line.size(); ++place) {
      if (line[place] == '`') in_code = !in_code;
      if (in_code || !line.substr(place).starts_with("](")) continue;
      auto const end = line.find(')', place);
      if (end == std::string_view::npos) return;
      m_page.references.push_back(
          {.line = number, .target = std::string(line.substr(place + 2, end - place - 2))});
    }
  }

  page& m_page;
  std::optional<block> m_block;
  std::optional<std::string> m_comment;
  std::vector<note> m_notes;
  std::map<std::string, int> m_anchors;
};

}  // namespace

bool block::has(std::string_view key) const {
  return std::ranges::find(notes, key, &note::key) != notes.end();
}

std::string block::value_of(std::string_view key) const {
  auto const found = std::ranges::find(notes, key, &note::key);
  return found == notes.end() ? "" : found->value;
}

page_error::page_error(page const& where, int line, std::string const& what)
    : std::runtime_error(fmt::format("{}:{}: {}", where.path.string(), line, what)) {}

page read_page(std::filesystem::path const& path) {
  page read{.path = path, .lines = lines_of(read_file(path))};
  reader reading(read);
  for (std::size_t i = 0; i < read.lines.size(); ++i)
    reading.take(static_cast<int>(i) + 1, read.lines[i]);
  reading.end();
  return read;
}

std::string read_file(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path.string()));
  return text.str();
}

void write_file(std::filesystem::path const& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string identifier_of(page const& which) {
  auto name = which.path.stem().string();
  std::ranges::replace_if(
      name, [](unsigned char character) { return std::isalnum(character) == 0; }, '_');
  return name;
}

}  // namespace lockstep::docs
