#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "experiments/extreme/extreme_values.hpp"

// Sorts of files of extreme keys.

namespace {

/// Keys of which every third one is extreme, in no order, or in two sorted lists to merge: as many as
/// the algorithm needs, or takes.
template <class Number>
std::vector<Number> keys_around(Number extreme, std::string const& algorithm) {
  std::vector<Number> keys{Number{7}, extreme, Number{0}, extreme};
  if (algorithm != "nassimi-sahni-sort")
    for (int i = 0; keys.size() < 72; ++i)
      keys.push_back(i % 3 == 0 ? extreme : static_cast<Number>((i * 5) % 8));
  if (algorithm.ends_with("merge") && extreme == extreme) {  // a NaN has no place
    std::sort(keys.begin(), keys.begin() + 36);
    std::sort(keys.begin() + 36, keys.end());
  }
  return keys;
}

/// The bits of keys, in the order of keys, and of bits where keys are equal.
template <class Number>
std::vector<Number> in_order_of_bits(std::vector<Number> keys) {
  using bits = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
  std::ranges::sort(keys, [](Number a, Number b) {
    return a != b ? a < b : std::bit_cast<bits>(a) < std::bit_cast<bits>(b);
  });
  return keys;
}

/// Whether the one are the other in order, none of them changed in a bit.
template <class Number>
bool are_sorted(std::vector<Number> const& sorted, std::vector<Number> const& keys) {
  return std::ranges::is_sorted(sorted) &&
         are_same_bits(in_order_of_bits(sorted), in_order_of_bits(keys));
}

/// A key as a text; a zero below 0 is not a whole number.
template <class Number>
std::string text_of_key(Number key) {
  if constexpr (std::is_floating_point_v<Number>)
    if (key == 0 && std::signbit(key)) return "-0.0";
  return fmt::format("{}", key);
}

/// The numbers of a text, one in each line.
template <class Number>
std::vector<Number> numbers_in_lines(std::string const& text) {
  std::vector<Number> numbers;
  for (auto const& line : lines_in(text))
    if constexpr (std::is_floating_point_v<Number>)
      numbers.push_back(std::strtod(line.c_str(), nullptr));
    else if constexpr (std::is_unsigned_v<Number>)
      numbers.push_back(std::strtoull(line.c_str(), nullptr, 10));
    else
      numbers.push_back(std::strtoll(line.c_str(), nullptr, 10));
  return numbers;
}

verdict_of_file sort_raw(std::string const& algorithm, extreme_case const& of) {
  return with_type(of.type, [&]<class Number>(Number /*of_type*/) {
    auto const keys = keys_around(extreme_number<Number>(of.extreme), algorithm);
    auto const run = run_on_file(algorithm, bytes_of(keys), {{"format", of.type}}, ".bin");
    return verdict_on(run, [&](std::string const& output) {
      return output.size() == keys.size() * sizeof(Number) &&
             are_sorted(numbers_at_end<Number>(output, keys.size()), keys);
    });
  });
}

/// Sorts a text of keys of that type.
template <class Number>
verdict_of_file sort_lines(std::string const& algorithm, extreme_case const& of) {
  auto const keys = keys_around(extreme_number<Number>(of.extreme), algorithm);
  std::string text;
  for (auto const key : keys) text += text_of_key(key) + "\n";
  return verdict_on(run_on_file(algorithm, text, {}, ".txt"), [&](std::string const& output) {
    return are_sorted(numbers_in_lines<Number>(output), keys);
  });
}

/// Sorts rows by a column, beside which each has its number.
template <class Number>
verdict_of_file sort_rows(std::string const& algorithm, extreme_case const& of) {
  auto const keys = keys_around(extreme_number<Number>(of.extreme), algorithm);
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < keys.size(); ++i)
    rows.push_back(fmt::format("{},\"{}\"\n", i, text_of_key(keys[i])));
  std::string text = "row,key\n";
  for (auto const& row : rows) text += row;
  auto const run = run_on_file(algorithm, text, {{"column", std::string("key")}}, ".csv");
  return verdict_on(run, [&](std::string const& output) {
    std::vector<std::size_t> order(keys.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return keys[i]; });
    std::string expected = "row,key\n";
    for (auto const i : order) expected += rows[i];
    return output == expected;
  });
}

bool is_whole(std::string const& extreme) {
  return extreme == "least" || extreme == "largest" || extreme == "half";
}

verdict_of_file sort_one(std::string const& algorithm, extreme_case const& of) {
  bool const has_columns = of.type.starts_with("column");
  if (!has_columns && !of.type.starts_with("text")) return sort_raw(algorithm, of);
  if (of.arrangement == "whole number beside 0.5")
    return verdict_on(run_on_file(algorithm, "0.5\n" + of.extreme + "\n", {}, ".txt"),
                      [](std::string const&) { return false; });
  if (of.arrangement == "unsigned")
    return has_columns ? sort_rows<std::uint64_t>(algorithm, of)
                       : sort_lines<std::uint64_t>(algorithm, of);
  if (is_whole(of.extreme))
    return has_columns ? sort_rows<std::int64_t>(algorithm, of)
                       : sort_lines<std::int64_t>(algorithm, of);
  return has_columns ? sort_rows<double>(algorithm, of) : sort_lines<double>(algorithm, of);
}

void add_whole_types(std::vector<extreme_case>& table, char const* expected) {
  for (auto const* const type : {"int32", "uint32", "int64", "uint64"})
    for (auto const* const extreme : {"least", "largest", "half"}) {
      bool const is_zero = type[0] == 'u' && extreme == std::string("least");
      table.push_back({type, extreme, "among others", is_zero ? exact : expected});
    }
}

std::vector<extreme_case> cases_of_numbers() {
  std::vector<extreme_case> table;
  add_whole_types(table, exact);
  for (auto const* const type : {"float32", "float64", "text", "column"}) {
    for (auto const* const extreme : {"least", "largest", "near largest", "large root", "denormal",
                                      "negative zero", "infinity"})
      table.push_back({type, extreme, "among others", exact});
    table.push_back({type, "nan", "among others", refused});
  }
  for (auto const* const type : {"text", "column"})
    table.push_back({type, "half", "among others", exact});
  for (auto const* const number : {"9007199254740993", "-9007199254740993", "18446744073709551617"})
    table.push_back({"text", number, "whole number beside 0.5", refused});
  return table;
}

std::vector<extreme_case> cases_of_whole_numbers(char const* expected) {
  std::vector<extreme_case> table;
  add_whole_types(table, expected);
  for (auto const* const type : {"text of whole numbers", "column of whole numbers"})
    table.insert(table.end(), {{type, "least", "among others", expected},
                               {type, "largest", "among others", expected},
                               {type, "half", "among others", expected},
                               {type, "largest", "unsigned", expected}});
  return table;
}

}  // namespace

file_family sorts_of_files() {
  std::vector<std::string> names;  // of sorts and merges of any numbers
  for (auto const& one : lockstep::experiments()) {
    bool const is_of_whole_numbers = one.name == "radix-sort" || one.name == "counting-sort";
    bool const is_of_keys = one.name.ends_with("-sort") || one.name.ends_with("merge");
    if (one.takes_files && is_of_keys && !is_of_whole_numbers) names.push_back(one.name);
  }
  return {"sorts", names, cases_of_numbers(), sort_one};
}

file_family sorts_of_whole_numbers() {
  return {"sorts of whole numbers", {"radix-sort"}, cases_of_whole_numbers(exact), sort_one};
}

file_family sorts_of_digits() {
  return {"sorts of digits", {"counting-sort"}, cases_of_whole_numbers(refused), sort_one};
}
