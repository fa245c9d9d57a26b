#include <utility>
#include <vector>

#include "harness/sources.hpp"
#include "papers/entries.hpp"
#include "papers/jaja_ryu/broadcasts.hpp"
#include "papers/jaja_ryu/computations.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::vector<paper_table> tables_of_jaja_ryu(int most_processors) {
  std::vector<paper_table> tables;
  for (auto* const more : {broadcast_tables, computation_tables, probability_tables})
    for (auto& table : more(most_processors)) tables.push_back(std::move(table));
  return tables;
}

}  // namespace

paper_entry jaja_ryu_entry() {
  return {.name = "jaja-ryu",
          .source = jaja_ryu_1994,
          .tables = tables_of_jaja_ryu,
          .missing = missing_of_jaja_ryu};
}

}  // namespace lockstep
