#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

/// A file that keeps the finished rows of a sweep, so that it can go on from them: lines of JSON, first
/// one that names their command.
class finished_rows {
 public:
  /// Opens the file, or begins one. A last line that was not written to its end is cut off. `sweep` is the
  /// command, or what else tells the sweep from others; `caller` begins the texts of errors, and `owner` says
  /// what a file has to be of.
  /// Errors: usage_error for a file that cannot be written, is of another command or version, or has a line that
  /// is not a row.
  finished_rows(std::filesystem::path file, std::string const& version, std::string const& sweep,
                std::string caller = "--resume",
                std::string owner = "this command and this version");

  /// The rows that were there, by their places.
  [[nodiscard]] std::map<std::size_t, nlohmann::ordered_json> const& rows() const { return m_rows; }
  /// Writes a row; any number of threads may at the same time.
  /// Errors: std::runtime_error where the file cannot be written to.
  void add(std::size_t place, nlohmann::ordered_json const& row);

 private:
  void read(std::string const& head);
  [[noreturn]] void refuse(std::string_view problem) const;
  void write(std::string const& line);

  std::filesystem::path m_file;
  std::string m_caller;
  std::string m_owner;
  std::map<std::size_t, nlohmann::ordered_json> m_rows;
  std::mutex m_writing;
  std::ofstream m_stream;
};

}  // namespace lockstep::cli
