#include "help.hpp"

#include <cstdint>
#include <limits>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "option_values.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

option_entry entry_of(CLI::Option const& option) {
  auto const name = "--" + option.get_lnames().front();
  return {.name = name,
          .help = option.get_description(),
          .takes_value = option.get_items_expected_max() > 0,
          .values = values_of(name)};
}

/// "  --name VALUE  what it is", further lines below the help text.
std::string described(std::string const& option, std::string const& help) {
  auto const lines = wrapped(help, page_width - help_column);
  return fmt::format("{:<{}}{}\n", "  --" + option, help_column,
                     fmt::join(lines, '\n' + std::string(help_column, ' ')));
}

/// Writes the range of a whole number that has an end: "; 1 to 50000".
std::string range_of(parameter const& one) {
  if (!one.least || *one.most == std::numeric_limits<std::int64_t>::max()) return {};
  return fmt::format("; {} to {}", *one.least, *one.most);
}

std::string described(parameter const& one) {
  return described(is_flag(one) ? one.name : one.name + " VALUE", help_of(one));
}

}  // namespace

command_entry entry_of(CLI::App const& part) {
  command_entry entry{.name = part.get_name(),
                      .summary = part.get_description(),
                      .argument = {},
                      .footer = part.get_footer(),
                      .options = {}};
  for (auto const* option : part.get_options()) {
    if (option->get_positional())
      entry.argument += (entry.argument.empty() ? "" : " ") + option->get_name(true);
    else if (!option->get_group().empty())
      entry.options.push_back(entry_of(*option));
  }
  return entry;
}

std::string help_of(parameter const& one) {
  if (is_flag(one)) return one.help;
  auto const fallback =
      std::visit([](auto const& value) { return fmt::format("{}", value); }, one.fallback);
  return fmt::format("{} (default {}{})", one.help, fallback.empty() ? "none" : fallback,
                     range_of(one));
}

std::string described(experiment const& one) {
  auto const summary = wrapped(
      one.summary.empty() ? one.name : fmt::format("{}: {}", one.name, one.summary), page_width);
  auto text = fmt::format("\n{}\n  on {}\n", fmt::join(summary, "\n"), one.topologies);
  for (auto const& parameter : one.parameters) text += described(parameter);
  return text;
}

std::string value_refusal(std::string_view problem) {
  if (problem.ends_with("flag override"))
    return fmt::format("--{}: a flag takes no value", problem.substr(0, problem.find(' ')));
  return fmt::format("{} needs a value", problem.substr(0, problem.find(':')));
}

}  // namespace lockstep::cli
