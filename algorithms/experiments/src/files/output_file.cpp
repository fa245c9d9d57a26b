#include <lockstep/experiments/output_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <random>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "files/incomplete_files.hpp"

namespace lockstep {

namespace {

namespace fs = std::filesystem;

/// Where to write what `file` is to hold: beside it, or in place.
[[nodiscard]] fs::path place_for(fs::path const& file) {
  std::error_code ignored;
  auto const found = fs::symlink_status(file, ignored);
  if (fs::exists(found) && !fs::is_regular_file(found)) return file;
  std::random_device random;
  return file.parent_path() / fmt::format(".lockstep-{:08x}{:08x}", random(), random());
}

/// Why a file cannot have that name, for example because it is too long: errno, or 0.
[[nodiscard]] int problem_of_name(fs::path const& file) {
  struct stat found {};
  return ::lstat(file.c_str(), &found) == 0 || errno == ENOENT ? 0 : errno;
}

/// The result of a system call, which is made again where a signal has interrupted it.
template <class Call>
[[nodiscard]] auto uninterrupted(Call const& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

/// Writes to a file, and keeps the system's reason where it cannot.
class output_file::buffer final : public std::streambuf {
 public:
  buffer(fs::path const& file, fs::path const& written)
      : m_pieces(piece), m_problem(problem_of_name(file)) {
    if (m_problem != 0) return;
    bool const in_place = file == written;
    if (!in_place) m_incomplete.emplace(written.string());
    auto const how = O_WRONLY | O_CREAT | O_CLOEXEC | (in_place ? 0 : O_EXCL);
    m_descriptor = uninterrupted([&] { return ::open(written.c_str(), how, 0666); });
    if (m_descriptor < 0) m_problem = errno;
    setp(m_pieces.data(), m_pieces.data() + m_pieces.size());
  }
  buffer(buffer const&) = delete;
  buffer& operator=(buffer const&) = delete;
  ~buffer() override { close(); }

  /// Writes the rest. Result: errno of what failed first, or 0.
  [[nodiscard]] int finish() {
    write_out();
    close();
    return m_problem;
  }
  [[nodiscard]] int problem() const noexcept { return m_problem; }

 protected:
  int_type overflow(int_type next) override {
    if (!write_out()) return traits_type::eof();
    if (traits_type::eq_int_type(next, traits_type::eof())) return traits_type::not_eof(next);
    return sputc(traits_type::to_char_type(next));
  }
  int sync() override { return write_out() ? 0 : -1; }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 16U;

  /// Empties a file that is written in place, before its first piece.
  void empty_at_first() {
    if (std::exchange(m_begun, true)) return;
    struct stat found {};
    if (::fstat(m_descriptor, &found) == 0 && S_ISREG(found.st_mode) &&
        uninterrupted([&] { return ::ftruncate(m_descriptor, 0); }) != 0)
      m_problem = errno;
  }

  bool write_out() {
    if (m_problem == 0) empty_at_first();
    for (auto const* from = pbase(); from < pptr() && m_problem == 0;) {
      auto const count = static_cast<std::size_t>(pptr() - from);
      auto const written = uninterrupted([&] { return ::write(m_descriptor, from, count); });
      if (written < 0)
        m_problem = errno;
      else
        from += written;
    }
    setp(m_pieces.data(), m_pieces.data() + m_pieces.size());
    return m_problem == 0;
  }

  void close() {
    if (m_descriptor >= 0 && ::close(m_descriptor) != 0 && m_problem == 0) m_problem = errno;
    m_descriptor = -1;
  }

  std::optional<detail::incomplete_file> m_incomplete;
  std::vector<char> m_pieces;
  int m_descriptor = -1;
  int m_problem = 0;
  bool m_begun = false;
};

output_file::output_file(fs::path file)
    : m_file(std::move(file)),
      m_written(place_for(m_file)),
      m_buffer(std::make_unique<buffer>(m_file, m_written)),
      m_stream(m_buffer.get()) {
  if (auto const problem = m_buffer->problem(); problem != 0) throw bad_input(complaint(problem));
}

output_file::~output_file() {
  std::error_code ignored;
  if (m_written != m_file) fs::remove(m_written, ignored);
}

void output_file::complete() {
  if (auto const problem = m_buffer->finish(); problem != 0)
    throw incomplete_output(complaint(problem));
  if (!m_stream)  // what was to be written could not be made into text
    throw incomplete_output(m_file.string() + ": a value of the result cannot be written");
  if (m_written == m_file) return;
  std::error_code problem;
  if (auto const old = fs::status(m_file, problem); fs::exists(old))
    fs::permissions(m_written, old.permissions(), problem);
  fs::rename(m_written, m_file, problem);
  if (problem) throw incomplete_output(complaint(problem.value()));
  m_written = m_file;
}

void output_file::remove_incomplete() noexcept { detail::remove_incomplete_files(); }

std::string output_file::complaint(int problem) const {
  return fmt::format("{}: cannot be written: {}; name a file that can be", m_file.string(),
                     std::generic_category().message(problem));
}

}  // namespace lockstep
