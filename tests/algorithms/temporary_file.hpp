#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

/// A file of its own, removed at the end.
class temporary_file {
 public:
  explicit temporary_file(std::string_view content) : temporary_file() {
    std::ofstream(m_path, std::ios::binary) << content;
  }
  temporary_file()
      : m_path(std::filesystem::temp_directory_path() /
               ("lockstep-test-" + std::to_string(std::random_device{}()) + '-' +
                std::to_string(std::random_device{}()) + ".txt")) {}
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
  std::filesystem::path m_path;
};
