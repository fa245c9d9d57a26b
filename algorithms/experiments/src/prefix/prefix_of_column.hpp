#pragma once

#include <lockstep/memory.hpp>

#include "files/number_parser.hpp"
#include "harness/arguments.hpp"

namespace lockstep {

/// Computes the prefix of a column of numbers in the CSV file that is the request's input, by its
/// parameters
/// "column", "operator" and "kind": `block_prefix` on even blocks. Compares the result with a
/// sequential computation, and writes it to the output file if there is one: the column and, beside
/// it, its prefixes, in a column "prefix" (inf and -inf where an exclusive min or max in double
/// precision has nothing to combine).
/// Errors: bad_input for a file that cannot be used, sums that do not fit into a number, or more
/// rows than there is memory for; those of `read_csv_column`, `prefix` and the machine.
[[nodiscard]] experiment_result prefix_of_column(
    arguments const& given, number_parser::memory* available = available_memory);

}  // namespace lockstep
