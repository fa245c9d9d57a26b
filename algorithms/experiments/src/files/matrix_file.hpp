#pragma once

#include <filesystem>

#include <lockstep/experiments/output_file.hpp>

#include "files/square_matrix.hpp"

namespace lockstep {

/// Reads a matrix from a text file or from NumPy's .npy; its content tells which.
/// Errors: bad_input for a file that cannot be read, and as `read_text_matrix` and `read_npy`.
[[nodiscard]] matrix read_matrix(std::filesystem::path const& file);

/// Writes it as .npy if the file's name ends so, else as text, and completes the file.
/// Errors: incomplete_output for a file that cannot be written; bad_input for NaN or infinity in
/// text.
template <class Number>
void write_matrix(output_file& out, square_matrix<Number> const& written);

/// The same, to a new file.
/// Errors: as above; bad_input for a file that cannot be opened.
template <class Number>
void write_matrix(std::filesystem::path const& file, square_matrix<Number> const& written) {
  output_file out(file);
  write_matrix(out, written);
}

}  // namespace lockstep
