#include "papers/bader_helman_jaja/transposes.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/run.hpp>

#include "papers/bader_helman_jaja/formulas.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

/// An h-relation of n = 4p^2 elements, as many of each processor. p divides n/p and h.
struct routed_input {
  int processors = 4;
  std::int64_t c = 1;  ///< h = c n/p
  std::string pattern = "ramp";

  [[nodiscard]] std::int64_t n() const { return std::int64_t{4} * processors * processors; }
  [[nodiscard]] std::int64_t h() const { return c * n() / processors; }
  [[nodiscard]] std::string text() const {
    return fmt::format("p = {}, n = {}, h = {}n/p, {}", processors, n(),
                       c == 1 ? "" : fmt::format("{}", c), pattern);
  }
};

/// Lists inputs: h = n/p, 2n/p and 4n/p, by slopes and spread, and all for one processor, h = n.
[[nodiscard]] std::vector<routed_input> inputs_of_transposes(int p) {
  std::vector<routed_input> inputs;
  for (std::int64_t const c : {1, 2, 4})
    for (auto const* const pattern : {"ramp", "general"})
      if (c < p) inputs.push_back({p, c, pattern});
  inputs.push_back({p, p, "all-to-one"});
  return inputs;
}

[[nodiscard]] experiment_result routed(routed_input const& of, std::string const& blocks) {
  return measured_algorithm(
      "h-relation", crossbar_of(of.processors),
      {{"n", of.n()}, {"h", of.h()}, {"pattern", of.pattern}, {"blocks", blocks}});
}

[[nodiscard]] claimed_cells cells_of(routed_input const& of) {
  return claimed_cells({{"p", of.processors},
                        {"n", static_cast<double>(of.n())},
                        {"h", static_cast<double>(of.h())}});
}

/// Finds a phase. Errors: broken_invariant if there is none of that name.
[[nodiscard]] phase_record const& phase_called(run_record const& run, std::string_view name) {
  for (auto const& phase : run.phases())
    if (phase.name == name) return phase;
  throw own_mistake(fmt::format("a run without the phase {}", name));
}

/// Claims the exact largest bin of Step 4: less than Eq. 5 where few elements come, or a source has few.
[[nodiscard]] claim largest_of_step_4(routed_input const& of) {
  return {.figure = "bin2",
          .formula = "largest that h elements can make, at most n/p of each source",
          .value = static_cast<double>(
              exact_largest_bin(static_cast<std::uint64_t>(of.h()),
                                static_cast<std::uint64_t>(of.n() / of.processors), of.processors)),
          .bound = comparison::at_most};
}

/// `blocks`: "text", as section 3 has them, or "real".
[[nodiscard]] paper_row row_of_transposes(routed_input const& of, std::string const& blocks) {
  auto const result = routed(of, blocks);
  auto const& step_2 = phase_called(result.record, "route 1");
  auto const& step_4 = phase_called(result.record, "route 2");
  auto cells = cells_of(of);
  cells.at_most("start-ups, step 2", "1", step_2.startups)
      .at_most("words, step 2", of_section_3::words_of_step_2, step_2.words)
      .at_most("bin1", of_section_3::bin_of_step_2, counted(result, "bin1"))
      .at_most("start-ups, step 4", "1", step_4.startups)
      .at_most("words, step 4", of_section_3::words_of_step_4, step_4.words)
      .at_most("bin2", of_section_3::bin_of_step_4, counted(result, "bin2"))
      .add(largest_of_step_4(of), counted(result, "bin2"))
      .ours();
  return {of.text(), blocks == "text" ? "blocks of section 3" : "blocks of real size",
          cells.cells(), result.correct};
}

/// Makes the row of Appendix B's blocks, whose words are ours: it states sizes.
[[nodiscard]] paper_row row_of_appendix(routed_input const& of) {
  auto const result = routed(of, "appendix");
  auto cells = cells_of(of);
  cells
      .equal("words, step 4 of B", "(n/p^2 + p/2 + 1)(p - 1)",
             phase_called(result.record, "route 1").words)
      .ours()
      .equal("words, step 8 of B", of_section_3::words_of_step_4,
             phase_called(result.record, "route 2").words)
      .ours();
  return {of.text(), "blksz1, blksz2", cells.cells(), result.correct};
}

}  // namespace

paper_table transposes_table(std::span<int const> processors) {
  paper_table table{
      "Section 3: T_comm of Steps 2 and 4, and bins, for h = n/p and more", {}, "input"};
  for (int const p : processors)
    for (auto const& input : inputs_of_transposes(p))
      for (auto const* const blocks : {"text", "real"})
        table.rows.push_back(row_of_transposes(input, blocks));
  return table;
}

paper_table appendix_b_table(std::span<int const> processors) {
  paper_table table{"Appendix B: blocks of blksz1 and blksz2, p even", {}, "input"};
  for (int const p : processors)
    for (auto const& input : inputs_of_transposes(p)) table.rows.push_back(row_of_appendix(input));
  return table;
}

}  // namespace lockstep
