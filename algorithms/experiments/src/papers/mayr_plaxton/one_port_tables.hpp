#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Tables of what Mayr and Plaxton say of one port besides their bounds on prefixes: the trees embedded in
/// hypercube and shuffle-exchange, and what their links let in; section 2.3, phase by phase; k monotone routes
/// beside section 4's lower bound; Nassimi and Sahni's sort, which section 4 pipelines. On up to that many
/// processors.
/// Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> one_port_tables(int most_processors);

}  // namespace lockstep
