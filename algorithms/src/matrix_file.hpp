#pragma once

#include <filesystem>

#include "square_matrix.hpp"

namespace lockstep {

/// Reads a matrix from a text file or from NumPy's .npy; its content tells which.
/// Errors: bad_input for a file that cannot be read, and as `read_text_matrix` and `read_npy`.
[[nodiscard]] matrix read_matrix(std::filesystem::path const& file);

/// Writes it as .npy if the file's name ends so, else as text. A file that is there already stays
/// as it is until the new one is complete, unless it is a device, a pipe or a symbolic link.
/// Errors: bad_input for a file that cannot be written, and for NaN or infinity in text.
template <class Number>
void write_matrix(std::filesystem::path const& file, square_matrix<Number> const& written);

}  // namespace lockstep
