#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// A rule that makes the sizes of blocks.
enum class size_rule : std::uint8_t { random, even, rising, first };

inline constexpr integer_parameter mean_size{
    "words", "words of a block, on average, of sizes that are made", 4, 0, 2'147'483'647, true,
    true};
inline constexpr choice_parameter rule_of_sizes{
    "sizes",
    "random (0 to twice the words, drawn by the seed), even, rising (from 0 to twice the words, by "
    "the rank that has or gets the block) or first (processor 0 has all, p times the words)",
    std::array{named_choice{"random", size_rule::random}, named_choice{"even", size_rule::even},
               named_choice{"rising", size_rule::rising}, named_choice{"first", size_rule::first}},
    true};
inline constexpr text_parameter column_of_sizes{
    "column",
    "column of sizes in the input file (CSV), a row for each block; needed if it has several"};

/// The sizes of the blocks of a run.
struct block_sizes {
  std::vector<std::size_t> list;
  std::uint64_t all = 0;  ///< words of all blocks together
  std::uint64_t longest = 0;
};

/// Makes the sizes of `blocks` blocks, p or p*p, or reads them from the request's input file.
/// Errors: bad_input for a file that cannot be read, another number of rows, and sizes that are
/// negative, no whole numbers, or more than 2^31 - 1; invalid_argument for a column of no file.
[[nodiscard]] block_sizes sizes_from(arguments const& given, std::size_t blocks);

/// Writes them as a column of a file that `sizes_from` reads.
void write_sizes(std::ostream& out, block_sizes const& sizes);

}  // namespace lockstep
