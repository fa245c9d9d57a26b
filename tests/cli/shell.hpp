#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

/// A directory of its own for a test, removed at the end.
class scratch_directory {
 public:
  scratch_directory();
  scratch_directory(scratch_directory const&) = delete;
  scratch_directory& operator=(scratch_directory const&) = delete;
  ~scratch_directory();

  [[nodiscard]] std::filesystem::path file(std::string_view name) const { return m_path / name; }
  [[nodiscard]] std::string path(std::string_view name) const { return file(name).string(); }
  /// Writes a file there.
  std::filesystem::path write(std::string_view name, std::string_view text) const;
  [[nodiscard]] std::string content(std::string_view name) const;
  /// The number of files there.
  [[nodiscard]] std::ptrdiff_t files() const;

 private:
  std::filesystem::path m_path;
};

[[nodiscard]] std::string read_file(std::filesystem::path const& path);

[[nodiscard]] int lines_of(std::string_view text);

/// What came of a command.
struct finished {
  int status = -1;
  std::string out;
  std::string err;
};

/// Runs a command in a shell, with its streams in files; what it prints goes to `out_to` where that is
/// given.
[[nodiscard]] finished in_shell(std::string const& command,
                                std::filesystem::path const& out_to = {});

/// Runs the real `lockstep` with these arguments, in a shell, with its streams in files; what it
/// prints goes to `out_to` where that is given.
[[nodiscard]] finished lockstep_with(std::string const& arguments,
                                     std::filesystem::path const& out_to = {});

/// The same, after a command that the shell does first, such as "ulimit -v 1000000".
[[nodiscard]] finished lockstep_after(std::string const& first, std::string const& arguments,
                                      std::filesystem::path const& out_to = {});
