#include "exchange/choice_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

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
  if (scheme == exchange_scheme::paper) return "paper";
  return scheme == exchange_scheme::virtual_nodes ? "virtual" : "stride-2";
}

std::string text_of(std::vector<std::vector<int>> const& groups, std::vector<int> const& sizes) {
  std::vector<std::string> texts;
  for (auto const& group : groups) {
    auto const size_of = [&](int dimension) { return sizes[static_cast<std::size_t>(dimension)]; };
    texts.push_back(fmt::format("{}", fmt::join(group | std::views::transform(size_of), "x")));
  }
  return fmt::format("{}", fmt::join(texts, ","));
}

std::vector<std::vector<int>> groups_in(std::string_view text, std::vector<int> const& sizes) {
  std::vector<std::optional<int>> left(sizes.begin(), sizes.end());
  std::vector<std::vector<int>> groups(1);
  for (auto rest = text;;) {
    auto const end = std::min(rest.find_first_of("x,"), rest.size());
    int const size = size_in(rest.substr(0, end), text);
    auto const found = std::ranges::find(left, size);
    if (found == left.end())
      throw invalid_argument(
          fmt::format("groups: '{}' has a dimension of size {} too many for a network of {}; "
                      "split its dimensions into groups of two or more",
                      text, size, fmt::join(sizes, "x")));
    found->reset();
    groups.back().push_back(static_cast<int>(found - left.begin()));
    if (end == rest.size()) break;
    if (rest[end] == ',') groups.emplace_back();
    rest.remove_prefix(end + 1);
  }
  if (std::ranges::any_of(left, [](auto const& size) { return size.has_value(); }))
    throw invalid_argument(
        fmt::format("groups: '{}' leaves out dimensions of a network of {}; name each of them once",
                    text, fmt::join(sizes, "x")));
  return groups;
}

}  // namespace lockstep
