#pragma once

#include <optional>
#include <vector>

#include <lockstep/algorithms/papers.hpp>

/// Tables with a cell of each verdict but `wrong`, on networks of 64 processors.
inline std::vector<lockstep::paper_table> sample_tables(int most_processors = 64) {
  if (most_processors < 64) return {{"Table 1, sample", {}}, {"Table 2, sample", {}}};
  using lockstep::compared_cell;
  lockstep::erratum const known{8, "the paper counts too few"};
  lockstep::paper_row const measured{"torus:4x4x4",
                                     "proposed",
                                     {compared_cell("startups", "n(N1/4 + 1)", 6, 6, std::nullopt),
                                      compared_cell("rearranged", "(n + 1)Am", 256, 384, known)},
                                     true};
  lockstep::paper_row const claimed{"torus:8x8",
                                    "[13]",
                                    {{.figure = "startups", .formula = "3d - 3", .claimed = 6},
                                     {.figure = "rearranged",
                                      .formula = "none",
                                      .verdict = lockstep::cell_verdict::explained,
                                      .explanation = lockstep::erratum{13, "for d >= 3 only"}}}};
  return {{"Table 1, sample", {measured}}, {"Table 2, sample", {claimed, measured}}};
}

/// The same, with a value that is not what was measured, and ought to be.
inline std::vector<lockstep::paper_table> wrong_tables(int most_processors = 64) {
  auto tables = sample_tables(most_processors);
  tables[0].rows[0].cells[0] =
      lockstep::compared_cell("startups", "n(N1/4 + 1)", 6, 7, std::nullopt);
  return tables;
}

/// The same, with a wrong result.
inline std::vector<lockstep::paper_table> incorrect_tables(int most_processors = 64) {
  auto tables = sample_tables(most_processors);
  tables[1].rows[1].correct = false;
  return tables;
}
