#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <lockstep/algorithms/prefix/prefix.hpp>

namespace lockstep {

/// Whether the sums of that kind, of the rows of a column of `file`, can be told.
/// Errors: bad_input, which names the rows whose sum has no place in 64 bits.
void require_sums_fit(std::span<std::int64_t const> values, prefix_kind kind,
                      std::string const& file);

/// The same in double precision.
/// Errors: bad_input, which names the rows whose absolute values add up to more than double
/// precision holds; where they do not, no sum of any of them overflows, in whatever order they are
/// added.
void require_sums_fit(std::span<double const> values, prefix_kind kind, std::string const& file);

}  // namespace lockstep
