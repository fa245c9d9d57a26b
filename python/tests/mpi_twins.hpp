#pragma once

#include <map>
#include <string>

#include <lockstep/counts.hpp>

/// Counts the C++ twins of programs in mpi_programs, by "NAME on NETWORK".
[[nodiscard]] std::map<std::string, lockstep::counts> counts_of_mpi_twins();
