#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/algorithms/papers.hpp>
#include <lockstep/algorithms/registry.hpp>
#include <lockstep/options.hpp>

#include "selection.hpp"

namespace lockstep::cli {

/// `lockstep list`.
struct list_command {
  bool json = false;
};

/// `lockstep run ALGORITHM --on TOPOLOGY ...`.
struct run_command {
  algorithm const* what = nullptr;
  std::string on{};  ///< the topology's specification
  machine_options options{};
  std::map<std::string, named_value> parameters{};  ///< all that the algorithm takes, and "seed"
  std::optional<std::filesystem::path> input{};
  std::optional<std::filesystem::path> output{};
  std::optional<std::filesystem::path> trace{};
  std::optional<std::string> model{};
  bool json = false;
  bool table = false;
};

/// `lockstep explain ALGORITHM --on TOPOLOGY ...`.
struct explain_command {
  run_command run{};
  std::vector<int>
      processors{};  ///< those to show, in rank order; none: as many as there is room for
  step_range steps{1, most_steps_shown};  ///< those to show
};

/// `lockstep paper NAME`.
struct paper_command {
  paper_entry const* what = nullptr;
  std::optional<int> most_processors{};  ///< leaves out larger networks
  bool json = false;
};

/// `lockstep figure NAME`.
struct figure_command {
  figure_entry const* what = nullptr;
  std::filesystem::path folder = ".";  ///< gets the files
  std::optional<int> up_to{};          ///< leaves out networks with larger sides
};

/// Text that was asked for: help or the version.
struct show_text {
  std::string text;
};

using command = std::variant<list_command, run_command, explain_command, paper_command,
                             figure_command, show_text>;

/// Reads the command line. `known` are the algorithms there are; they have to outlive the command.
/// Errors: usage_error, in one line.
[[nodiscard]] command read_command_line(int count, char const* const* arguments,
                                        std::span<algorithm const> known);

}  // namespace lockstep::cli
