#pragma once

#include <filesystem>
#include <fstream>

namespace lockstep {

/// A file that gets its name when it is complete; until then whatever has that name stays as it is,
/// and without `complete` there is nothing. Devices, pipes and symbolic links (/dev/stdout is one)
/// cannot be replaced: they are written in place.
class output_file {
 public:
  /// Errors: bad_input for a file that cannot be written.
  explicit output_file(std::filesystem::path file);
  output_file(output_file const&) = delete;
  output_file& operator=(output_file const&) = delete;
  ~output_file();

  [[nodiscard]] std::filesystem::path const& path() const noexcept { return m_file; }
  [[nodiscard]] std::ostream& stream() noexcept { return m_stream; }

  /// Errors: bad_input if anything could not be written.
  void complete();

 private:
  void require(bool written) const;

  std::filesystem::path m_file;
  std::filesystem::path m_written;  ///< until it is complete
  std::ofstream m_stream;
};

}  // namespace lockstep
