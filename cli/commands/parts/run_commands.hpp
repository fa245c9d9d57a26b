#pragma once

#include <functional>
#include <string>
#include <vector>

#include "running_part.hpp"

namespace lockstep::cli {

/// `run`.
class run_part : public running_part {
 public:
  run_part(CLI::App& parser, tool const& of, run_place place);
  [[nodiscard]] command read() const override { return read_run(); }
};

/// `explain`.
class explain_part : public running_part {
 public:
  explain_part(CLI::App& parser, tool const& of);
  [[nodiscard]] command read() const override;

 private:
  std::string m_processors;
  std::string m_steps;
  std::string m_show = "senders";
};

/// `view`.
class view_part : public running_part {
 public:
  /// `read_beside` reads the words of the run beside, as they stand after the tool's name.
  view_part(CLI::App& parser, tool const& of,
            std::function<command(std::vector<std::string> const&)> read_beside);
  [[nodiscard]] command read() const override;

 private:
  [[nodiscard]] run_command beside_from(std::string const& line) const;
  [[nodiscard]] gallery_command read_gallery() const;
  [[nodiscard]] asked_handouts read_handouts() const;

  std::function<command(std::vector<std::string> const&)> m_read_beside;
  std::string m_gallery;
  std::string m_output;
  std::string m_beside;
  std::string m_pdf;
  std::string m_per_page;
  std::string m_slides;
  std::string m_svg;
  std::string m_gif;
  std::string m_webm;
};

}  // namespace lockstep::cli
