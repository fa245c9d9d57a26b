#include "exchange/choice_text.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// The parts of a text between separators.
[[nodiscard]] std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (auto end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

[[nodiscard]] int size_in(std::string_view text, std::string_view whole) {
  int size = 0;
  auto const* const end = text.data() + text.size();
  auto const [stopped, problem] = std::from_chars(text.data(), end, size);
  if (problem != std::errc{} || stopped != end)
    throw invalid_argument(fmt::format(
        "groups: '{}' in '{}' is not a size; give groups of sizes, such as 4x4,8x8", text, whole));
  return size;
}

}  // namespace

std::string_view name_of(exchange_scheme scheme) {
  switch (scheme) {
    case exchange_scheme::paper:
      return "paper";
    case exchange_scheme::virtual_nodes:
      return "virtual";
    case exchange_scheme::stride_2:
      break;
  }
  return "stride-2";
}

std::string text_of(std::vector<std::vector<int>> const& groups, std::vector<int> const& sizes) {
  std::vector<std::string> texts;
  for (auto const& group : groups) {
    std::vector<int> of_group;
    of_group.reserve(group.size());
    for (int const dimension : group)
      of_group.push_back(sizes[static_cast<std::size_t>(dimension)]);
    texts.push_back(fmt::format("{}", fmt::join(of_group, "x")));
  }
  return fmt::format("{}", fmt::join(texts, ","));
}

std::vector<std::vector<int>> groups_in(std::string_view text, std::vector<int> const& sizes) {
  std::vector<bool> is_taken(sizes.size());
  std::vector<std::vector<int>> groups;
  for (auto const group : parts_of(text, ',')) {
    auto& dimensions = groups.emplace_back();
    for (auto const part : parts_of(group, 'x')) {
      int const size = size_in(part, text);
      std::size_t a = 0;
      while (a < sizes.size() && (is_taken[a] || sizes[a] != size)) ++a;
      if (a == sizes.size())
        throw invalid_argument(
            fmt::format("groups: '{}' has a dimension of size {} too many for a network of {}; "
                        "split its dimensions into groups of two or more",
                        text, size, fmt::join(sizes, "x")));
      is_taken[a] = true;
      dimensions.push_back(static_cast<int>(a));
    }
  }
  if (std::ranges::find(is_taken, false) != is_taken.end())
    throw invalid_argument(
        fmt::format("groups: '{}' leaves out dimensions of a network of {}; name each of them once",
                    text, fmt::join(sizes, "x")));
  return groups;
}

}  // namespace lockstep
