#include "figure_4.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <tuple>

#include "catch.hpp"
#include "data_array.hpp"
#include "index.hpp"
#include "simulation.hpp"

// Fig. 4 (g) to (k) beside the arrays that 3.1.3 makes.

using namespace as_printed;
using lockstep::textbook::partner_at_distance_1;
using lockstep::textbook::partner_at_distance_2;

namespace {

network const torus_12x12{{12, 12}, true};
constexpr std::size_t size = 144;
constexpr std::size_t quarter = size / 4;
using cells = std::vector<std::string>;

/// "8A01": from P(8,10) to P(0,1).
std::string cell(block const& one) {
  std::string digits;
  for (int const rank : {one.source, one.destination})
    for (int const coordinate : torus_12x12.at(rank)) digits += "0123456789AB"[coordinate];
  return digits;
}

/// The cells in the order of memory, column after column.
cells in_memory(std::string_view figure) {
  cells column_by_column;
  for (std::size_t i = 0; i < size; ++i)
    column_by_column.emplace_back(figure.substr(5 * (12 * (i % 12) + i / 12), 4));
  return column_by_column;
}
cells in_memory(block_list const& array) {
  cells all;
  for (auto const& one : array) all.push_back(cell(one));
  return all;
}

cells sorted_quarter(cells const& all, std::size_t q) {
  auto const first = all.begin() + static_cast<std::ptrdiff_t>(q * quarter);
  cells part(first, first + quarter);
  std::ranges::sort(part);
  return part;
}

/// What node x sends in a step of Phase 3 or 4.
along sent_by(node const& x, int phase, int step) {
  return phase == 3 ? partner_at_distance_2(x, step) : partner_at_distance_1(x, step);
}

/// Whether a block has to leave x in that step.
bool leaves(node const& x, int phase, int step, block const& one) {
  auto const sent = sent_by(x, phase, step);
  int const side = std::abs(sent.offset);
  auto const d = index(sent.dimension);
  return x[d] / side != torus_12x12.at(one.destination)[d] / side;
}

/// 3.1.3: rearrangement before Phase 3 or 4 into B0, B1, B3, B2 (N0, N1, N3, N2); in each by
/// destination, column by column, then by the source's distance in Phase 1, then in Phase 2.
void rearrange(node const& x, int phase, block_list& array) {
  auto const place = [&](block const& one) {
    std::array<int, 4> const order{0, 1, 3, 2};
    auto const bits = (leaves(x, phase, 1, one) ? 1U : 0U) | (leaves(x, phase, 2, one) ? 2U : 0U);
    auto const from = torus_12x12.at(one.source);
    auto const to = torus_12x12.at(one.destination);
    auto const steps_from = [&](int ring) {
      auto const [dimension, offset] = lockstep::textbook::ring_in_2d(x, ring);
      auto const d = index(dimension);
      return (offset / 4 * (x[d] / 4 - from[d] / 4) + 3) % 3;
    };
    return std::tuple(order[bits], to[1], to[0], steps_from(1), steps_from(2));
  };
  std::ranges::stable_sort(array, {}, place);
}

places from_to(std::size_t first, std::size_t last) {
  places all(last - first);
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// All nodes' arrays after some steps of Phase 3 or 4, rearranged before: Step 1 sends the middle
/// half, Step 2 the last.
std::vector<block_list> after(std::vector<block_list> const& arrays, int phase, int steps) {
  return run_arrays(torus_12x12,
                    [&](node const& x) {
                      array_program program{arrays[index(torus_12x12.rank_of(x))], {}};
                      rearrange(x, phase, program.initial);
                      for (int step = 1; step <= steps; ++step) {
                        auto const [dimension, offset] = sent_by(x, phase, step);
                        auto const half =
                            step == 1 ? from_to(quarter, 3 * quarter) : from_to(size / 2, size);
                        program.steps.push_back({phase, dimension, offset, offset, half});
                      }
                      return program;
                    })
      .results();
}

std::vector<block_list> after_phase_2() {
  auto rings_only = rules_of(torus_12x12);
  rings_only.distance_2 = nullptr;
  rings_only.distance_1 = nullptr;
  return as_printed::run(torus_12x12, rings_only).results();
}

int equal_cells(cells const& a, cells const& b) {
  int equal = 0;
  for (std::size_t i = 0; i < size; ++i) equal += a[i] == b[i] ? 1 : 0;
  return equal;
}

/// The cell of the block from the source two rows further down.
std::string two_rows_down(std::string cell) {
  std::string_view const digits = "0123456789AB";
  cell[0] = digits[(digits.find(cell[0]) + 2) % 12];
  return cell;
}

/// Whether each quarter of `made` has the blocks of the figure's quarters in this order.
bool same_quarters(cells const& made, cells const& printed, std::array<std::size_t, 4> order) {
  for (std::size_t q = 0; q < 4; ++q)
    if (sorted_quarter(made, q) != sorted_quarter(printed, order[q])) return false;
  return true;
}

}  // namespace

TEST_CASE("erratum 11: Fig. 4 (g) is right cell by cell", "[errata]") {
  auto const made = in_memory(after(after_phase_2(), 3, 1)[0]);
  CHECK(equal_cells(made, in_memory(figure_4::g)) == 144);
}

TEST_CASE("erratum 11: Fig. 4 (h) has the two last quarters interchanged", "[errata]") {
  auto const made = in_memory(after(after_phase_2(), 3, 2)[0]);
  auto const printed = in_memory(figure_4::h);
  CHECK(equal_cells(made, printed) == 72);
  CHECK_FALSE(same_quarters(made, printed, {0, 1, 2, 3}));
  CHECK(same_quarters(made, printed, {0, 1, 3, 2}));
  // What P(2,0) sent is printed as what P(0,0) has, two rows further down.
  for (std::size_t i = 0; i < size / 2; ++i) {
    INFO(printed[i] << ' ' << printed[size / 2 + i]);
    CHECK(two_rows_down(printed[i]) == printed[size / 2 + i]);
  }
}

TEST_CASE("erratum 11: Fig. 4 (i), (j), (k) have the right blocks in other places", "[errata]") {
  auto const before = after(after_phase_2(), 3, 2);
  auto const i = in_memory(after(before, 4, 0)[0]);
  auto const j = in_memory(after(before, 4, 1)[0]);
  auto const k = in_memory(after(before, 4, 2)[0]);
  auto const printed_i = in_memory(figure_4::i);
  auto const printed_j = in_memory(figure_4::j);
  auto const printed_k = in_memory(figure_4::k);
  CHECK(same_quarters(i, printed_i, {0, 1, 2, 3}));
  CHECK(same_quarters(j, printed_j, {0, 1, 2, 3}));
  CHECK(same_quarters(k, printed_k, {0, 1, 3, 2}));
  CHECK(i != printed_i);
  CHECK(j != printed_j);
}

TEST_CASE("erratum 11: Fig. 4 (i) is (h) as printed, sorted by destination", "[errata]") {
  auto sorted = in_memory(figure_4::h);
  std::ranges::stable_sort(sorted, {}, [](std::string const& cell) {
    return std::string_view("00 01 11 10").find(cell.substr(2));
  });
  CHECK(sorted == in_memory(figure_4::i));
}
