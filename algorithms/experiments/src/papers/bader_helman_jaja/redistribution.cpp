#include "papers/bader_helman_jaja/redistribution.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "papers/claimed_cells.hpp"
#include "papers/claims_row.hpp"
#include "papers/measured_algorithm.hpp"
#include "routing/h_relation_formulas.hpp"

namespace lockstep {

namespace {

/// An input whose sources differ much: n elements, h1 = n/`part_of_n` on one of them, h2 = c n/p.
struct uneven_input {
  std::int64_t p = 4;
  std::int64_t part_of_n = 1;
  std::int64_t c = 1;

  [[nodiscard]] std::int64_t n() const { return 8 * p * p; }
  [[nodiscard]] std::int64_t h1() const { return n() / part_of_n; }
  [[nodiscard]] std::int64_t h2() const { return c * n() / p; }
};

[[nodiscard]] std::string text_of_uneven(uneven_input const& of) {
  return fmt::format("p = {}, n = {}, h1 = {}, h2 = {}", of.p, of.n(), of.h1(), of.h2());
}

[[nodiscard]] experiment_result routed_uneven(uneven_input const& of, bool is_balanced) {
  return measured_algorithm("h-relation", crossbar_of(static_cast<int>(of.p)),
                            {{"n", of.n()},
                             {"h1", of.h1()},
                             {"h", of.h2()},
                             {"pattern", std::string("general")},
                             {"balanced", is_balanced}});
}

[[nodiscard]] claimed_cells cells_of_uneven(uneven_input const& of) {
  return claimed_cells({{"p", of.p}, {"n", of.n()}, {"h1", of.h1()}, {"h2", of.h2()}});
}

/// Makes the row of routing alone.
[[nodiscard]] paper_row routed_as_it_is(uneven_input const& of) {
  auto const result = routed_uneven(of, false);
  auto const& all = result.record.counts();
  auto cells = cells_of_uneven(of);
  cells.equal("rounds", "2(p-1)", all.rounds)
      .ours()
      .equal("startups", "2", all.startups)
      .at_most("words", words_of_two_phases, all.words);
  return {text_of_uneven(of), "as it is", cells.cells_of(result), result.correct};
}

/// Makes the row of balancing first, whose claims are lockstep's.
[[nodiscard]] paper_row balanced_at_first(uneven_input const& of) {
  auto const result = routed_uneven(of, true);
  auto const& all = result.record.counts();
  auto cells = cells_of_uneven(of);
  cells.add(claim_about(result.claims, "rounds"), all.rounds).ours();
  cells.add(claim_about(result.claims, "startups"), all.startups).ours();
  cells.where("h1 >= 4 h2")
      .about("words", words_after_balance, all.words)
      .ours()
      .remark({0,
               "balanced first: the balance is JaJa and Ryu's (1994, Theorem 4.1); of the "
               "redistribution that section 3.3 cites, and which we lack, this says nothing. The "
               "claim there is O(h1 + h2 + p^2) for h1 much larger than h2, here with the constant "
               "1 and for h1 >= 4 h2: both numbers are ours"});
  return {text_of_uneven(of), "balanced first", cells.cells_of(result), result.correct};
}

}  // namespace

paper_table redistribution_table(std::span<int const> processors) {
  paper_table table{
      "Section 3.3: h1 much larger than h2, as it is and after a balance (JaJa and Ryu's)",
      {},
      "input"};
  for (int const p : processors)
    for (auto const& [part_of_n, c] : {std::pair{1, 1}, {1, 2}, {2, 1}}) {
      uneven_input const of{.p = p, .part_of_n = part_of_n, .c = c};
      table.rows.push_back(routed_as_it_is(of));
      table.rows.push_back(balanced_at_first(of));
    }
  return table;
}

}  // namespace lockstep
