#include "suggest.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::cli {

namespace {

constexpr std::size_t most_suggestions = 3;

bool is_near(std::string_view word, std::string_view name) {
  bool const begins_alike = word.size() >= 2 && name.starts_with(word);
  return begins_alike || edit_distance(word, name) <= std::max<std::size_t>(1, word.size() / 3);
}

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::size_t const columns = other.size() + 1;
  std::vector<std::size_t> table((one.size() + 1) * columns);
  auto const at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return table[i * columns + j];
  };
  for (std::size_t i = 0; i <= one.size(); ++i) {
    for (std::size_t j = 0; j <= other.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      std::size_t const replaced = at(i - 1, j - 1) + (one[i - 1] == other[j - 1] ? 0 : 1);
      at(i, j) = std::min({replaced, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return table.back();
}

std::vector<std::string> nearest(std::string_view word, std::vector<std::string> const& names) {
  std::vector<std::string> near;
  for (auto const& name : names)
    if (is_near(word, name)) near.push_back(name);
  std::ranges::stable_sort(near, {}, [&](auto const& name) { return edit_distance(word, name); });
  if (near.size() > most_suggestions) near.resize(most_suggestions);
  return near;
}

std::string suggestion(std::string_view word, std::vector<std::string> const& names) {
  auto const near = nearest(word, names);
  if (near.empty()) return fmt::format("there are: {}", fmt::join(names, ", "));
  return fmt::format("did you mean {}?", fmt::join(near, " or "));
}

}  // namespace lockstep::cli
