#include "files/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16U;  // read at a time

}  // namespace

input_file::buffer::buffer(std::filesystem::path const& file)
    : m_descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC)),
      m_problem(m_descriptor < 0 ? errno : 0),
      m_piece(piece_bytes) {}

input_file::buffer::~buffer() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

input_file::buffer::int_type input_file::buffer::underflow() {
  if (m_problem != 0) return traits_type::eof();
  ssize_t got = 0;
  do got = ::read(m_descriptor, m_piece.data(), m_piece.size());
  while (got < 0 && errno == EINTR);
  if (got < 0) m_problem = errno;
  if (got <= 0) return traits_type::eof();
  note_done(static_cast<std::uint64_t>(got));
  setg(m_piece.data(), m_piece.data(), m_piece.data() + got);
  return traits_type::to_int_type(*gptr());
}

input_file::input_file(std::filesystem::path const& file, std::string const& would_do)
    : std::istream(nullptr), m_name(file.string()), m_would_do(would_do), m_buffer(file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw bad_input(fmt::format("{}: is a directory; {}", m_name, m_would_do));
  rdbuf(&m_buffer);
  if (m_buffer.problem() == 0) peek();
  require_readable();
}

void input_file::require_readable() const {
  if (m_buffer.problem() != 0)
    throw bad_input(fmt::format("{}: cannot be read: {}; {}", m_name,
                                std::generic_category().message(m_buffer.problem()), m_would_do));
}

std::uint64_t bytes_of_file(std::filesystem::path const& file) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(file, problem)) return 0;
  auto const bytes = std::filesystem::file_size(file, problem);
  return problem ? 0 : bytes;
}

}  // namespace lockstep
