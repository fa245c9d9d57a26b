#pragma once

#include <string>

#include "command_part.hpp"

namespace lockstep::cli {

/// `grade`.
class grade_part : public command_part {
 public:
  grade_part(CLI::App& parser, tool const& of);
  [[nodiscard]] command read() const override;

 private:
  [[nodiscard]] process_limits limits() const;

  std::string m_folder;
  std::string m_test;
  std::string m_compiler;
  std::string m_seconds;
  std::string m_memory;
  std::string m_parallel = "0";
  bool m_csv = false;
  bool m_json = false;
};

}  // namespace lockstep::cli
