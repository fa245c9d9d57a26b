#include "papers/suh_shin/figures.hpp"

#include <array>
#include <bit>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/affine_cost.hpp>
#include <lockstep/algorithms/exchange/exchange_rivals.hpp>
#include <lockstep/errors.hpp>

#include "exchange/grid_shape.hpp"
#include "papers/entries.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/measured_exchange.hpp"

namespace lockstep {

namespace {

/// An algorithm's counts for blocks of one word, and where they are from.
struct priced_algorithm {
  std::string name;
  std::string basis;
  counts of_one_word;
};

[[nodiscard]] int dimension_of(int side) {
  auto const unsigned_side = static_cast<unsigned>(side);
  if (side < 8 || !std::has_single_bit(unsigned_side))
    throw invalid_argument(
        fmt::format("{} is not a side of a network that the figures show; give a "
                    "power of two from 8 on",
                    side));
  return std::countr_zero(unsigned_side);
}

[[nodiscard]] grid_shape network_of(suh_shin_figure const& of, int side) {
  return {{side, side}, of.wraps};
}

/// The proposed exchange, and what the paper's figure compares it with.
[[nodiscard]] std::vector<priced_algorithm> algorithms_on(suh_shin_figure const& of, int side) {
  int const d = dimension_of(side);
  auto const network = network_of(of, side).spec();
  auto const measured = measured_exchange(network);
  if (!measured.correct) throw wrong_result("the complete exchange on " + network);
  std::vector<priced_algorithm> priced{{"proposed", "measured counts", measured.record.counts()}};
  for (auto const* const name : {"[13]", of.wraps ? "[19]" : "[16]"})
    priced.push_back({name, "formulas", claimed_costs(exchange_rival_of(name, of.wraps), d, 1)});
  return priced;
}

/// Bytes of the blocks: 1, 2, 3, 4, 6, 8, 12, ... 1024.
[[nodiscard]] std::vector<double> block_sizes() {
  std::vector<double> sizes{1};
  for (int bytes = 2; bytes <= 1024; bytes *= 2) {
    sizes.push_back(bytes);
    if (bytes < 1024) sizes.push_back(bytes * 1.5);
  }
  return sizes;
}

[[nodiscard]] figure_curve curve_of(priced_algorithm const& one, affine_cost const& line) {
  figure_curve curve{one.name, one.basis, {}};
  for (double const bytes : block_sizes()) curve.points.push_back({bytes, line.at(bytes)});
  return curve;
}

[[nodiscard]] figure_cross_over cross_over_of(std::string const& rival, affine_cost const& ours,
                                              affine_cost const& theirs) {
  figure_cross_over found{rival, std::nullopt};
  if (auto const bytes = break_even_block_size(ours, theirs)) found.at = {*bytes, ours.at(*bytes)};
  return found;
}

/// `barrier_processors`: the number whose logarithm is the d of t_b.
[[nodiscard]] figure_panel panel_of(std::string const& network, std::string const& reading,
                                    std::vector<priced_algorithm> const& priced,
                                    suh_shin_model const& machine, int barrier_processors) {
  figure_panel panel{network, reading, {}, {}};
  auto const ours = line_of(priced.front().of_one_word, machine, barrier_processors);
  for (auto const& one : priced) {
    auto const line = line_of(one.of_one_word, machine, barrier_processors);
    panel.curves.push_back(curve_of(one, line));
    if (&one != &priced.front()) panel.cross_overs.push_back(cross_over_of(one.name, ours, line));
  }
  return panel;
}

[[nodiscard]] figure_entry entry_of(suh_shin_figure const& of, std::vector<int> sides,
                                    paper_figure (*draw)(std::span<int const>)) {
  return {.name = fmt::format("suh-shin-{}", of.number),
          .summary = fmt::format("completion time over block size on {}, t_s = {} us",
                                 of.wraps ? "tori" : "meshes", of.machine.startup_us),
          .sizes = std::move(sides),
          .draw = draw};
}

}  // namespace

suh_shin_figure suh_shin_figure_13() { return {13, true, paragon()}; }
suh_shin_figure suh_shin_figure_14() { return {14, false, paragon()}; }
suh_shin_figure suh_shin_figure_15() { return {15, true, paragon_slow_startup()}; }
suh_shin_figure suh_shin_figure_16() { return {16, false, paragon_slow_startup()}; }

paper_figure completion_times(suh_shin_figure const& of, std::span<int const> sides) {
  paper_figure figure{
      .name = fmt::format("suh-shin-{}", of.number),
      .title = fmt::format("Complete exchange on {} of an Intel Paragon, t_s = {} us "
                           "(Suh and Shin 2001, Fig. {})",
                           of.wraps ? "tori" : "meshes", of.machine.startup_us, of.number),
      .note =
          "d in t_b = 126 d - 113 us: log2 of the number of processors (cube), or of a side "
          "(side)",
      .basis =
          "Proposed: counts measured with blocks of one word; words and rearranged words grow "
          "with the block.",
      .marks = "circles: block size from which the proposed exchange is faster",
      .time = "completion time",
      .x = {.quantity = "block size m", .unit = "bytes", .column = "block_bytes"},
      .panels = {}};
  std::vector<figure_panel> by_side;
  for (int const side : sides) {
    auto const network = network_of(of, side).spec();
    auto const priced = algorithms_on(of, side);
    figure.panels.push_back(panel_of(network, "cube", priced, of.machine, side * side));
    by_side.push_back(panel_of(network, "side", priced, of.machine, side));
  }
  figure.panels.insert(figure.panels.end(), by_side.begin(), by_side.end());
  return figure;
}

std::array<figure_entry, 4> suh_shin_figure_entries() {
  using sides = std::span<int const>;
  return {
      entry_of(suh_shin_figure_13(), {16, 32, 64, 128},
               [](sides of) { return completion_times(suh_shin_figure_13(), of); }),
      entry_of(suh_shin_figure_14(), {16, 32, 64, 128},
               [](sides of) { return completion_times(suh_shin_figure_14(), of); }),
      entry_of(suh_shin_figure_15(), {16, 64},
               [](sides of) { return completion_times(suh_shin_figure_15(), of); }),
      entry_of(suh_shin_figure_16(), {16, 64},
               [](sides of) { return completion_times(suh_shin_figure_16(), of); }),
  };
}

}  // namespace lockstep
