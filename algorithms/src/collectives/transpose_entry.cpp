#include <lockstep/algorithms/collectives/transpose.hpp>

#include "collectives/asked_collective.hpp"
#include "entries.hpp"

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

[[nodiscard]] outcome run_transpose(request const& asked) {
  auto const what = collective_asked_for(asked);
  auto const words = static_cast<double>(what.words);
  require_memory_for(asked, what, 4 * words);  // column, messages, what came, rows
  return run_collective(asked, what, transpose_claims(what.on, what.words), [&](processor& me) {
    auto const column = what.made_block(me.rank(), what.words);
    me.phase("transpose");
    return are_rows(what, me.rank(), transpose(me, column, what.how));
  });
}

}  // namespace

algorithm transpose_entry() {
  return {
      .name = "transpose",
      .summary = "a q x p matrix, a column in each processor, is dealt out by rows",
      .topologies = "crossbar",
      .source = "JaJa and Ryu, The Block Distributed Memory Model, 1994, Lemma 3.3",
      .example = "crossbar:8",
      .parameters = collective_parameters(
          "q, the rows of the matrix: words in each processor's column, of which q/p go to each"),
      .run = run_transpose,
  };
}

}  // namespace lockstep
