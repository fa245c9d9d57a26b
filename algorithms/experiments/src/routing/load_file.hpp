#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "files/csv_file.hpp"
#include "harness/arguments.hpp"

namespace lockstep {

/// Loads of a file: a row for each processor.
struct loads_of_file {
  column_of_file column;
  std::vector<std::uint64_t> loads;
};

/// Reads the column of that name, or the only one, of the request's input file.
/// Errors: bad_input for a file that cannot be read, another number of rows than of processors, and
/// loads that are negative, no whole numbers, or more than `most` in all.
[[nodiscard]] loads_of_file read_loads(arguments const& given, std::string_view name,
                                       std::uint64_t most);

}  // namespace lockstep
