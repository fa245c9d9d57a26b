#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The header of a .npy file, which describes the array that follows.
struct npy_header {
  std::string type;            ///< NumPy's name of the element type, with its byte order: "<f8"
  bool fortran_order = false;  ///< column by column
  std::vector<std::uint64_t> shape;  ///< one size for each dimension
};

/// Reads the dictionary of a header, a literal of Python: {'descr': '<f8', 'fortran_order': False,
/// 'shape': (3, 3), }.
/// `file`: its name, for messages.
/// Errors: bad_input for anything else.
[[nodiscard]] npy_header read_npy_header(std::string_view dictionary, std::string const& file);

}  // namespace lockstep
