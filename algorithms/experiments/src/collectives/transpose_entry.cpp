#include <lockstep/algorithms/collectives/transpose.hpp>

#include <fmt/format.h>

#include "collectives/asked_collective.hpp"
#include "harness/entries.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

/// Rows floor(jq/p) to floor((j+1)q/p), one after another, where column c is made by processor c.
[[nodiscard]] bool are_rows(asked_collective const& what, int rank,
                            std::vector<std::uint64_t> const& rows) {
  auto const p = static_cast<std::size_t>(what.on.p);
  auto const j = static_cast<std::size_t>(rank);
  std::size_t index = 0;
  for (auto row = j * what.words / p; row < (j + 1) * what.words / p; ++row)
    for (int column = 0; column < what.on.p; ++column, ++index)
      if (index >= rows.size() || rows[index] != what.made(column, row)) return false;
  return index == rows.size();
}

/// floor(jq/p) to floor((j+1)q/p) rows of p words for processor j, a word in each column.
[[nodiscard]] traffic_requirement rows_of_columns(asked_collective const& what) {
  auto const p = static_cast<std::uint64_t>(what.on.p);
  auto const most = (what.words + p - 1) / p;
  auto const least = what.words / p;
  return {.taken_in = most * (p - 1),
          .sent = what.words - least,
          .moved = what.words * (p - 1),
          .distance = p > 1 && what.words > 0 ? 1 : 0,
          .joined = p > 1 && what.words > 0 ? p : 0};
}

[[nodiscard]] experiment_result run_transpose(experiment_request const& asked) {
  auto const what = collective_from(asked);
  auto const words = static_cast<double>(what.words);
  require_memory_for(asked, what, 4 * words);  // column, messages, what came, rows
  return run_collective(asked, what, transpose_claims(what.on, what.words), rows_of_columns(what),
                        [&](processor& me) {
                          auto const column = what.generated_block(me.rank(), what.words);
                          me.phase("transpose");
                          return are_rows(what, me.rank(), transpose(me, column, what.how));
                        });
}

}  // namespace

experiment transpose_entry() {
  return {
      .name = "transpose",
      .summary = "a q x p matrix, a column in each processor, is dealt out by rows",
      .topologies = "crossbar",
      .source = fmt::format("{}, Lemma 3.3", jaja_ryu_1994),
      .examples = {"crossbar:8", "crossbar:4", "crossbar:16", "crossbar:32"},
      .parameters = collective_parameters(
          "q, the rows of the matrix: words in each processor's column, of which q/p go to each"),
      .run = run_transpose,
  };
}

}  // namespace lockstep
