#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands/command_line.hpp"
#include "commands/usage_error.hpp"

namespace lockstep::cli {

/// One command of a tool: its options, and what it reads from them.
class command_part {
 public:
  command_part(CLI::App& parser, tool const& of, std::string const& name,
               std::string const& summary);
  command_part(command_part const&) = delete;
  command_part& operator=(command_part const&) = delete;
  virtual ~command_part() = default;

  /// Reads the request. Errors: usage_error.
  [[nodiscard]] virtual command read() const = 0;
  /// Makes the text of `--help`.
  [[nodiscard]] virtual std::string help() const { return m_options.help(m_tool.name); }
  /// Puts the options that only some algorithms take into a group. In none, "", they are shown with
  /// their algorithms, and the parser does not say their names.
  virtual void group_parameters(std::string const& /*group*/) {}

  [[nodiscard]] CLI::App const& options() const { return m_options; }
  /// Whether it is the command of this command line.
  [[nodiscard]] bool is_chosen() const { return m_options.parsed(); }

 protected:
  /// Adds an option that takes a text; the last one counts until repeats are refused.
  CLI::Option* add_text(char const* name, std::string& value, std::string const& help);

  [[nodiscard]] bool is_given(std::string const& option) const {
    return m_options.count(option) > 0;
  }
  /// Reads the value of an option that is given. Errors: usage_error for an empty one.
  template <class Value>
  [[nodiscard]] std::optional<Value> if_given(std::string const& option,
                                              std::string const& text) const {
    if (!is_given(option)) return std::nullopt;
    if (text.empty()) throw usage_error(fmt::format("{} needs a value", option));
    return Value(text);
  }
  /// Refuses words and options that the command does not know. Errors: usage_error.
  void refuse_extras() const;

  // NOLINTBEGIN(cppcoreguidelines-non-private-member-variables-in-classes)
  tool const& m_tool;
  CLI::App& m_options;
  // NOLINTEND(cppcoreguidelines-non-private-member-variables-in-classes)
};

}  // namespace lockstep::cli
