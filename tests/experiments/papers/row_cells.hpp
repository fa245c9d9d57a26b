#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/experiments/papers.hpp>

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
