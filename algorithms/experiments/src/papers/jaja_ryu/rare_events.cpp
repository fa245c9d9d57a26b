#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "papers/jaja_ryu/computations.hpp"
#include "papers/jaja_ryu/errata.hpp"
#include "papers/jaja_ryu/probabilities.hpp"

namespace lockstep {

namespace {

constexpr std::uint64_t runs_of_study = 1000;
constexpr std::uint64_t seed_of_study = 1;

/// A bound on a probability, and how the paper writes it.
struct chance {
  std::string formula;
  double value = 0;
};

/// Sets the runs in which something happened beside those in which it may: `holds`, unless there
/// are more.
[[nodiscard]] paper_cell cell_of(std::string figure, chance const& at_most,
                                 std::uint64_t happened) {
  auto const allowed = static_cast<std::uint64_t>(
      std::floor(static_cast<double>(runs_of_study) * std::min(1.0, at_most.value)));
  paper_cell cell{.figure = std::move(figure),
                  .formula = fmt::format("{} min(1, {})", runs_of_study, at_most.formula),
                  .claimed = allowed,
                  .measured = happened,
                  .verdict = happened < allowed    ? cell_verdict::holds
                             : happened == allowed ? cell_verdict::equal
                                                   : cell_verdict::wrong};
  cell.bound = comparison::at_most;
  if (at_most.value < 1) return cell;
  cell.verdict = cell_verdict::explained;
  cell.explanation = erratum{0, "a bound of 1 or more on a probability says nothing"};
  return cell;
}

/// What was counted, and nothing is claimed of.
[[nodiscard]] paper_cell counted_cell(std::string figure, std::uint64_t happened) {
  return {.figure = std::move(figure),
          .formula = "rare, with high probability",
          .measured = happened,
          .verdict = cell_verdict::explained,
          .explanation = erratum{0, "slots of either step, in how many of 1000 runs"}};
}

/// The proofs of Lemmas 3.4 and 3.5 sum Chernoff's bounds up over all slots.
[[nodiscard]] paper_row row_of(slot_setting const& of) {
  auto const found = count_overflows(of, runs_of_study, seed_of_study);
  double const p = of.processors;
  double const alpha = of.alpha;
  auto const share = static_cast<double>(of.elements) / (3 * p * p);
  auto const step_1 = std::exp(-(of.c - 1) * (of.c - 1) * share);
  auto const step_3 = std::exp(-(of.c / alpha - 1) * (of.c / alpha - 1) * alpha * share);
  paper_row row{
      fmt::format("p = {}, n = {}", of.processors, of.elements),
      fmt::format("alpha = {}, c = {}", of.alpha, of.c),
      {cell_of("Lemma 3.4, overflows", {"p^2 e^(-(c - 1)^2 n/(3p^2))", p * p * step_1},
               found.in_step_1),
       cell_of("Lemma 3.5, overflows", {"p e^(-(c/alpha - 1)^2 alpha n/(3p^2))", p * step_3},
               found.in_step_3),
       cell_of("Lemma 3.5, mended", {"p^2 e^(-(c/alpha - 1)^2 alpha n/(3p^2))", p * p * step_3},
               found.in_step_3),
       counted_cell("either", found.in_either)}};
  auto& printed = row.cells[1];
  if (printed.verdict == cell_verdict::wrong) {
    printed.verdict = cell_verdict::explained;
    printed.explanation = slots_have_destinations();
  }
  return row;
}

[[nodiscard]] paper_row row_of(bucket_setting const& of) {
  auto const found = measured_buckets(of.processors, of.elements, runs_of_study, seed_of_study);
  auto const n = static_cast<double>(of.elements);
  return {fmt::format("p = {}, n = {}", of.processors, of.elements),
          fmt::format("largest bucket {:.2f} n/p, {:.2f} n/p at most", found.mean, found.largest),
          {cell_of("Lemma 5.1, more than 2n/p", {"n e^(-(1 - 1/2)^2 5 ln n)", std::pow(n, -0.25)},
                   found.beyond)}};
}

}  // namespace

std::vector<paper_table> probability_tables(int most_processors) {
  auto const title = [](char const* what) {
    return fmt::format("{}, in {} runs with seeds from {} on", what, runs_of_study, seed_of_study);
  };
  paper_table slots{title("Lemmas 3.4 and 3.5: slots that overflow"), {}, "input"};
  for (auto const& of : slot_settings())
    if (of.processors <= most_processors) slots.rows.push_back(row_of(of));
  paper_table buckets{title("Lemma 5.1: buckets of sample sort"), {}, "input"};
  for (auto const& of : bucket_settings())
    if (of.processors <= most_processors) buckets.rows.push_back(row_of(of));
  return {std::move(slots), std::move(buckets)};
}

}  // namespace lockstep
