#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "command_part.hpp"

namespace lockstep::cli {

/// Where the words of a run stand.
enum class run_place : std::uint8_t {
  in_command,  ///< after the name of a command
  in_beside    ///< in the value of --beside
};

/// Whether the algorithm has a parameter of that name.
[[nodiscard]] bool takes(experiment const& one, std::string_view parameter);

/// A command that runs an algorithm: the options of every run, and those of the algorithms.
class running_part : public command_part {
 public:
  [[nodiscard]] std::string help() const override;
  void group_parameters(std::string const& group) override;

 protected:
  /// The command's --output: a run's result, a page, or none. Only the first takes --trace, too.
  enum class output_is : std::uint8_t { result, page, none };

  running_part(CLI::App& parser, tool const& of, std::string const& name,
               std::string const& summary, output_is kind, run_place place);

  /// Adds the options of every run, below those that the command has added.
  void add_run_options();

  /// The options as texts.
  struct texts {
    std::string what{};
    std::string on{};
    std::string input{};
    std::string output{};
    std::string trace{};
    std::string model{};
    std::string sharing = "none";
    std::string in_port = "one";
    std::string ports{};
    std::string engine = "fibers";
    std::string workers = "0";
    std::string stacks = "own";
    std::string values{};
    std::map<std::string, std::string> parameters{};  ///< and "seed"
    /// Finds the text of an option, by its name without dashes.
    [[nodiscard]] std::string& text_of(std::string const& option);

    bool strict = false;
    bool json = false;
    bool table = false;
  };

  /// Reads the run. Errors: usage_error.
  [[nodiscard]] run_command read_run() const { return read_run(given()); }
  /// Reads a run that has these texts in place of those that are given. Errors: usage_error.
  [[nodiscard]] run_command read_run(texts const& given) const;
  /// Finds the algorithm; without a name the only one that there is. Errors: usage_error.
  [[nodiscard]] experiment const& chosen_algorithm(std::string const& name) const;
  /// The options, with those parameters alone that are given.
  [[nodiscard]] texts given() const;

 private:
  void add_parameters();
  /// Writes a run as it is typed where this one is.
  [[nodiscard]] std::string as_typed(std::string_view run) const;
  void check_parameters(experiment const& chosen, texts const& given) const;
  void check_files(experiment const& chosen) const;
  void check_generated_input(experiment const& chosen) const;
  [[nodiscard]] machine_options machine_of(experiment const& chosen, texts const& given) const;
  [[nodiscard]] std::map<std::string, parameter_value> parameters_of(experiment const& chosen,
                                                                     texts const& given) const;
  [[nodiscard]] std::string take_told(machine_of_input const& told, std::string const& file,
                                      std::string& on, machine_options& options) const;
  [[nodiscard]] input_values values_asked(texts const& given) const;
  [[nodiscard]] bool writes_result() const { return m_kind == output_is::result; }

  output_is m_kind;
  run_place m_place;
  texts m_given;
  std::vector<CLI::Option*> m_of_algorithms;
};

}  // namespace lockstep::cli
