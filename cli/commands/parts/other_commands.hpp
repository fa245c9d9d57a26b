#pragma once

#include <string>

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

/// `paper`.
class paper_part : public command_part {
 public:
  paper_part(CLI::App& parser, tool const& of);
  [[nodiscard]] command read() const override;

 private:
  std::string m_name;
  std::string m_processors;
  bool m_json = false;
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
