#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "files/csv_table.hpp"
#include "harness/arguments.hpp"
#include "harness/harness.hpp"
#include "sorting/key_file.hpp"
#include "sorting/sort_element.hpp"

namespace lockstep {

inline constexpr integer_parameter number_of_keys{
    "n", "keys that are generated where there is no input file", 65'536, 0, std::int64_t{1} << 40U,
    true};
inline constexpr choice_parameter distribution_of_keys{
    "distribution", "R (random), S (small entropy), C (cyclic) or N (NAS benchmark)",
    std::array{named_choice{"R", key_distribution::random},
               named_choice{"S", key_distribution::small_entropy},
               named_choice{"C", key_distribution::cyclic},
               named_choice{"N", key_distribution::nas}},
    true};

/// Makes the parameter k of elements that are generated; those of a file tell theirs.
[[nodiscard]] constexpr integer_parameter elements_of_each(std::string_view help) {
  auto k = instances(help);
  k.of_generated_input = true;
  return k;
}

/// Makes the parameters "format", "keys" and "column" of a sort that takes such keys.
[[nodiscard]] std::vector<parameter> parameters_of_files(keys_taken taken);

/// Whether whole rows of a CSV file are to be sorted; rows of equal keys stay in order.
[[nodiscard]] bool sorts_rows(arguments const& given);

/// The types of keys that a request names.
struct asked_types {
  std::optional<key_type> of_files;  ///< their format; nothing for a text
  std::optional<key_type> of_keys;   ///< by "keys", or by "format" unless that is text
};

/// Reads the types.
/// Errors: invalid_argument where format and keys say different ones, or for a column of a format
/// that has none.
[[nodiscard]] asked_types types_from(arguments const& given, keys_taken taken);

/// Makes small keys of others, in the same order, and equal ones of equal ones: from 10 to 99 if no
/// more than 90 differ, else of as many digits more as that takes. More than 900 million stay as
/// they are.
[[nodiscard]] std::vector<std::int32_t> small_keys(std::vector<std::int32_t> keys);

/// The keys that a request asks to sort, and the table whose rows they are in, if it asks for rows.
/// Of several processes each holds those of its own processors, at least.
struct sort_input {
  key_vector keys;
  std::optional<csv_table> table;
  std::size_t first = 0;      ///< the number of the first that is held
  std::size_t elsewhere = 0;  ///< keys that other processes hold

  /// The number of all keys.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] key_type type() const { return static_cast<key_type>(keys.index()); }
  /// The element of a key that is held.
  [[nodiscard]] sort_element element(std::size_t number) const;
  /// The elements of a block that is held.
  [[nodiscard]] std::vector<sort_element> elements(value_block block) const;
};

/// The needs of a run that sorts that many keys: what each processor holds of them.
using needs_of_keys = std::function<machine_needs(std::uint64_t keys)>;

/// Computes the bytes of a processor's even block. `bytes_of_a_key`: of four bytes in the input.
[[nodiscard]] double bytes_of_block(arguments const& given, std::uint64_t keys,
                                    std::uint64_t bytes_of_a_key);

/// Requires few enough keys to be numbered, and memory to sort them and to check the result.
/// Errors: invalid_argument for more than 2^40 keys; out_of_memory, with the figures.
void require_memory_to_sort(arguments const& given, std::uint64_t keys, needs_of_keys const& needs);

/// Reads the keys of the input file, or of a column of it, or generates n in the distribution that is
/// asked for, and requires memory to sort them, before any are generated. Where several processes run the
/// machine, and write no file of them, each generates those of its own processors.
/// Errors: bad_input, also for a NaN, which no sort by comparisons can place; invalid_argument for a
/// column without a file; those of `types_from` and `require_memory_to_sort`.
[[nodiscard]] sort_input keys_from(arguments const& given, keys_taken taken, std::uint64_t n,
                                   needs_of_keys const& needs);

/// Requires an input file where whole rows are to be sorted.
/// Errors: invalid_argument.
void require_file_of_rows(arguments const& given);

/// Says where a key stands in the input file, with "is" where a message goes on: "keys.txt:7:", "keys.bin:
/// its key 7 is". `before`: how many keys stand before it.
[[nodiscard]] std::string place_of_key(arguments const& given, keys_taken taken,
                                       std::optional<csv_table> const& table, std::size_t before);

}  // namespace lockstep
