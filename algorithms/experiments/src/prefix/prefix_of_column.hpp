#pragma once

#include <lockstep/experiments/registry.hpp>
#include <lockstep/memory.hpp>

#include "files/number_parser.hpp"

namespace lockstep {

/// The prefix of a column of numbers in the CSV file that is the request's input, by its parameters
/// "column", "operator" and "kind": `block_prefix` on even blocks. Compares the result with a
/// sequential computation, and writes it to the output file if there is one: the column and, beside
/// it, its prefixes, in a column "prefix" (inf and -inf where an exclusive min or max in double
/// precision has nothing to combine).
/// Errors: bad_input for a file that will not do, sums that no number can tell, or more rows than
/// there is memory for; those of `read_csv_column`, `prefix` and the machine.
[[nodiscard]] experiment_result prefix_of_column(
    experiment_request const& asked, number_parser::memory* available = available_memory);

}  // namespace lockstep
