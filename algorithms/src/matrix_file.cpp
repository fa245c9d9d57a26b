#include "matrix_file.hpp"

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include <lockstep/algorithms/registry.hpp>

#include <lockstep/algorithms/output_file.hpp>
#include "npy_file.hpp"
#include "text_matrix.hpp"

namespace lockstep {

namespace {

constexpr auto would_do = "name a text or .npy file with a matrix";

void require_readable(std::ifstream const& in, std::filesystem::path const& file) {
  if (!in.is_open() || in.bad())
    throw bad_input(fmt::format("{}: cannot be read: {}; {}", file.string(),
                                std::generic_category().message(errno), would_do));
}

[[nodiscard]] matrix read_text(std::istream& in, std::filesystem::path const& file) {
  try {
    return read_text_matrix(in, file.string());
  } catch (bad_input const&) {
    if (!has_npy_name(file)) throw;
    throw bad_input(file.string() +
                    ": is no .npy file (it does not begin with \\x93NUMPY) and no text with a "
                    "matrix; write it with numpy.save");
  }
}

}  // namespace

matrix read_matrix(std::filesystem::path const& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw bad_input(fmt::format("{}: is a directory; {}", file.string(), would_do));
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  bool const npy = begins_npy(in);
  require_readable(in, file);
  errno = 0;
  try {
    auto read = npy ? read_npy(in, file) : read_text(in, file);
    require_readable(in, file);
    return read;
  } catch (bad_input const&) {
    require_readable(in, file);  // what is missing could not be read
    throw;
  }
}

template <class Number>
void write_matrix(std::filesystem::path const& file, square_matrix<Number> const& written) {
  output_file out(file);
  if (has_npy_name(file))
    write_npy(out.stream(), written);
  else
    write_text_matrix(out.stream(), written, file.string());
  out.complete();
}

template void write_matrix(std::filesystem::path const&, square_matrix<std::int64_t> const&);
template void write_matrix(std::filesystem::path const&, square_matrix<double> const&);
template void write_matrix(std::filesystem::path const&, square_matrix<std::int32_t> const&);
template void write_matrix(std::filesystem::path const&, square_matrix<float> const&);

}  // namespace lockstep
