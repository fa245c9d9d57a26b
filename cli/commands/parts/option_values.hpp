#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/experiments/parameter.hpp>
#include <lockstep/options.hpp>

#include "commands/command_line.hpp"
#include "commands/usage_error.hpp"
#include "explain/cell_content.hpp"

namespace lockstep::cli {

/// Reads a 64-bit number. Errors of all: usage_error, which names the option.
[[nodiscard]] std::int64_t whole_number(std::string const& option, std::string const& text);
/// Reads a number, if the text is one.
[[nodiscard]] std::optional<double> plain_number(std::string_view text);
/// Reads a limit of 0 or more: one that no network reaches does as well as a larger one.
[[nodiscard]] int clamped_number(std::string const& option, std::string const& text);
/// Reads the text as a value of the type that `like` has.
[[nodiscard]] parameter_value value_like(parameter_value const& like, std::string const& option,
                                         std::string const& text);

/// Whether a parameter is given by its name alone.
[[nodiscard]] bool is_flag(parameter const& one);

/// The words that an option takes, each with its value.
template <class Value>
using choices = std::vector<std::pair<std::string, Value>>;

[[nodiscard]] choices<cell_content> cell_contents();
[[nodiscard]] choices<ports> port_rules();
[[nodiscard]] choices<switching> switching_rules();
[[nodiscard]] choices<engine> engines();
[[nodiscard]] choices<stacks> kinds_of_stacks();
[[nodiscard]] choices<input_values> kinds_of_values();
/// Whether messages that share a link take turns.
[[nodiscard]] choices<bool> link_sharings();
/// Whether in-ports are free, so that several messages come in at a time.
[[nodiscard]] choices<bool> in_port_rules();

/// Which axes of a plot are logarithmic.
[[nodiscard]] choices<plot_scales> log_axes();

template <class Value>
[[nodiscard]] std::vector<std::string> names_of(choices<Value> const& among) {
  std::vector<std::string> names;
  for (auto const& [name, value] : among) names.push_back(name);
  return names;
}

/// Finds the word of a value, which has one.
template <class Value>
[[nodiscard]] std::string name_in(choices<Value> const& among, Value const& of) {
  for (auto const& [name, value] : among)
    if (value == of) return name;
  return {};
}

/// Finds the value of the word. Errors: usage_error, with the words that there are.
template <class Value>
[[nodiscard]] Value choice(std::string const& option, std::string const& text,
                           choices<Value> const& among) {
  for (auto const& [name, value] : among)
    if (name == text) return value;
  throw usage_error(
      fmt::format("{}: '{}' is not one of {}", option, text, fmt::join(names_of(among), ", ")));
}

/// Lists the words that an option takes, if it takes one of a few.
[[nodiscard]] std::vector<std::string> values_of(std::string_view option);

}  // namespace lockstep::cli
