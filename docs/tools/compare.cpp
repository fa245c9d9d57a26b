#include "compare.hpp"

#include <algorithm>
#include <regex>
#include <vector>

#include <nlohmann/json.hpp>

#include "markdown.hpp"

namespace lockstep::docs {

namespace {

using text_lines = std::vector<std::string>;

/// Without the blanks at the ends of lines, and without times of this computer.
text_lines comparable(std::string_view text) {
  static std::regex const wall_time("wall time  +[0-9.]+ m?s");
  auto lines = lines_of(text);
  for (auto& line : lines) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    line = std::regex_replace(line, wall_time, "wall time");
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

/// The lines between the lines `...`, which may be none.
std::vector<text_lines> pieces_of(text_lines const& shown) {
  std::vector<text_lines> pieces(1);
  for (auto const& line : shown)
    if (trimmed(line) == "...")
      pieces.emplace_back();
    else
      pieces.back().push_back(line);
  return pieces;
}

text_lines stripped(std::string_view text) {
  text_lines kept;
  for (auto const& line : lines_of(text))
    if (auto const rest = trimmed(line); !rest.empty()) kept.emplace_back(rest);
  return kept;
}

bool is_part(nlohmann::json const& shown, nlohmann::json const& whole) {
  if (shown.is_object() && whole.is_object())
    return std::ranges::all_of(shown.items(), [&](auto const& item) {
      if (!whole.contains(item.key())) return false;
      auto const& there = whole[item.key()];
      return item.key() == "seconds" ? there.is_number() : is_part(item.value(), there);
    });
  if (shown.is_array() && whole.is_array())
    return std::ranges::all_of(shown, [&](auto const& element) {
      return std::ranges::any_of(whole, [&](auto const& there) { return is_part(element, there); });
    });
  return shown == whole;
}

}  // namespace

bool shows(std::string_view shown, std::string_view output, bool excerpt) {
  auto const actual = comparable(output);
  auto pieces = pieces_of(comparable(shown));
  if (excerpt) {
    pieces.insert(pieces.begin(), text_lines{});
    pieces.emplace_back();
  }
  if (pieces.size() == 1) return pieces.front() == actual;
  auto const& last = pieces.back();
  if (actual.size() < last.size() ||
      !std::equal(last.begin(), last.end(), actual.end() - std::ssize(last)))
    return false;
  auto const end = actual.end() - std::ssize(last);
  auto place = actual.begin();
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    auto const found = std::search(place, end, pieces[i].begin(), pieces[i].end());
    if (found == end && !pieces[i].empty()) return false;
    if (i == 0 && found != actual.begin()) return false;
    place = found + std::ssize(pieces[i]);
  }
  return true;
}

bool shows_json(std::string_view shown, std::string_view output) {
  return is_part(nlohmann::json::parse(shown), nlohmann::json::parse(output));
}

bool stands_in(std::string_view lines, std::string_view file) {
  auto const wanted = stripped(lines);
  auto const there = stripped(file);
  return !wanted.empty() && !std::ranges::search(there, wanted).empty();
}

}  // namespace lockstep::docs
