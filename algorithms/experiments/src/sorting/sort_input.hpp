#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "files/csv_table.hpp"
#include "harness/arguments.hpp"
#include "harness/harness.hpp"
#include "sorting/key_file.hpp"

namespace lockstep {

inline constexpr integer_parameter number_of_keys{
    "n",
    "keys that are generated where there is no input file",
    65'536,
    0,
    std::numeric_limits<std::uint32_t>::max(),
    true};
inline constexpr choice_parameter distribution_of_keys{
    "distribution", "R (random), S (small entropy), C (cyclic) or N (NAS benchmark)",
    std::array{named_choice{"R", key_distribution::random},
               named_choice{"S", key_distribution::small_entropy},
               named_choice{"C", key_distribution::cyclic},
               named_choice{"N", key_distribution::nas}},
    true};

/// Makes the parameters "format", "keys" and "column" of a sort that takes such keys.
[[nodiscard]] std::vector<parameter> parameters_of_files(keys_taken taken);

/// Whether whole rows of a CSV file are to be sorted, those of equal keys staying in order.
[[nodiscard]] bool sorts_rows(arguments const& given);

/// The types of keys in a request.
struct asked_types {
  std::optional<key_type> of_files;  ///< their format; nothing for a text
  std::optional<key_type> of_keys;   ///< by "keys", or by "format" unless that is text
};

/// Reads the types.
/// Errors: invalid_argument where format and keys say different ones, or for a column of a format
/// that has none.
[[nodiscard]] asked_types types_from(arguments const& given, keys_taken taken);

/// The keys that a request asks to sort, and the table whose rows they are in, if it asks for rows.
struct sort_input {
  key_vector keys;
  std::optional<csv_table> table;

  /// The table, or nullptr.
  [[nodiscard]] csv_table const* rows() const { return table ? &*table : nullptr; }
};

/// Reads the keys of the input file, or of a column of it, or generates n of that distribution.
/// `require_memory(n)` is called before any are generated.
/// Errors: bad_input, also for a NaN, which no sort by comparisons can place; invalid_argument for a
/// column without a file; those of `types_from` and `require_memory`.
[[nodiscard]] sort_input keys_from(arguments const& given, keys_taken taken,
                                   key_distribution distribution,
                                   std::function<void(std::uint64_t)> const& require_memory);

/// Keys of one type, and the table whose rows they are in, or nullptr.
template <class Key>
struct keys_in_rows {
  std::span<Key const> keys;
  csv_table const* table = nullptr;
};

/// Calls `call(keys_in_rows)` with the keys of a request.
template <class Call>
auto with_typed_keys(sort_input const& input, Call const& call) {
  return std::visit(
      [&]<class Key>(std::vector<Key> const& all) {
        return call(keys_in_rows<Key>{all, input.rows()});
      },
      input.keys);
}

/// Calls `call(keys)` with keys that are whole numbers.
/// Errors: invalid_argument for others.
template <class Keys, class Call>
auto with_whole_numbers(Keys& keys, Call const& call) {
  using result = std::invoke_result_t<Call const&, decltype(std::get<0>(keys))>;
  return std::visit(
      [&](auto& all) -> result {
        using key = typename std::remove_cvref_t<decltype(all)>::value_type;
        if constexpr (std::integral<key>)
          return call(all);
        else
          throw invalid_argument(
              "keys that are not whole numbers have no digits to sort by; take column-sort");
      },
      keys);
}

/// Requires few enough keys to be numbered, and memory to sort them and to check the result.
/// `more_each`: bytes that a processor holds besides its keys. `needs`: the memory held, and the
/// remedy.
/// Errors: invalid_argument for 2^32 keys or more; out_of_memory, with the figures.
void require_memory_to_sort(arguments const& given, std::uint64_t keys,
                            std::uint64_t bytes_of_a_key, std::uint64_t more_each,
                            machine_needs needs);

}  // namespace lockstep
