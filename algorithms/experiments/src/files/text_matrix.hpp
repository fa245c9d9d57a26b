#pragma once

#include <iosfwd>
#include <string>

#include "files/square_matrix.hpp"

namespace lockstep {

/// Reads a matrix from text: one row a line, numbers separated by blanks; empty lines count for
/// nothing. Whole numbers if all of them are, and fit; else double precision.
/// `file`: its name, for messages.
/// Errors: bad_input for a matrix that is empty, is not square, holds anything else than finite
/// numbers, or more than there is memory for. A stream that fails is left in that state.
[[nodiscard]] matrix read_text_matrix(std::istream& in, std::string const& file);

/// Writes it as `read_text_matrix` reads it, each number with as many digits as give the same
/// number again.
/// Errors: bad_input for numbers that are not finite. A stream that fails is left in that state.
template <class Number>
void write_text_matrix(std::ostream& out, square_matrix<Number> const& written,
                       std::string const& file);

}  // namespace lockstep
