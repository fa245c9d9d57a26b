#include "value_list.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

using text_list = std::vector<std::string>;

constexpr std::string_view between = "..";

std::optional<std::int64_t> whole_from(std::string_view text) {
  std::int64_t value = 0;
  auto const* const end = text.data() + text.size();
  auto const [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

/// Whole numbers from the first to the last, each the one before plus or times `by`.
struct value_range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t by = 1;
  bool multiplies = false;
};

/// "1..16", "0..10+2" or "1..4096*4".
std::optional<value_range> value_range_from(std::string_view text) {
  auto const dots = text.find(between);
  if (dots == std::string_view::npos) return std::nullopt;
  auto const rest = text.substr(dots + between.size());
  auto const mark = std::min(rest.find_first_of("+*"), rest.size());
  auto const first = whole_from(text.substr(0, dots));
  auto const last = whole_from(rest.substr(0, mark));
  if (!first || !last) return std::nullopt;
  if (mark == rest.size()) return value_range{*first, *last};
  auto const by = whole_from(rest.substr(mark + 1));
  if (!by) return std::nullopt;
  return value_range{*first, *last, *by, rest[mark] == '*'};
}

std::string too_many(std::string const& option) {
  return fmt::format("{}: these are more than {} values; give fewer", option, most_combinations);
}

void check_range(std::string const& option, std::string const& text, value_range const& of) {
  if (of.last < of.first)
    throw usage_error(fmt::format(
        "{}: the range '{}' ends before it begins; write the smaller number first", option, text));
  if (of.multiplies && (of.by < 2 || of.first < 1))
    throw usage_error(fmt::format(
        "{}: '{}': a range with * begins with 1 or more and multiplies by 2 or more, as in "
        "1..4096*4",
        option, text));
  if (of.by < 1)
    throw usage_error(
        fmt::format("{}: '{}': a range goes on by 1 or more, as in 0..10+2", option, text));
}

text_list numbers_in(std::string const& option, std::string const& text, value_range const& of) {
  check_range(option, text, of);
  text_list numbers;
  for (auto number = of.first;;) {
    if (numbers.size() == most_combinations) throw usage_error(too_many(option));
    numbers.push_back(fmt::format("{}", number));
    // The distance to the last number is at most 2^64 - 1, so that no sum overflows.
    auto const left = static_cast<std::uint64_t>(of.last) - static_cast<std::uint64_t>(number);
    bool const ends =
        of.multiplies ? number > of.last / of.by : left < static_cast<std::uint64_t>(of.by);
    if (ends) return numbers;
    number = of.multiplies ? number * of.by : number + of.by;
  }
}

/// Splits at commas that stand in no braces.
text_list parts_of(std::string const& option, std::string const& text) {
  text_list parts{""};
  bool is_in_braces = false;
  for (char const one : text) {
    if ((one == '{' && is_in_braces) || (one == '}' && !is_in_braces))
      throw usage_error(
          fmt::format("{}: '{}': braces come in pairs, and none stand in others, as "
                      "in torus:{{4,8}}x{{4,8}}",
                      option, text));
    if (one == '{' || one == '}') is_in_braces = one == '{';
    if (one == ',' && !is_in_braces)
      parts.emplace_back();
    else
      parts.back() += one;
  }
  if (is_in_braces) throw usage_error(fmt::format("{}: '{}' lacks a }} at its end", option, text));
  if (std::ranges::find(parts, "") != parts.end())
    throw usage_error(fmt::format(
        "{}: '{}' has an empty value; write values with one comma between them", option, text));
  return parts;
}

/// Whether a part goes on with the value before it: a setting of a cost model, "sigma_us_per_word=1", or
/// an edge of a graph, "1-2".
bool goes_on(std::string const& option, std::string const& part) {
  if (part.find(':') != std::string::npos) return false;
  return option == "--on" || part.find('=') != std::string::npos;
}

/// Puts the parts of a value together again.
text_list joined_values(std::string const& option, text_list const& parts) {
  text_list values;
  for (auto const& part : parts) {
    if (goes_on(option, part) && !values.empty())
      values.back() += ',' + part;
    else
      values.push_back(part);
  }
  return values;
}

constexpr std::string_view escaped_comma = "\\,";
constexpr char hidden_comma = '\1';

/// Replaces each escaped comma, which belongs to a value, by a character that splits nothing.
std::string with_hidden_commas(std::string text) {
  for (auto at = text.find(escaped_comma); at != std::string::npos; at = text.find(escaped_comma))
    text.replace(at, escaped_comma.size(), 1, hidden_comma);
  return text;
}

/// The values of a part without braces.
text_list plain_values(std::string const& option, std::string const& part) {
  if (auto const range = value_range_from(part)) return numbers_in(option, part, *range);
  if (part.find(between) != std::string::npos)
    throw usage_error(fmt::format(
        "{}: '{}' is not a range; write 1..16, 0..10+2 or 1..4096*4, within a value in braces, as "
        "in hypercube:{{3..8}}",
        option, part));
  return {part};
}

/// The values of a part, in which each pair of braces stands for all that is in it.
text_list braces_opened(std::string const& option, std::string const& part) {
  auto const open = part.find('{');
  if (open == std::string::npos) return plain_values(option, part);
  text_list heads{part.substr(0, open)};
  for (auto at = open; at != std::string::npos;) {
    auto const close = part.find('}', at);
    auto const next = part.find('{', close);
    auto const tail = part.substr(close + 1, next == std::string::npos ? next : next - close - 1);
    text_list longer;
    for (auto const& head : heads)
      for (auto const& inner : parts_of(option, part.substr(at + 1, close - at - 1)))
        for (auto const& value : plain_values(option, inner)) {
          if (longer.size() == most_combinations) throw usage_error(too_many(option));
          longer.push_back(head + value + tail);
        }
    heads = std::move(longer);
    at = next;
  }
  return heads;
}

/// Leaves out what stands there already, in the order of the rest.
text_list each_once(text_list const& values) {
  std::set<std::string> seen;
  text_list once;
  for (auto const& value : values)
    if (seen.insert(value).second) once.push_back(value);
  return once;
}

}  // namespace

text_list values_from(std::string const& option, std::string const& text) {
  text_list values;
  auto const parts = parts_of(option, with_hidden_commas(text));
  for (auto const& part : joined_values(option, parts))
    for (auto& value : braces_opened(option, part)) {
      std::ranges::replace(value, hidden_comma, ',');
      if (values.size() == most_combinations) throw usage_error(too_many(option));
      values.push_back(std::move(value));
    }
  return each_once(values);
}

}  // namespace lockstep::cli
