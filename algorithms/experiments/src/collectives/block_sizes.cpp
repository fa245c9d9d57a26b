#include "collectives/block_sizes.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/experiment.hpp>

#include "files/csv_file.hpp"

namespace lockstep {

namespace {

using size_list = std::vector<std::size_t>;

/// Reads a size for each block. Errors: bad_input.
[[nodiscard]] size_list read_sizes(arguments const& given, std::size_t blocks) {
  auto const file = given.request().input->string();
  auto const column = read_csv_column(file, given[column_of_sizes]);
  auto const* const numbers = std::get_if<std::vector<std::int64_t>>(&column.values);
  if (numbers == nullptr)
    throw bad_input(fmt::format("{}: column {} has a decimal, and sizes are whole numbers of words",
                                file, column.name));
  if (numbers->size() != blocks)
    throw bad_input(
        fmt::format("{} has {} sizes, and on {} there are {} blocks: give a row for "
                    "each",
                    file, numbers->size(), given.network().spec(), blocks));
  size_list sizes;
  sizes.reserve(blocks);
  for (auto const size : *numbers) {
    if (size < 0 || size > mean_size.most)
      throw bad_input(fmt::format("{}: row {} has a size of {}; give 0 to {} words", file,
                                  sizes.size() + 1, size, mean_size.most));
    sizes.push_back(static_cast<std::size_t>(size));
  }
  return sizes;
}

/// Makes sizes. Block i belongs to processor i; of p*p, block i*p + j goes from processor i to j.
[[nodiscard]] size_list made_sizes(arguments const& given, std::size_t blocks) {
  auto const mean = given[mean_size];
  auto const rule = given[rule_of_sizes];
  auto const p = static_cast<std::size_t>(given.processors());
  std::mt19937_64 random(given.seed());
  size_list sizes(blocks, mean);
  for (std::size_t block = 0; block < blocks; ++block) {
    auto& size = sizes[block];
    if (rule == size_rule::random) size = random() % (2 * mean + 1);
    if (rule == size_rule::rising && p > 1) size = 2 * mean * (block % p) / (p - 1);
    if (rule == size_rule::first) size = block < blocks / p ? p * mean : 0;
  }
  return sizes;
}

}  // namespace

block_sizes sizes_from(arguments const& given, std::size_t blocks) {
  bool const has_file = given.request().input.has_value();
  if (!has_file && !given[column_of_sizes].empty())
    throw invalid_argument("--column needs --input FILE");
  block_sizes made{.list = has_file ? read_sizes(given, blocks) : made_sizes(given, blocks)};
  for (auto const size : made.list) made.all += size;
  made.longest = std::ranges::max(made.list);
  return made;
}

void write_sizes(std::ostream& out, block_sizes const& sizes) {
  std::vector<std::int64_t> const column(sizes.list.begin(), sizes.list.end());
  write_csv<std::int64_t>(out, std::array{written_column<std::int64_t>{"words", column}});
}

}  // namespace lockstep
