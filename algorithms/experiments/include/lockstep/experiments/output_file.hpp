#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// The reason why a file could not be written to its end, such as a full disk: its results are
/// right.
class incomplete_output : public bad_input {
 public:
  using bad_input::bad_input;
};

/// A file that gets its name when it is complete; until then whatever has that name stays as it is,
/// and without `complete` there is nothing. Devices, pipes and symbolic links (/dev/stdout is one)
/// cannot be replaced: they are written in place, and keep what they hold until the first piece is
/// written.
class output_file {
 public:
  /// Errors: bad_input for a file that cannot be written.
  explicit output_file(std::filesystem::path file);
  output_file(output_file const&) = delete;
  output_file& operator=(output_file const&) = delete;
  ~output_file();

  [[nodiscard]] std::filesystem::path const& path() const noexcept { return m_file; }
  [[nodiscard]] std::ostream& stream() noexcept { return m_stream; }

  /// Errors: incomplete_output if anything could not be written, with the system's reason, or if the
  /// stream has failed.
  void complete();

  /// Removes what all files of the process that are not complete have written so far. A handler of
  /// a signal that ends the process may call it.
  static void remove_incomplete() noexcept;

 private:
  class buffer;

  [[nodiscard]] std::string complaint(int problem) const;

  std::filesystem::path m_file;
  std::filesystem::path m_written;  ///< until it is complete
  std::unique_ptr<buffer> m_buffer;
  std::ostream m_stream;
};

}  // namespace lockstep
