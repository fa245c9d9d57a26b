#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command_part.hpp"

namespace lockstep::cli {

/// `list`.
class list_part : public command_part {
 public:
  list_part(CLI::App& parser, tool const& of);
  [[nodiscard]] command read() const override;

 private:
  bool m_json = false;
};

/// `compare`.
class compare_part : public command_part {
 public:
  /// `read_run` reads the words of a run, as they stand after the tool's name.
  compare_part(CLI::App& parser, tool const& of,
               std::function<command(std::vector<std::string> const&)> read_run);
  [[nodiscard]] command read() const override;

 private:
  [[nodiscard]] compared_side side_from(std::string const& text) const;

  std::function<command(std::vector<std::string> const&)> m_read_run;
  std::string m_one;
  std::string m_other;
  std::string m_plot;
  bool m_equal = false;
};

/// `calibrate`.
class calibrate_part : public command_part {
 public:
  calibrate_part(CLI::App& parser, tool const& of);
  [[nodiscard]] command read() const override;

 private:
  std::string m_elements;
  bool m_json = false;
};

/// `paper`.
class paper_part : public command_part {
 public:
  paper_part(CLI::App& parser, tool const& of);
  [[nodiscard]] command read() const override;

 private:
  std::string m_name;
  std::string m_processors;
  bool m_json = false;
  bool m_missing = false;
};

/// `figure`.
class figure_part : public command_part {
 public:
  figure_part(CLI::App& parser, tool const& of);
  [[nodiscard]] command read() const override;

 private:
  std::string m_name;
  std::string m_folder;
  std::string m_up_to;
};

}  // namespace lockstep::cli
