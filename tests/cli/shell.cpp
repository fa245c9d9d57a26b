#include "shell.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

scratch_directory::scratch_directory() {
  auto pattern = (std::filesystem::temp_directory_path() / "lockstep-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory for the test");
  m_path = pattern;
}

scratch_directory::~scratch_directory() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

std::filesystem::path scratch_directory::write(std::string_view name, std::string_view text) const {
  auto const path = file(name);
  std::ofstream(path) << text;
  return path;
}

std::string scratch_directory::content(std::string_view name) const {
  return read_file(file(name));
}

std::ptrdiff_t scratch_directory::files() const {
  return std::distance(std::filesystem::directory_iterator(m_path),
                       std::filesystem::directory_iterator());
}

std::string read_file(std::filesystem::path const& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

int lines_of(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

finished lockstep_with(std::string const& arguments, std::filesystem::path const& out_to) {
  return lockstep_after(":", arguments, out_to);
}

finished in_shell(std::string const& command, std::filesystem::path const& out_to) {
  scratch_directory const scratch;
  auto const out = out_to.empty() ? scratch.write("out", "") : out_to;
  auto const err = scratch.file("err");
  auto const line = command + " >" + out.string() + " 2>" + err.string();
  int const status = std::system(line.c_str());
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = out_to.empty() ? read_file(out) : "",
          .err = read_file(err)};
}

finished lockstep_after(std::string const& first, std::string const& arguments,
                        std::filesystem::path const& out_to) {
  return in_shell(first + "; '" LOCKSTEP_BINARY "' " + arguments, out_to);
}
