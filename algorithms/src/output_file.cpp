#include <lockstep/algorithms/output_file.hpp>

#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/registry.hpp>

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

}  // namespace

output_file::output_file(fs::path file) : m_file(std::move(file)), m_written(place_for(m_file)) {
  errno = 0;
  m_stream.open(m_written, std::ios::binary);
  require(m_stream.is_open());
}

output_file::~output_file() {
  std::error_code ignored;
  m_stream.close();
  if (m_written != m_file) fs::remove(m_written, ignored);
}

void output_file::complete() {
  errno = 0;
  if (m_stream) m_stream.close();
  require(!m_stream.fail());
  if (m_written == m_file) return;
  std::error_code problem;
  if (auto const old = fs::status(m_file, problem); fs::exists(old))
    fs::permissions(m_written, old.permissions(), problem);
  fs::rename(m_written, m_file, problem);
  errno = problem.value();
  require(!problem);
  m_written = m_file;
}

void output_file::require(bool written) const {
  if (!written)
    throw bad_input(fmt::format("{}: cannot be written: {}; name a file that can be",
                                m_file.string(), std::generic_category().message(errno)));
}

}  // namespace lockstep
