#include "gnuplot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

/// A file without a name, gone when it is closed.
class nameless_file {
 public:
  nameless_file() : m_file(std::tmpfile(), &std::fclose) {
    if (!m_file) throw std::runtime_error("no temporary file for gnuplot can be made");
  }

  void write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), m_file.get()) != text.size() ||
        std::fflush(m_file.get()) != 0)
      throw std::runtime_error("the script for gnuplot cannot be written to a temporary file");
    std::rewind(m_file.get());
  }

  [[nodiscard]] std::string text() {
    std::rewind(m_file.get());
    std::string read;
    std::array<char, 4096> buffer{};
    for (std::size_t count = 1; count > 0;) {
      count = std::fread(buffer.data(), 1, buffer.size(), m_file.get());
      read.append(buffer.data(), count);
    }
    return read;
  }

  [[nodiscard]] int descriptor() const { return fileno(m_file.get()); }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> m_file;
};

/// Starts gnuplot with these files as its streams: 0, or the error.
int start_gnuplot(pid_t& process, nameless_file const& in, nameless_file const& out,
                  nameless_file const& err) {
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, err.descriptor(), STDERR_FILENO);
  std::string name = "gnuplot";
  std::array<char*, 2> const arguments{name.data(), nullptr};
  int const problem =
      posix_spawnp(&process, name.c_str(), &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  return problem;
}

int status_at_the_end_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string first_line_of(std::string const& text) {
  auto const first = text.find_first_not_of(" \n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find('\n', first) - first);
}

std::string way_it_ended(int status) {
  return WIFEXITED(status) ? fmt::format("exit status {}", WEXITSTATUS(status))
                           : fmt::format("killed by signal {}", WTERMSIG(status));
}

}  // namespace

gnuplot_result run_gnuplot(std::string const& script) {
  nameless_file in;
  nameless_file out;
  nameless_file err;
  in.write(script);

  pid_t process = 0;
  int const problem = start_gnuplot(process, in, out, err);
  if (problem == ENOENT) return {.is_installed = false, .picture = {}, .complaint = {}};
  if (problem != 0) return {.picture = {}, .complaint = std::generic_category().message(problem)};

  int const status = status_at_the_end_of(process);
  gnuplot_result result{.picture = out.text(), .complaint = first_line_of(err.text())};
  result.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !result.picture.empty();
  if (result.complaint.empty()) result.complaint = way_it_ended(status);
  return result;
}

}  // namespace lockstep::cli
