#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>

/// A file of its own, removed at the end.
class temporary_file {
 public:
  explicit temporary_file(std::string_view content) : temporary_file() {
    std::ofstream(m_path, std::ios::binary) << content;
  }
  temporary_file() : m_path(new_path(".txt")) {}
  /// A name for a file that is not there yet.
  [[nodiscard]] static temporary_file ending_in(std::string const& ending) {
    return temporary_file(named{new_path(ending)});
  }
  ~temporary_file() {
    std::error_code ignored;
    std::filesystem::remove(m_path, ignored);
  }
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;

  [[nodiscard]] std::filesystem::path const& path() const { return m_path; }
  [[nodiscard]] std::string content() const {
    std::ifstream in(m_path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  struct named {
    std::filesystem::path path;
  };
  explicit temporary_file(named file) : m_path(std::move(file.path)) {}

  static std::filesystem::path new_path(std::string const& ending) {
    return std::filesystem::temp_directory_path() /
           ("lockstep-test-" + std::to_string(std::random_device{}()) + '-' +
            std::to_string(std::random_device{}()) + ending);
  }

  std::filesystem::path m_path;
};
