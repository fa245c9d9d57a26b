#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/claim_list.hpp>

#include "harness/stages.hpp"
#include "papers/jaja_ryu/computations.hpp"
#include "papers/jaja_ryu/probabilities.hpp"
#include "routing/supposed_sizes.hpp"

namespace lockstep {

namespace {

constexpr std::uint64_t runs_of_study = 1000;
constexpr std::uint64_t seed_of_study = 1;

/// A bound on a probability, and how the paper writes it.
struct chance {
  std::string formula;
  double value = 0;
};

/// The hypotheses of the lemmas.
using hypotheses = std::vector<hypothesis>;

/// Sets the drawings in which something happened beside those in which it may.
[[nodiscard]] paper_cell cell_of(std::string figure, chance const& at_most, std::uint64_t happened,
                                 hypotheses where) {
  auto const allowed = static_cast<double>(runs_of_study) * std::min(1.0, at_most.value);
  claim claimed{.figure = std::move(figure),
                .formula = fmt::format("{} min(1, {})", runs_of_study, at_most.formula),
                .value = std::floor(allowed),
                .bound = comparison::at_most};
  claimed.where = std::move(where);
  auto cell = judged_cell(claimed, happened);
  if (at_most.value >= 1 && cell.verdict() == claim_verdict::holds)
    cell.judged = {claim_verdict::decides_nothing,
                   "a bound of 1 or more on a probability says nothing"};
  return cell;
}

/// Makes a cell with a count about which nothing is claimed.
[[nodiscard]] paper_cell counted_cell(std::string figure, std::uint64_t happened) {
  return {
      .figure = std::move(figure),
      .formula = "n^-beta of all",
      .measured = happened,
      .judged = {
          claim_verdict::decides_nothing,
          "slots of either step: 1 - n^-beta for some positive constant beta is meant, and which, "
          "the paper leaves open"}};
}

/// Lists the hypotheses of Theorem 3.4. Its roots, which our text has lost, are read as its estimates suggest: with
/// n/p^2 > 6 ln n and p < sqrt n these are below n^-beta for just these c.
[[nodiscard]] hypotheses supposed_of_slots(slot_setting const& of, char const* room) {
  claim_list const letters({{{"p", of.processors},
                             {"n", static_cast<double>(of.elements)},
                             {"c", of.c},
                             {"alpha", of.alpha}}});
  return {letters.hypothesis_of(detail::room_with_high_probability), letters.hypothesis_of(room)};
}

/// The proofs of Lemmas 3.4 and 3.5 sum Chernoff's bounds up over all slots.
[[nodiscard]] paper_row row_of(slot_setting const& of) {
  begin_run(fmt::format("drawing slots of {} processors", of.processors), runs_of_study);
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
               found.in_step_1, supposed_of_slots(of, detail::room_in_slots_of_step_1)),
       cell_of("Lemma 3.5, overflows", {"p e^(-(c/alpha - 1)^2 alpha n/(3p^2))", p * step_3},
               found.in_step_3, supposed_of_slots(of, detail::room_in_slots_of_step_3)),
       cell_of("p^2 slots, overflows", {"p^2 e^(-(c/alpha - 1)^2 alpha n/(3p^2))", p * p * step_3},
               found.in_step_3, {}),
       counted_cell("either", found.in_either)}};
  row.cells[2].is_ours = true;
  return row;
}

[[nodiscard]] hypotheses supposed_by_buckets(bucket_setting const& of) {
  claim_list const letters({{{"p", of.processors}, {"n", static_cast<double>(of.elements)}}});
  return {letters.hypothesis_of(detail::room_with_high_probability)};
}

[[nodiscard]] paper_row row_of(bucket_setting const& of) {
  begin_run(fmt::format("drawing buckets of {} processors", of.processors), runs_of_study);
  auto const found = measured_buckets(of.processors, of.elements, runs_of_study, seed_of_study);
  auto const n = static_cast<double>(of.elements);
  auto const input = fmt::format("p = {}, n = {}", of.processors, of.elements);
  auto cell =
      cell_of("Lemma 5.1, more than 2n/p", {"n e^(-(1 - 1/2)^2 5 ln n)", std::pow(n, -0.25)},
              found.beyond, supposed_by_buckets(of));
  cell.explanation = {
      0, fmt::format("{}: the largest bucket has {:.2f} n/p on average, and {:.2f} n/p at most",
                     input, found.mean, found.largest)};
  return {input, "sample-sort, alpha = 2", {std::move(cell)}};
}

}  // namespace

std::vector<paper_table> probability_tables(int most_processors) {
  auto const title = [](char const* what) {
    return fmt::format("{}, in {} drawings with seeds from {} on", what, runs_of_study,
                       seed_of_study);
  };
  paper_table slots{
      title("Lemmas 3.4 and 3.5: slots of ceil(c n/p^2) elements that overflow, with at most alpha "
            "n/p elements for a processor"),
      {},
      "input",
      "drawn"};
  for (auto const& of : slot_settings())
    if (of.processors <= most_processors) slots.rows.push_back(row_of(of));
  paper_table buckets{
      title("Lemma 5.1 for alpha = 2: buckets of sample sort"), {}, "input", "drawn"};
  for (auto const& of : bucket_settings())
    if (of.processors <= most_processors) buckets.rows.push_back(row_of(of));
  return {std::move(slots), std::move(buckets)};
}

}  // namespace lockstep
