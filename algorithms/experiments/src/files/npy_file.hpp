#pragma once

#include <complex>
#include <filesystem>
#include <iosfwd>
#include <span>

#include "files/number_arrays.hpp"
#include "files/square_matrix.hpp"

namespace lockstep {

/// NumPy's file of an array (.npy): of versions 1.0, 2.0 and 3.0 those with n x n numbers, row by
/// row ("C order"; of a single number either order), float64, float32, int64 or int32, in this
/// computer's byte order.

/// Whether it begins as such a file does, nor a text. Takes nothing from the stream.
[[nodiscard]] bool begins_npy(std::istream& in);

/// Whether the name ends in .npy.
[[nodiscard]] bool has_npy_name(std::filesystem::path const& file);

/// Reads the numbers straight into their place, after the file's size has been compared with what
/// the header promises. `in`: reads `file` from its beginning.
/// Errors: bad_input for any other array, more or less data than promised, or more than there is
/// memory for.
[[nodiscard]] matrix read_npy(std::istream& in, std::filesystem::path const& file);

/// Reads a matrix of any rows and columns, of the same types, in the same way.
[[nodiscard]] any_matrix read_npy_matrix(std::istream& in, std::filesystem::path const& file);

/// Reads an array of one dimension, of complex128 or complex64, in the same way; it may be empty.
[[nodiscard]] any_signal read_npy_signal(std::istream& in, std::filesystem::path const& file);

/// Writes version 1.0, as numpy.save does, byte for byte. A stream that fails is left so.
template <class Number>
void write_npy(std::ostream& out, square_matrix<Number> const& written);

/// The same of a matrix of any shape.
template <class Number>
void write_npy(std::ostream& out, number_matrix<Number> const& written);

/// The same of an array of one dimension.
template <class Real>
void write_npy(std::ostream& out, std::span<std::complex<Real> const> written);

}  // namespace lockstep
