#include <lockstep/algorithms/collectives/transpose.hpp>

#include "collectives/collective.hpp"

namespace lockstep {

namespace {

/// Makes rows floor(jq/p) to floor((j+1)q/p), one after another, where processor c makes column c.
[[nodiscard]] std::vector<std::uint64_t> rows_of(collective_run const& what, int rank) {
  auto const j = static_cast<std::size_t>(rank);
  std::vector<std::uint64_t> rows;
  for (auto row = j * what.words / what.p; row < (j + 1) * what.words / what.p; ++row)
    for (int column = 0; column < what.on.p; ++column) rows.push_back(what.word(column, row));
  return rows;
}

[[nodiscard]] collective_plan plan_transpose(collective_run const& what) {
  what.require_blocks(4);  // column, messages, rows twice
  auto const p = what.p;
  auto const q = what.words;
  auto const most_rows = (q + p - 1) / p;
  return {transpose_claims(what.on, q),
          what.needed(most_rows * (p - 1), q - q / p, q * (p - 1)),
          {},
          [=](processor& me) {
            auto const column = what.block(me.rank());
            me.phase("transpose");
            return transpose(me, column, what.how) == rows_of(what, me.rank());
          }};
}

}  // namespace

experiment transpose_experiment() {
  return collective(
      {.name = "transpose",
       .summary = "a q x p matrix, a column in each processor, is dealt out by rows",
       .source = cited(jaja_ryu_1994, "Lemma 3.3")},
      "q, the rows of the matrix: words in each processor's column, of which q/p go to each", {},
      plan_transpose);
}

}  // namespace lockstep
