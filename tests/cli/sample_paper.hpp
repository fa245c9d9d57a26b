#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/experiments/papers.hpp>

/// A cell of an equality.
inline lockstep::paper_cell equality(std::string figure, std::string formula, std::uint64_t claimed,
                                     std::uint64_t measured, lockstep::erratum const& known = {}) {
  return lockstep::judged_cell({.figure = std::move(figure),
                                .formula = std::move(formula),
                                .value = claimed,
                                .erratum = known.text},
                               measured, known.number);
}

/// Tables without a wrong cell, on networks of 64 processors.
inline std::vector<lockstep::paper_table> sample_tables(int most_processors = 64) {
  if (most_processors < 64) return {{"Table 1, sample", {}}, {"Table 2, sample", {}}};
  lockstep::erratum const known{8, "the paper counts too few"};
  lockstep::paper_row const measured{"torus:4x4x4",
                                     "proposed",
                                     {equality("startups", "n(N1/4 + 1)", 6, 6),
                                      equality("rearranged", "(n + 1)Am", 256, 384, known)},
                                     true};
  lockstep::paper_row const claimed{"torus:8x8",
                                    "[13]",
                                    {{.figure = "startups", .formula = "3d - 3", .claimed = 6},
                                     {.figure = "rearranged", .formula = "none"}}};
  std::vector<lockstep::paper_table> tables{{"Table 1, sample", {measured}},
                                            {"Table 2, sample", {claimed, measured}}};
  auto& formulas = tables[1].rows[0].cells;
  formulas[0].judged.reason = "a rival's formulas";
  formulas[1].judged = {lockstep::claim_verdict::outside_the_claim, "made for d >= 3"};
  formulas[1].where = {{"d >= 3", false}};
  return tables;
}

/// The same, with a value that is not what was measured, and ought to be.
inline std::vector<lockstep::paper_table> wrong_tables(int most_processors = 64) {
  auto tables = sample_tables(most_processors);
  tables[0].rows[0].cells[0] = equality("startups", "n(N1/4 + 1)", 6, 7);
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
    lockstep::claim claimed{.figure = "steps",
                            .formula = "2k + 1",
                            .value = 2 * k + 1,
                            .bound = lockstep::comparison::at_most};
    claimed.evidence = "three words";
    auto made = lockstep::judged_cell(claimed, 3 * k, 1);
    made.instance = k == 1 ? "k = 1" : "k = 4";
    made.exact = 3 * k;
    made.exact_formula = "3k";
    if (k > 1) made.least = 2 * k + 2;
    return made;
  };
  auto broken = cell(4);
  broken.broken_at =
      lockstep::breach{.step = 10, .processor = 5, .from = 4, .busiest = 6, .most_words = 12};
  return {{"k of them", {{"torus:4x4x4", "proposed", {cell(1), broken}, true}}}};
}

/// Times of a machine, beside what counts make of them; one that there are no counts for.
inline std::vector<lockstep::paper_table> timed_tables(int /*most_processors*/ = 64) {
  lockstep::paper_cell const priced{.figure = "seconds",
                                    .formula = "tau start-ups + sigma words",
                                    .judged = {lockstep::claim_verdict::decides_nothing, {}},
                                    .explanation = lockstep::erratum{0, "priced by a model"},
                                    .instance = "n = 1M",
                                    .printed = 0.153,
                                    .priced = 0.1724};
  auto not_run = priced;
  not_run.instance = "n = 2M";
  not_run.judged = {};
  not_run.explanation.reset();
  not_run.priced.reset();
  return {{"Seconds", {{"h = n/p", "two-phase", {priced, not_run}}}, "input"}};
}
