#include "whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

namespace {

namespace fs = std::filesystem;

/// A file that is being written, closed at the end.
class open_file {
 public:
  open_file(fs::path const& at, int how)
      : m_descriptor(::open(at.c_str(), how | O_CLOEXEC, 0666)) {}
  open_file(open_file const&) = delete;
  open_file& operator=(open_file const&) = delete;
  ~open_file() { close(); }

  [[nodiscard]] bool is_open() const { return m_descriptor >= 0; }
  /// Returns the path that leads to it as long as it is open, named or not.
  [[nodiscard]] std::string link() const { return fmt::format("/proc/self/fd/{}", m_descriptor); }
  [[nodiscard]] bool write(std::string_view text) const {
    while (!text.empty()) {
      auto const written = ::write(m_descriptor, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool close() {
    bool const closed = m_descriptor < 0 || ::close(m_descriptor) == 0;
    m_descriptor = -1;
    return closed;
  }

 private:
  int m_descriptor;
};

[[nodiscard]] fs::path folder_of(fs::path const& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Whether a file is written beside, and gets its name when it is whole. Devices, pipes and symbolic
/// links are not.
[[nodiscard]] bool is_replaced(fs::path const& file) {
  std::error_code ignored;
  auto const found = fs::symlink_status(file, ignored);
  return !fs::exists(found) || fs::is_regular_file(found);
}

[[nodiscard]] fs::path name_beside(fs::path const& file) {
  std::random_device random;
  return file.parent_path() / fmt::format(".lockstep-{:08x}{:08x}", random(), random());
}

/// Gives the written file its name, and the permissions of the file that it replaces.
[[nodiscard]] bool renamed(fs::path const& written, fs::path const& file) {
  std::error_code problem;
  if (auto const old = fs::status(file, problem); fs::exists(old))
    fs::permissions(written, old.permissions(), problem);
  fs::rename(written, file, problem);
  if (!problem) return true;
  fs::remove(written, problem);
  return false;
}

/// Gives a file without a name its name.
[[nodiscard]] bool named(open_file const& written, fs::path const& file) {
  auto const link_to = [&](fs::path const& name) {
    return ::linkat(AT_FDCWD, written.link().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) ==
           0;
  };
  if (link_to(file)) return true;
  auto const beside = name_beside(file);
  return link_to(beside) && renamed(beside, file);
}

enum class outcome : std::uint8_t { written, cannot_begin, cannot_end };

/// Writes a file that has no name until it is whole, so that nothing is left of it however the process
/// ends. Where the file system knows no such files it cannot begin.
[[nodiscard]] outcome write_nameless(fs::path const& file, std::string_view text) {
  open_file out(folder_of(file), O_TMPFILE | O_WRONLY);
  if (!out.is_open() || ::access(out.link().c_str(), F_OK) != 0) return outcome::cannot_begin;
  return out.write(text) && named(out, file) && out.close() ? outcome::written
                                                            : outcome::cannot_end;
}

[[nodiscard]] outcome write_beside(fs::path const& file, std::string_view text) {
  auto const place = name_beside(file);
  open_file out(place, O_WRONLY | O_CREAT | O_EXCL);
  if (!out.is_open()) return outcome::cannot_begin;
  bool const whole = out.write(text) && out.close();
  if (whole && renamed(place, file)) return outcome::written;
  ::unlink(place.c_str());
  return outcome::cannot_end;
}

[[nodiscard]] outcome write_in_place(fs::path const& file, std::string_view text) {
  open_file out(file, O_WRONLY | O_CREAT | O_TRUNC);
  if (!out.is_open()) return outcome::cannot_begin;
  return out.write(text) && out.close() ? outcome::written : outcome::cannot_end;
}

[[nodiscard]] outcome write_text(fs::path const& file, std::string_view text) {
  if (!file.has_filename()) return outcome::cannot_begin;
  if (!is_replaced(file)) return write_in_place(file, text);
  auto const nameless = write_nameless(file, text);
  return nameless == outcome::cannot_begin ? write_beside(file, text) : nameless;
}

}  // namespace

void write_whole_file(fs::path const& file, std::string_view text) {
  auto const came = write_text(file, text);
  if (came == outcome::written) return;
  if (came == outcome::cannot_begin)
    throw incomplete_trace(fmt::format(
        "cannot write {}: is its folder there, and may you write to it?", file.string()));
  throw incomplete_trace(
      fmt::format("the page is incomplete: cannot write to {}; is its disk full?", file.string()));
}

}  // namespace lockstep::detail
