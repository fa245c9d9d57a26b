#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lockstep/experiments/papers.hpp>

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

/// A table of bounds for one algorithm and several instances, one of which breaks.
inline std::vector<lockstep::paper_table> bounded_tables(int /*most_processors*/ = 64) {
  auto const cell = [](std::uint64_t k) {
    return lockstep::paper_cell{.figure = "steps",
                                .formula = "2k + 1",
                                .claimed = 2 * k + 1,
                                .measured = 3 * k,
                                .verdict = lockstep::cell_verdict::equal,
                                .instance = k == 1 ? "k = 1" : "k = 4",
                                .bound = lockstep::comparison::at_most,
                                .exact = 3 * k,
                                .exact_formula = "3k"};
  };
  auto broken = cell(4);
  broken.verdict = lockstep::cell_verdict::refuted;
  broken.explanation = lockstep::erratum{1, "three words"};
  broken.broken_at =
      lockstep::breach{.step = 10, .processor = 5, .from = 4, .busiest = 6, .most_words = 12};
  return {{"k of them", {{"torus:4x4x4", "proposed", {cell(1), broken}, true}}}};
}

/// Times of a machine, beside what counts make of them; one that there are no counts for.
inline std::vector<lockstep::paper_table> timed_tables(int /*most_processors*/ = 64) {
  lockstep::paper_cell const priced{.figure = "seconds",
                                    .formula = "tau start-ups + sigma words",
                                    .verdict = lockstep::cell_verdict::explained,
                                    .explanation = lockstep::erratum{0, "priced by a model"},
                                    .instance = "n = 1M",
                                    .printed = 0.153,
                                    .priced = 0.1724};
  auto not_run = priced;
  not_run.instance = "n = 2M";
  not_run.verdict = lockstep::cell_verdict::not_run;
  not_run.explanation.reset();
  not_run.priced.reset();
  return {{"Seconds", {{"h = n/p", "two-phase", {priced, not_run}}}, "input"}};
}
