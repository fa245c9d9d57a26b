#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/experiments/papers.hpp>

#include "catch.hpp"

/// Finds the row of an input and an algorithm.
inline lockstep::paper_row const& row_in(lockstep::paper_table const& table,
                                         std::string const& input, std::string const& algorithm) {
  auto const found = std::ranges::find_if(table.rows, [&](lockstep::paper_row const& row) {
    return row.network == input && row.algorithm == algorithm;
  });
  REQUIRE(found != table.rows.end());
  return *found;
}

inline lockstep::paper_cell const& cell_in(lockstep::paper_row const& row,
                                           std::string const& figure) {
  auto const found = std::ranges::find(row.cells, figure, &lockstep::paper_cell::figure);
  REQUIRE(found != row.cells.end());
  return *found;
}

inline std::vector<std::uint64_t> measured_in(lockstep::paper_row const& row) {
  std::vector<std::uint64_t> measured;
  measured.reserve(row.cells.size());
  for (auto const& cell : row.cells) measured.push_back(cell.measured.value());
  return measured;
}

inline std::vector<lockstep::claim_verdict> verdicts_of(lockstep::paper_row const& row) {
  std::vector<lockstep::claim_verdict> verdicts;
  verdicts.reserve(row.cells.size());
  for (auto const& cell : row.cells) verdicts.push_back(cell.verdict());
  return verdicts;
}

/// Checks orders of growth, each of which holds. `rows`: their number.
inline void check_growths(lockstep::paper_table const& growths, std::size_t rows) {
  CHECK(lockstep::all_right(std::vector{growths}));
  REQUIRE(growths.rows.size() == rows);
  for (auto const& row : growths.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector{lockstep::claim_verdict::holds});
  }
}
