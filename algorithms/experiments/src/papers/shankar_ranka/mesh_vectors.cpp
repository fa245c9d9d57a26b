#include "papers/shankar_ranka/mesh_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/mesh.hpp>

#include "harness/stages.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/order_trend.hpp"

namespace lockstep {

namespace {

/// A collective on vectors of p words, and why it takes more than the paper says, if it does.
struct vector_program {
  std::string algorithm;
  std::string scheme;
  std::string why_more_startups{};
  std::string why_more_words{};
};

constexpr char const* in_parts = "in parts along lines";

/// Lists the programs whose constants are looked at: each keeps one half of section 8's claim.
[[nodiscard]] std::vector<vector_program> programs_on_meshes() {
  std::string const whole = "each level of the trees has whole vectors";
  return {{"all-reduce", "bucket", "parts go from neighbour to neighbour along a line", ""},
          {"all-reduce", "binomial", "", whole},
          {"scan", in_parts, "parts go from neighbour to neighbour along a line", ""},
          {"scan", "binomial", "", whole}};
}

[[nodiscard]] growth_order startups_of_section_8() {
  return {"log2 p", [](double p) { return std::log2(p); }};
}
[[nodiscard]] growth_order words_of_section_8() {
  return {"p", [](double p) { return p; }};
}

/// Makes the cell of one size, which decides no order.
[[nodiscard]] paper_cell cell_of_size(std::string figure, growth_order const& order, int p,
                                      std::uint64_t measured) {
  return judged_cell({.figure = std::move(figure),
                      .formula = order.formula,
                      .value = order.value(p),
                      .bound = comparison::order},
                     measured);
}

using line_words = std::vector<std::int64_t>;

/// Makes the cell of the most messages on a link in a step: with one no message that cuts through
/// waits.
[[nodiscard]] paper_cell contention_cell(std::uint64_t measured) {
  auto cell = judged_cell(
      {.figure = "contention", .formula = "1", .value = 1, .bound = comparison::at_most}, measured);
  cell.is_ours = true;
  return cell;
}

/// The way of a pipeline along a line: ranks of its neighbours, -1 at the ends.
struct pipeline_way {
  int from = -1;
  int to = -1;
};

/// Passes vectors along a line, part by part: each processor sends on `passed(begin, part)`.
/// Result: the vector received, of zeros at the beginning of the line.
template <class Passed>
[[nodiscard]] line_words received_in_parts(processor& me, pipeline_way const& way,
                                           std::size_t words, std::size_t part,
                                           Passed const& passed) {
  line_words received(words);
  for (std::size_t begin = 0; begin < words; begin += part) {
    line_words piece(part);
    if (way.from >= 0) piece = me.receive<std::int64_t>(way.from, part);
    std::ranges::copy(piece, received.begin() + static_cast<std::ptrdiff_t>(begin));
    if (way.to >= 0) me.send(way.to, passed(begin, piece));
  }
  return received;
}

/// Adds a part of a vector to a piece.
[[nodiscard]] line_words sum_of_parts(line_words piece, line_words const& more, std::size_t begin) {
  for (std::size_t i = 0; i < piece.size(); ++i) piece[i] += more[begin + i];
  return piece;
}

/// Scans vectors of side^2 words exclusively, in the order of ranks, on a square mesh: prefixes
/// along rows, then of the rows' sums down the last column, and these back along rows; in parts of
/// side words.
[[nodiscard]] line_words scanned_along_lines(processor& me, int side, line_words const& mine) {
  auto const part = static_cast<std::size_t>(side);
  int const column = me.rank() % side;
  bool const is_last = column == side - 1;
  auto const left = column == 0 ? -1 : me.rank() - 1;
  auto const right = is_last ? -1 : me.rank() + 1;
  auto const above = me.rank() < side ? -1 : me.rank() - side;
  auto const below = me.rank() + side < me.size() ? me.rank() + side : -1;
  me.phase("rows");
  auto before = received_in_parts(
      me, {left, right}, mine.size(), part,
      [&](std::size_t begin, line_words const& piece) { return sum_of_parts(piece, mine, begin); });
  me.phase("last column");
  line_words of_rows(mine.size());
  if (is_last) {
    auto const whole_row = sum_of_parts(before, mine, 0);
    of_rows = received_in_parts(me, {above, below}, mine.size(), part,
                                [&](std::size_t begin, line_words const& piece) {
                                  return sum_of_parts(piece, whole_row, begin);
                                });
  }
  me.phase("back along rows");
  auto const received = received_in_parts(
      me, {right, left}, mine.size(), part, [&](std::size_t begin, line_words const& piece) {
        return is_last ? sum_of_parts(piece, of_rows, begin) : piece;
      });
  return sum_of_parts(std::move(before), is_last ? of_rows : received, 0);
}

/// The counts of a scan on a square mesh, and whether it is right.
struct line_scan {
  counts counted{};
  bool is_correct = true;
};

/// Runs the scan along lines, and compares it with sums in turn.
[[nodiscard]] line_scan measured_line_scan(int side) {
  auto const words = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  auto const vector_of = [&](int rank) {
    line_words mine(words);
    for (std::size_t i = 0; i < words; ++i)
      mine[i] = (rank + 1) * (static_cast<std::int64_t>(i) % 7 + rank % 5);
    return mine;
  };
  machine const on(mesh{{side, side}}, {.strict = true});
  begin_run("scanning along the lines of " + on.topology().spec());
  auto const run =
      on.run([&](processor& me) { return scanned_along_lines(me, side, vector_of(me.rank())); });
  line_scan made{run.counts()};
  line_words sum(words);
  for (int rank = 0; rank < side * side; ++rank) {
    made.is_correct = made.is_correct && run.results()[static_cast<std::size_t>(rank)] == sum;
    sum = sum_of_parts(std::move(sum), vector_of(rank), 0);
  }
  return made;
}

/// Runs one of the programs.
[[nodiscard]] line_scan measured_program(vector_program const& of, int side) {
  if (of.scheme == in_parts) return measured_line_scan(side);
  auto const result =
      measured_algorithm(of.algorithm, fmt::format("mesh:{0}x{0}", side),
                         {{"words", std::int64_t{1} * side * side}, {"scheme", of.scheme}});
  return {result.record.counts(), result.correct};
}

/// Adds the runs of a program on meshes of 16 to 256 processors, and how they grow.
void add_program(paper_table& table, vector_program const& of, int most_processors) {
  order_trend startups(startups_of_section_8());
  order_trend words(words_of_section_8());
  auto const name = fmt::format("{}, {}", of.algorithm, of.scheme);
  int largest = 0;
  std::uint64_t most_contention = 0;
  for (int side = 4; side <= 16 && side * side <= most_processors; side *= 2) {
    int const p = side * side;
    auto const [counted, is_correct] = measured_program(of, side);
    table.rows.push_back({fmt::format("mesh:{0}x{0}", side),
                          name,
                          {cell_of_size("startups", startups.order(), p, counted.startups),
                           cell_of_size("words", words.order(), p, counted.words),
                           contention_cell(counted.contention)},
                          is_correct});
    most_contention = std::max(most_contention, counted.contention);
    startups.add(p, static_cast<double>(counted.startups));
    words.add(p, static_cast<double>(counted.words));
    largest = side;
  }
  if (largest > 0)
    table.rows.push_back({fmt::format("mesh:4x4 to {0}x{0}", largest),
                          name,
                          {startups.cell("startups", name + ", start-ups", of.why_more_startups),
                           words.cell("words", name + ", words", of.why_more_words),
                           contention_cell(most_contention)}});
}

}  // namespace

paper_table mesh_vectors(int most_processors) {
  paper_table table{"Section 8: vectors of p words on square meshes with cut-through routing", {}};
  for (auto const& program : programs_on_meshes()) add_program(table, program, most_processors);
  return table;
}

}  // namespace lockstep
