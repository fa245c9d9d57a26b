#include "sorting/sort_input.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "harness/process_parts.hpp"
#include "sorting/key_collector.hpp"
#include "sorting/key_column.hpp"

namespace lockstep {

namespace {

using optional_type = named_choice<std::optional<key_type>>;

/// Lists the types of whole numbers under their names, and what there is instead of one.
[[nodiscard]] constexpr auto whole_types_or(char const* other) {
  return std::array{optional_type{other, {}}, optional_type{"int32", key_type::int32},
                    optional_type{"uint32", key_type::uint32},
                    optional_type{"int64", key_type::int64},
                    optional_type{"uint64", key_type::uint64}};
}

/// Lists those of all numbers.
[[nodiscard]] constexpr auto number_types_or(char const* other) {
  return std::array{optional_type{other, {}},
                    optional_type{"int32", key_type::int32},
                    optional_type{"uint32", key_type::uint32},
                    optional_type{"int64", key_type::int64},
                    optional_type{"uint64", key_type::uint64},
                    optional_type{"float32", key_type::float32},
                    optional_type{"float64", key_type::float64}};
}

constexpr text_parameter column_of_keys{"column",
                                        "column of keys in the input file, which is CSV then: "
                                        "whole rows are sorted, and those of equal "
                                        "keys stay in order"};
constexpr choice_parameter format_of_whole{
    "format",
    "of the files: text (a whole number in each line), or int32, uint32, int64 or uint64, "
    "little-endian",
    whole_types_or("text")};
constexpr choice_parameter type_of_whole{
    "keys",
    "their type in a text: auto (the first of int32, int64 and uint64 that has room for all), "
    "int32, uint32, int64 or uint64",
    whole_types_or("auto")};
constexpr choice_parameter format_of_numbers{
    "format",
    "of the files: text (a number in each line), or int32, uint32, int64, uint64, float32 or "
    "float64, little-endian",
    number_types_or("text")};
constexpr choice_parameter type_of_numbers{
    "keys",
    "their type in a text: auto (the first of int32, int64 and uint64 that has room for all, or "
    "float64 where not all are whole), int32, uint32, int64, uint64, float32 or float64",
    number_types_or("auto")};

/// Errors: bad_input, which names the first NaN of keys that are not in a text.
template <class Key>
void require_ordered(std::vector<Key> const& keys, std::string const& file) {
  if constexpr (std::floating_point<Key>) {
    auto const nan = std::ranges::find_if(keys, [](Key key) { return std::isnan(key); });
    if (nan == keys.end()) return;
    throw bad_input(
        fmt::format("{}: its key {}, NaN, {}", file, nan - keys.begin() + 1, why_not_nan));
  }
}

/// Reads the keys of the input file.
/// Errors: those of `keys_from`.
[[nodiscard]] sort_input keys_of_file(std::filesystem::path const& file, std::string const& column,
                                      asked_types const& types, keys_taken taken) {
  if (!column.empty()) {
    auto found = read_key_column(file, column, types.of_keys, taken);
    return {std::move(found.keys), std::move(found.table)};
  }
  auto keys = read_keys(file, types.of_files, types.of_keys, available_memory, taken);
  if (types.of_files)
    std::visit([&](auto const& all) { require_ordered(all, file.string()); }, keys);
  return {std::move(keys), std::nullopt};
}

}  // namespace

std::vector<std::int32_t> small_keys(std::vector<std::int32_t> keys) {
  auto different = keys;
  std::ranges::sort(different);
  different.erase(std::ranges::unique(different).begin(), different.end());
  constexpr std::uint64_t largest = std::numeric_limits<std::int32_t>::max();
  std::uint64_t least = 10;
  while (9 * least < different.size()) least *= 10;
  if (10 * least > largest) return keys;
  for (auto& key : keys) {
    auto const place = std::ranges::lower_bound(different, key) - different.begin();
    key = static_cast<std::int32_t>(least + static_cast<std::uint64_t>(place) * 9 * least /
                                                different.size());
  }
  return keys;
}

std::size_t sort_input::size() const {
  return elsewhere + std::visit([](auto const& held) { return held.size(); }, keys);
}

sort_element sort_input::element(std::size_t number) const {
  return std::visit([&](auto const& held) { return element_of(held[number - first], number); },
                    keys);
}

std::vector<sort_element> sort_input::elements(value_block block) const {
  return std::visit(
      [&]<class Key>(std::vector<Key> const& held) {
        return elements_of(std::span<Key const>(held).subspan(block.first - first, block.count),
                           block.first);
      },
      keys);
}

std::vector<parameter> parameters_of_files(keys_taken taken) {
  if (taken == keys_taken::whole_numbers) return {format_of_whole, type_of_whole, column_of_keys};
  return {format_of_numbers, type_of_numbers, column_of_keys};
}

bool sorts_rows(arguments const& given) { return !given[column_of_keys].empty(); }

void require_file_of_rows(arguments const& given) {
  if (sorts_rows(given) && !given.request().input)
    throw invalid_argument("--column needs --input FILE");
}

std::string place_of_key(arguments const& given, keys_taken taken,
                         std::optional<csv_table> const& table, std::size_t before) {
  auto const file = given.request().input->string();
  if (types_from(given, taken).of_files) return fmt::format("{}: its key {} is", file, before + 1);
  return fmt::format("{}:{}:", file, table ? table->line_of(before) : before + 1);
}

asked_types types_from(arguments const& given, keys_taken taken) {
  bool const whole = taken == keys_taken::whole_numbers;
  auto const format = whole ? given[format_of_whole] : given[format_of_numbers];
  auto const type = whole ? given[type_of_whole] : given[type_of_numbers];
  if (format && type && type != format)
    throw invalid_argument(
        fmt::format("format {} has no keys of type {}; leave out --keys, which is for text",
                    name_of(*format), name_of(*type)));
  if (format && sorts_rows(given))
    throw invalid_argument(
        fmt::format("files of format {} have no columns; leave out --column, which is for CSV",
                    name_of(*format)));
  return {format, format ? format : type};
}

namespace {

/// Whether keys may have eight bytes: those of a file may have any type.
[[nodiscard]] bool may_be_wide(arguments const& given) {
  if (given.request().input) return true;
  auto const found = given.request().parameters.find("keys");
  if (found == given.request().parameters.end()) return false;
  auto const* const type = std::get_if<std::string>(&found->second);
  return type != nullptr && type->ends_with("64");
}

}  // namespace

double bytes_of_block(arguments const& given, std::uint64_t keys, std::uint64_t bytes_of_a_key) {
  constexpr std::uint64_t more_of_a_wide_key = sizeof(std::uint64_t) - sizeof(std::uint32_t);
  auto const most = keys / static_cast<std::uint64_t>(given.processors()) + 1;
  return static_cast<double>(most *
                             (bytes_of_a_key + (may_be_wide(given) ? more_of_a_wide_key : 0)));
}

namespace {

/// Whether a process has no need of others' keys: they are in no file, and none depends on all.
[[nodiscard]] bool holds_own_keys(arguments const& given) {
  auto const& asked = given.request();
  return asked.options.cluster != nullptr && !asked.input && !asked.output &&
         !takes_small_values(given);
}

/// Computes the bytes of the keys of others that a process has, and those of the results that process 0 writes, packed as
/// they come and one by one.
[[nodiscard]] std::uint64_t bytes_of_others_keys(arguments const& given, std::uint64_t keys) {
  auto const* const processes = given.request().options.cluster;
  if (processes == nullptr || holds_own_keys(given)) return 0;
  bool const writes = given.request().output && processes->process() == 0;
  return keys * (sizeof(std::uint64_t) + (writes ? 2 * sizeof(sort_element) : 0));
}

}  // namespace

void require_memory_to_sort(arguments const& given, std::uint64_t keys,
                            needs_of_keys const& needs) {
  if (keys > static_cast<std::uint64_t>(number_of_keys.most))
    throw invalid_argument(fmt::format("{} keys are more than can be numbered; take at most {}",
                                       keys, number_of_keys.most));
  auto all = needs(keys);
  all.of_process += bytes_of_others_keys(given, keys);
  require_memory(given, all);
}

sort_input keys_from(arguments const& given, keys_taken taken, std::uint64_t n,
                     needs_of_keys const& needs) {
  auto const types = types_from(given, taken);
  if (auto const& file = given.request().input) {
    auto read = keys_of_file(*file, given[column_of_keys], types, taken);
    require_memory_to_sort(given, read.size(), needs);
    return read;
  }
  require_file_of_rows(given);
  require_memory_to_sort(given, n, needs);
  auto const held = holds_own_keys(given) ? own_values(given, n) : value_block{0, n};
  auto keys = generated_keys(given[distribution_of_keys], n, given.processors(), held);
  if (takes_small_values(given)) keys = small_keys(std::move(keys));
  return {.keys = with_key_type(types.of_keys.value_or(key_type::int32),
                                [&]<class Key>(Key /*of_type*/) -> key_vector {
                                  return std::vector<Key>(keys.begin(), keys.end());
                                }),
          .table = std::nullopt,
          .first = held.first,
          .elsewhere = n - held.count};
}

}  // namespace lockstep
