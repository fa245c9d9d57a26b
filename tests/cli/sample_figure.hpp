#pragma once

#include <span>
#include <string>

#include <lockstep/experiments/papers.hpp>

/// A figure of one network in two readings: a cross-over in the picture, one beside it, one always,
/// one never.
inline lockstep::paper_figure sample_figure() {
  lockstep::figure_panel panel{
      .name = "torus:16x16",
      .reading = "cube",
      .curves = {{"proposed", "measured counts", {{1, 120.5}, {2, 121}, {4, 122}}},
                 {"[13]", "formulas", {{1, 110}, {2, 121}, {4, 143}}}},
      .cross_overs = {{"[13]", lockstep::figure_point{2, 121}},
                      {"[16]", lockstep::figure_point{0.5, 120.25}}}};
  auto other = panel;
  other.reading = "side";
  other.cross_overs = {{"[19]", lockstep::figure_point{0, 120}}, {"[0]", {}}};
  return {.name = "sample-1",
          .title = "It's a figure",
          .note = "how d is read",
          .basis = "Proposed: counts measured with blocks of one word.",
          .marks = "circles: block sizes",
          .time = "completion time",
          .x = {.quantity = "block size m", .unit = "bytes", .column = "block_bytes"},
          .panels = {panel, other}};
}

inline lockstep::paper_figure draw_sample(std::span<int const> sides) {
  auto figure = sample_figure();
  figure.note += ", up to " + std::to_string(sides.back());
  return figure;
}
