#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/registry.hpp>

#include "entries.hpp"
#include "exchange/made_blocks.hpp"
#include "matrix_file.hpp"

namespace lockstep {

namespace {

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

[[nodiscard]] outcome finish(request const& asked, outcome result, std::uint64_t words) {
  return with_claims(std::move(result), asked, all_to_all_claims(*asked.network, words), words);
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
  return finish(asked, {.record = std::move(run), .correct = correct}, count * count);
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
  auto const exchange = [](processor& me, std::vector<std::uint64_t> blocks) {
    return all_to_all(me, std::move(blocks));
  };
  return finish(asked, exchange_made_blocks(asked, strict_machine(asked), 2, exchange),
                words_asked_for(asked));
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
