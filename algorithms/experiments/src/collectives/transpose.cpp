#include <lockstep/algorithms/collectives/transpose.hpp>

#include "collectives/collective.hpp"

namespace lockstep {

namespace {

/// Makes rows floor(jq/p) to floor((j+1)q/p), one after another, where processor c makes column c.
[[nodiscard]] std::vector<std::uint64_t> rows_of(collective_run const& what, int rank) {
  auto const p = static_cast<std::size_t>(what.on.p);
  auto const j = static_cast<std::size_t>(rank);
  std::vector<std::uint64_t> rows;
  for (auto row = j * what.words / p; row < (j + 1) * what.words / p; ++row)
    for (int column = 0; column < what.on.p; ++column) rows.push_back(what.word(column, row));
  return rows;
}

/// Says what the rows need: floor(jq/p) to floor((j+1)q/p) of p words for processor j, a word in
/// each column.
[[nodiscard]] traffic_requirement rows_of_columns(collective_run const& what) {
  auto const p = static_cast<std::uint64_t>(what.on.p);
  auto const most = (what.words + p - 1) / p;
  bool const any = p > 1 && what.words > 0;
  return {.taken_in = most * (p - 1),
          .sent = what.words - what.words / p,
          .moved = what.words * (p - 1),
          .distance = any ? 1 : 0,
          .joined = any ? p : 0};
}

[[nodiscard]] experiment_result run_transpose(arguments const& given) {
  collective_run const what(given);
  what.require_words(4 * static_cast<double>(what.words));  // column, messages, rows twice
  return what.check(transpose_claims(what.on, what.words), rows_of_columns(what),
                    [&](processor& me) {
                      auto const column = what.block(me.rank());
                      me.phase("transpose");
                      return transpose(me, column, what.how) == rows_of(what, me.rank());
                    });
}

}  // namespace

experiment transpose_experiment() {
  return collective(
      {.name = "transpose",
       .summary = "a q x p matrix, a column in each processor, is dealt out by rows",
       .source = cited(jaja_ryu_1994, "Lemma 3.3"),
       .run = run_transpose},
      "q, the rows of the matrix: words in each processor's column, of which q/p go to each");
}

}  // namespace lockstep
