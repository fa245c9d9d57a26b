#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/registry.hpp>

#include "entries.hpp"
#include "matrix_file.hpp"
#include "parameters.hpp"

namespace lockstep {

namespace {

constexpr std::int64_t most_words = 2'147'483'647;  // in a block

void check_network(topology const& network) {
  if (auto const reason = exchange_pattern::why_not(network); !reason.empty())
    throw invalid_argument("all-to-all: " + reason);
}

/// Without buffers, and without two messages on a link: this is what the algorithm claims.
[[nodiscard]] machine strict_machine(request const& asked) {
  auto options = asked.options;
  options.strict = true;
  return machine(asked.network, options);
}

[[nodiscard]] outcome finish(request const& asked, run_record record, bool correct,
                             std::uint64_t words) {
  outcome result{.record = std::move(record), .correct = correct};
  result.claims = all_to_all_claims(*asked.network, words);
  if (asked.options.packet != 1)
    for (auto& claimed : result.claims)
      if (claimed.figure == "words" || claimed.figure == "volume")
        claimed.erratum = "messages are rounded up to whole packets";
  result.parameters = asked.parameters;
  result.parameters["words"] = static_cast<std::int64_t>(words);
  return result;
}

/// Word number `index` of the block from `source` to `destination`: any function that tells blocks,
/// words and seeds apart (the mixing of SplitMix64).
[[nodiscard]] std::uint64_t made_word(std::uint64_t seed, int source, int destination,
                                      std::uint64_t index) {
  auto mixed = seed;
  for (auto const part :
       {static_cast<std::uint64_t>(source), static_cast<std::uint64_t>(destination), index}) {
    mixed += part + 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    mixed ^= mixed >> 31U;
  }
  return mixed;
}

/// Exchanges made-up blocks.
[[nodiscard]] outcome exchange_made_blocks(request const& asked) {
  auto const words = static_cast<std::uint64_t>(whole_number(asked, "words", 1, 1, most_words));
  auto const seed = static_cast<std::uint64_t>(whole_number(asked, "seed", 1, 0));
  int const processors = asked.network->size();

  auto run = strict_machine(asked).run(
      [&](processor& me) {
        std::vector<std::uint64_t> blocks;
        blocks.reserve(static_cast<std::size_t>(processors) * words);
        for (int destination = 0; destination < processors; ++destination)
          for (std::uint64_t index = 0; index < words; ++index)
            blocks.push_back(made_word(seed, me.rank(), destination, index));
        return all_to_all(me, std::move(blocks));
      },
      asked.observers);

  bool correct = true;
  for (int destination = 0; destination < processors; ++destination) {
    auto next = run.results()[static_cast<std::size_t>(destination)].begin();
    for (int source = 0; source < processors; ++source)
      for (std::uint64_t index = 0; index < words; ++index)
        correct = correct && *next++ == made_word(seed, source, destination, index);
  }
  return finish(asked, std::move(run), correct, words);
}

/// The rows that one processor holds, of a matrix and then of its transpose: `count` of them.
struct rows {
  std::size_t first;
  std::size_t count;
};

/// Every processor cuts its rows into blocks, one for each processor's columns.
template <class Number>
[[nodiscard]] std::vector<Number> blocks_of(square_matrix<Number> const& whole, rows const& mine) {
  std::vector<Number> blocks;
  blocks.reserve(mine.count * whole.size);
  for (std::size_t column = 0; column < whole.size; column += mine.count)
    for (std::size_t row = mine.first; row < mine.first + mine.count; ++row)
      for (std::size_t inside = 0; inside < mine.count; ++inside)
        blocks.push_back(whole.at(row, column + inside));
  return blocks;
}

/// From the blocks that came in it lays together its rows of the transpose.
template <class Number>
[[nodiscard]] std::vector<Number> rows_of_transpose(std::vector<Number> const& blocks,
                                                    rows const& mine) {
  std::vector<Number> transposed;
  transposed.reserve(blocks.size());
  for (std::size_t column = 0; column < mine.count; ++column)
    for (std::size_t row = 0; row < blocks.size() / mine.count; ++row)
      transposed.push_back(blocks[row * mine.count + column]);
  return transposed;
}

template <class Number>
[[nodiscard]] bool is_transpose(square_matrix<Number> const& one,
                                square_matrix<Number> const& other) {
  for (std::size_t row = 0; row < one.size; ++row)
    for (std::size_t column = 0; column < one.size; ++column)
      if (one.at(row, column) != other.at(column, row)) return false;
  return true;
}

/// Transposes a matrix of which every processor has n/p rows.
template <class Number>
[[nodiscard]] outcome transpose(request const& asked, square_matrix<Number> const& input) {
  auto const processors = static_cast<std::size_t>(asked.network->size());
  auto const count = input.size / processors;
  auto run = strict_machine(asked).run(
      [&](processor& me) {
        rows const mine{static_cast<std::size_t>(me.rank()) * count, count};
        return rows_of_transpose(all_to_all(me, blocks_of(input, mine)), mine);
      },
      asked.observers);

  square_matrix<Number> transposed{input.size, {}};
  transposed.entries.reserve(input.entries.size());
  for (auto const& part : run.results())
    transposed.entries.insert(transposed.entries.end(), part.begin(), part.end());
  bool const correct = is_transpose(input, transposed);
  if (asked.output && correct) write_matrix(*asked.output, transposed);
  return finish(asked, std::move(run), correct, count * count);
}

[[nodiscard]] outcome transpose_file(request const& asked) {
  auto const input = read_matrix(*asked.input);
  auto const size = std::visit([](auto const& of) { return of.size; }, input);
  auto const processors = static_cast<std::size_t>(asked.network->size());
  if (size % processors != 0) {
    auto const below = size / processors * processors;
    auto const above = below + processors;
    auto const smaller = below == 0 ? std::string() : fmt::format("{0} x {0} or ", below);
    throw bad_input(
        fmt::format("{}: {} x {} numbers cannot be dealt out evenly to the {} processors of {}; "
                    "{}{} x {} could",
                    asked.input->string(), size, size, processors, asked.network->spec(), smaller,
                    above, above));
  }
  return std::visit([&](auto const& of) { return transpose(asked, of); }, input);
}

[[nodiscard]] outcome run_all_to_all(request const& asked) {
  check_network(*asked.network);
  if (asked.input) return transpose_file(asked);
  if (asked.output)
    throw invalid_argument(
        "all-to-all: there is nothing to write to the output file; give an input file with a "
        "matrix to transpose, too");
  return exchange_made_blocks(asked);
}

}  // namespace

algorithm all_to_all_entry() {
  return {
      .name = "all-to-all",
      .summary =
          "complete exchange: every processor has a block for every other; with an input "
          "file, transposes its n x n matrix",
      .topologies = "torus (multiples of 4), mesh (even), of 2 to 8 dimensions",
      .source =
          "Suh and Shin, All-to-All Personalized Communication in Multidimensional Torus and "
          "Mesh Networks, 2001",
      .example = "torus:12x12",
      .parameters = {{"words", "words in a block (with an input file: (n/p)^2)", std::int64_t{1}}},
      .takes_files = true,
      .run = run_all_to_all,
  };
}

}  // namespace lockstep
