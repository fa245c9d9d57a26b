#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <lockstep/experiments/output_file.hpp>

#include "commands/command_line.hpp"
#include "handout/handout.hpp"
#include "handout/step_log.hpp"

namespace lockstep::cli {

/// The files of a run's handouts, opened before the run and written after it.
class handout_files {
 public:
  static constexpr int most_processors = 256;

  /// Errors: usage_error for a network with more processors, a file or folder that cannot be written,
  /// or is named twice, clips without ffmpeg; invalid_topology.
  explicit handout_files(view_command const& asked);

  [[nodiscard]] step_log* watching() { return &m_log; }
  /// Writes the files. Errors: std::runtime_error where one cannot be made, or written to its end.
  void write(report const& of) { write_all(&of, {}); }
  /// Writes those of a run that failed. The run's error is thrown on, so a line on the standard error
  /// stream says where one cannot be written.
  void write_after_error(std::string const& failure) noexcept;

 private:
  void write_all(report const* of, std::string const& failure);
  void open(char const* option, std::filesystem::path const& file, char const* ending);
  void write_file(std::string const& option, std::string const& bytes);
  void write_folder(std::vector<drawing> const& pages);

  view_command const& m_asked;
  std::shared_ptr<topology const> m_network;
  step_log m_log;
  std::map<std::string, std::unique_ptr<output_file>> m_files;  ///< by option
};

}  // namespace lockstep::cli
