#include "files/matrix_file.hpp"

#include <cstdint>
#include <istream>

#include <lockstep/experiments/registry.hpp>

#include "files/input_file.hpp"
#include "files/npy_file.hpp"
#include "files/text_matrix.hpp"

namespace lockstep {

namespace {

[[nodiscard]] matrix read_text(std::istream& in, std::filesystem::path const& file) {
  try {
    return read_text_matrix(in, file.string());
  } catch (bad_input const&) {
    if (!has_npy_name(file)) throw;
    throw bad_input(file.string() +
                    ": is not an .npy file (it does not begin with \\x93NUMPY) nor a text with a "
                    "matrix; write it with numpy.save");
  }
}

}  // namespace

matrix read_matrix(std::filesystem::path const& file) {
  return read_input(file, "name a text or .npy file with a matrix", [&](std::istream& in) {
    return begins_npy(in) ? read_npy(in, file) : read_text(in, file);
  });
}

template <class Number>
void write_matrix(output_file& out, square_matrix<Number> const& written) {
  if (has_npy_name(out.path()))
    write_npy(out.stream(), written);
  else
    write_text_matrix(out.stream(), written, out.path().string());
  out.complete();
}

template void write_matrix(output_file&, square_matrix<std::int64_t> const&);
template void write_matrix(output_file&, square_matrix<double> const&);
template void write_matrix(output_file&, square_matrix<std::int32_t> const&);
template void write_matrix(output_file&, square_matrix<float> const&);

}  // namespace lockstep
