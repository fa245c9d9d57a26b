#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/parameter.hpp>

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

/// Makes the parameters "format" and "keys" of a sort that takes such keys.
[[nodiscard]] std::vector<parameter> parameters_of_files(keys_taken taken);

/// What a request says of the types of keys.
struct asked_types {
  std::optional<key_type> of_files;  ///< their format; nothing for a text
  std::optional<key_type> of_keys;   ///< by "keys", or by "format" unless that is text
};

/// Reads the types. Errors: invalid_argument where format and keys say different ones.
[[nodiscard]] asked_types types_from(arguments const& given, keys_taken taken);

/// Reads the keys of the input file, or generates n of that distribution. `require_memory(n)` is
/// called before any are generated.
/// Errors: bad_input, also for a NaN, which no sort by comparisons can place; those of `types_from`
/// and `require_memory`.
[[nodiscard]] key_vector keys_from(arguments const& given, keys_taken taken,
                                   key_distribution distribution,
                                   std::function<void(std::uint64_t)> const& require_memory);

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
/// `more_each`: bytes that a processor holds besides its keys. `needs`: what is held, and the
/// remedy.
/// Errors: invalid_argument for 2^32 keys or more; out_of_memory, with the figures.
void require_memory_to_sort(arguments const& given, std::uint64_t keys, std::uint64_t more_each,
                            machine_needs needs);

}  // namespace lockstep
