#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "harness/sources.hpp"
#include "papers/bader_helman_jaja/bounds.hpp"
#include "papers/bader_helman_jaja/operations.hpp"
#include "papers/bader_helman_jaja/passes.hpp"
#include "papers/bader_helman_jaja/printed.hpp"
#include "papers/bader_helman_jaja/redistribution.hpp"
#include "papers/bader_helman_jaja/routing.hpp"
#include "papers/bader_helman_jaja/sorting.hpp"
#include "papers/bader_helman_jaja/transposes.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/entries.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::vector<int> processors_among(std::vector<int> of, int most_processors) {
  std::erase_if(of, [&](int p) { return p > most_processors; });
  return of;
}

/// The tables of single steps, and of bins for h > n/p.
[[nodiscard]] std::vector<paper_table> step_tables(int most_processors) {
  auto const some = processors_among({3, 4, 5, 8, 16, 32}, most_processors);
  auto const from_4 = processors_among({4, 5, 8, 16, 32, 64}, most_processors);
  auto const powers = processors_among({4, 8, 16, 32}, most_processors);
  std::vector<paper_table> tables{
      transposes_table(some),     wide_bins_table(from_4),
      appendix_b_table(powers),   counting_sort_table(powers),
      chosen_radix_table(powers), growths_of_local_work(most_processors)};
  std::erase_if(tables, [](paper_table const& table) { return table.rows.empty(); });
  return tables;
}

[[nodiscard]] std::vector<paper_table> tables_of_bader_helman_jaja(int most_processors) {
  auto const processors = processors_among({2, 3, 4, 5, 8, 16, 32, 64}, most_processors);
  std::vector<paper_table> tables{tight_bins_table(processors, 1), small_bins_table(processors),
                                  redistribution_table(powers_up_to(most_processors))};
  for (auto&& more : {g_group_tables(most_processors), sorting_tables(most_processors)})
    tables.insert(tables.end(), more.begin(), more.end());
  for (auto&& more : step_tables(most_processors)) tables.push_back(std::move(more));
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
