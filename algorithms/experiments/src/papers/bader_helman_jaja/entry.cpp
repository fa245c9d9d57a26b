#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "harness/sources.hpp"
#include "papers/bader_helman_jaja/bounds.hpp"
#include "papers/bader_helman_jaja/printed.hpp"
#include "papers/bader_helman_jaja/redistribution.hpp"
#include "papers/bader_helman_jaja/routing.hpp"
#include "papers/bader_helman_jaja/sorting.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/entries.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::vector<paper_table> tables_of_bader_helman_jaja(int most_processors) {
  std::vector<int> processors;
  for (int const p : {2, 3, 4, 5, 8, 16, 32, 64})
    if (p <= most_processors) processors.push_back(p);
  std::vector<paper_table> tables{tight_bins_table(processors, 1), small_bins_table(processors),
                                  redistribution_table(powers_up_to(most_processors))};
  for (auto&& more : {g_group_tables(most_processors), sorting_tables(most_processors)})
    tables.insert(tables.end(), more.begin(), more.end());
  return tables;
}

}  // namespace

paper_entry bader_helman_jaja_entry() {
  return {
      .name = "bader-helman-jaja",
      .source = bader_helman_jaja_1996,
      .tables = tables_of_bader_helman_jaja,
      .printed = printed_figures_of_bader_helman_jaja,
      .missing = missing_of_bader_helman_jaja,
  };
}

}  // namespace lockstep
