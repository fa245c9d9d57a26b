#include <utility>
#include <vector>

#include "harness/sources.hpp"
#include "papers/entries.hpp"
#include "papers/shankar_ranka/local_work.hpp"
#include "papers/shankar_ranka/more_stages.hpp"
#include "papers/shankar_ranka/networks.hpp"
#include "papers/shankar_ranka/primitives.hpp"
#include "papers/shankar_ranka/printed.hpp"
#include "papers/shankar_ranka/random_middles.hpp"
#include "papers/shankar_ranka/reads.hpp"
#include "papers/shankar_ranka/wide_writes.hpp"
#include "papers/shankar_ranka/write_steps.hpp"
#include "papers/shankar_ranka/writes.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::vector<paper_table> tables_of_shankar_ranka(int most_processors) {
  auto tables = primitive_tables(most_processors);
  for (auto&& more : {random_middles(most_processors), more_stages(most_processors),
                      write_tables(most_processors), read_tables(most_processors),
                      network_tables(most_processors), write_steps(most_processors),
                      local_work_tables(most_processors)})
    tables.insert(tables.end(), more.begin(), more.end());
  if (auto wide = wide_writes(most_processors); !wide.rows.empty())
    tables.push_back(std::move(wide));
  return tables;
}

}  // namespace

paper_entry shankar_ranka_entry() {
  return {.name = "shankar-ranka",
          .source = shankar_ranka_1997,
          .tables = tables_of_shankar_ranka,
          .printed = printed_figures_of_shankar_ranka,
          .missing = missing_of_shankar_ranka};
}

}  // namespace lockstep
