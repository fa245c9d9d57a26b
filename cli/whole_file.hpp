#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace lockstep::cli {

/// A file that appears whole or not at all: it is written beside its place, under the same name
/// with ".part", and moved there in the end. Without `publish` nothing is left.
class whole_file {
 public:
  /// Errors: usage_error if no file can be written there.
  explicit whole_file(std::filesystem::path path);
  whole_file(whole_file const&) = delete;
  whole_file& operator=(whole_file const&) = delete;
  ~whole_file();

  [[nodiscard]] std::filesystem::path const& path() const noexcept { return m_path; }

  /// Writes it all, and moves it to its place.
  /// Errors: std::runtime_error if that fails.
  void publish(std::string_view text);

 private:
  std::filesystem::path m_path;
  std::filesystem::path m_part;
  std::ofstream m_file;
};

}  // namespace lockstep::cli
