#include "command_line.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "completion.hpp"
#include "manual.hpp"
#include "parts/grade_part.hpp"
#include "parts/help.hpp"
#include "parts/option_values.hpp"
#include "parts/other_commands.hpp"
#include "parts/run_commands.hpp"
#include "parts/sweep_part.hpp"
#include "suggest.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

std::string version_of(tool const& of) {
  return of.has_papers ? "lockstep " LOCKSTEP_VERSION
                       : fmt::format("{}, with lockstep " LOCKSTEP_VERSION,
                                     of.name.substr(of.name.rfind('/') + 1));
}

/// Writes a run to try.
std::string example_run(tool const& of) {
  if (std::ranges::find(of.known, "all-to-all", &experiment::name) != of.known.end())
    return fmt::format("{} run all-to-all --on torus:12x12", of.name);
  if (of.known.empty()) return of.name + " list";
  auto const& first = of.known.front();
  return fmt::format("{} run {} --on {}", of.name, first.name, first.examples.front());
}

/// The commands of a tool, and the parser that knows their options.
class grammar {
 public:
  grammar(tool const& of, run_place place);

  /// Reads the command line, the tool's name first. Errors: usage_error.
  [[nodiscard]] command read(int count, char const* const* arguments);
  [[nodiscard]] std::vector<command_entry> commands() const;

 private:
  void group_parameters(std::string const& group);
  [[nodiscard]] command_part const* chosen() const;
  [[nodiscard]] std::string help() const;
  [[nodiscard]] std::string how_to_begin() const;
  void check_words() const;
  void check_repeats() const;

  tool const& m_tool;
  CLI::App m_app;
  std::vector<std::unique_ptr<command_part>> m_parts;
};

/// Reads the words of a run that stands beside another, without the tool's name.
command read_beside(std::vector<std::string> const& words, tool const& of) {
  std::vector<char const*> arguments{of.name.c_str()};
  for (auto const& one : words) arguments.push_back(one.c_str());
  return grammar(of, run_place::in_beside)
      .read(static_cast<int>(arguments.size()), arguments.data());
}

grammar::grammar(tool const& of, run_place place) : m_tool(of) {
  m_app.name(m_tool.name);
  m_app.description(fmt::format(
      "{} runs programs for distributed-memory machines, and counts what they cost.", m_tool.name));
  m_app.option_defaults()->disable_flag_override();
  m_app.set_help_flag("-h,--help", "Show this help and end");
  m_app.set_version_flag("--version", version_of(m_tool), "Show the version and end");
  m_app.require_subcommand(0, 1);
  m_app.allow_extras();
  m_app.footer(fmt::format(
      "Try: {}\n"
      "Exit status: 0 all right; 1 wrong result, machine error, a claim that unexpectedly does "
      "not\n"
      "hold, or a file that could not be written; 2 bad usage or input.",
      example_run(m_tool)));
  m_parts.push_back(std::make_unique<list_part>(m_app, of));
  m_parts.push_back(std::make_unique<run_part>(m_app, of, place));
  m_parts.push_back(std::make_unique<explain_part>(m_app, of));
  m_parts.push_back(std::make_unique<view_part>(
      m_app, of, [&of](std::vector<std::string> const& words) { return read_beside(words, of); }));
  m_parts.push_back(std::make_unique<sweep_part>(m_app, of));
  m_parts.push_back(std::make_unique<compare_part>(
      m_app, of, [&of](std::vector<std::string> const& words) { return read_beside(words, of); }));
  m_parts.push_back(std::make_unique<calibrate_part>(m_app, of));
  if (of.has_papers) {
    m_parts.push_back(std::make_unique<grade_part>(m_app, of));
    m_parts.push_back(std::make_unique<paper_part>(m_app, of));
    m_parts.push_back(std::make_unique<figure_part>(m_app, of));
  }
  group_parameters("");
}

void grammar::group_parameters(std::string const& group) {
  for (auto const& part : m_parts) part->group_parameters(group);
}

command_part const* grammar::chosen() const {
  auto const found = std::ranges::find_if(m_parts, &command_part::is_chosen);
  return found == m_parts.end() ? nullptr : found->get();
}

std::string grammar::help() const {
  auto const* const part = chosen();
  return part == nullptr ? m_app.help() : part->help();
}

command grammar::read(int count, char const* const* arguments) {
  group_parameters("Parameters");
  try {
    m_app.parse(count, arguments);
  } catch (CLI::CallForHelp const&) {
    group_parameters("");
    return show_text{help()};
  } catch (CLI::CallForVersion const& version) {
    return show_text{std::string(version.what()) + '\n'};
  } catch (CLI::ArgumentMismatch const& problem) {
    throw usage_error(value_refusal(problem.what()));
  } catch (CLI::ParseError const& problem) {
    throw usage_error(fmt::format("{}; see {} --help", problem.what(), m_tool.name));
  }
  check_words();
  check_repeats();
  return chosen()->read();
}

std::vector<command_entry> grammar::commands() const {
  std::vector<command_entry> all;
  for (auto const& part : m_parts) {
    all.push_back(entry_of(part->options()));
    // One that has none of its own shows the one of all.
    if (all.back().footer == m_app.get_footer()) all.back().footer.clear();
  }
  return all;
}

/// An option that is given twice could mean either value.
void grammar::check_repeats() const {
  for (auto const* const part : m_app.get_subcommands())
    for (auto const* const option : part->get_options())
      if (option->count() > 1)
        throw usage_error(fmt::format("--{} is given {} times; give it once",
                                      option->get_lnames().front(), option->count()));
}

/// Lists the commands, as the answer to a command line without one.
std::string grammar::how_to_begin() const {
  std::string text = "give a command: ";
  for (auto const& part : m_parts) {
    auto const entry = entry_of(part->options());
    text += fmt::format("{} {}{}{}, ", m_tool.name, entry.name,
                        entry.argument.empty() ? "" : " " + entry.argument,
                        entry.argument == "ALGORITHM" ? " --on TOPOLOGY" : "");
  }
  return text + fmt::format("or {} --help", m_tool.name);
}

/// There has to be a command, and nothing before it.
void grammar::check_words() const {
  auto const before = m_app.remaining(false);
  if (!before.empty() && before.front().starts_with('-'))
    throw usage_error(
        fmt::format("there is no option {}; see {} --help", before.front(), m_tool.name));
  std::vector<std::string> names;
  for (auto const& part : m_parts) names.push_back(part->options().get_name());
  if (!before.empty())
    throw usage_error(fmt::format("there is no command '{}'; {}", before.front(),
                                  suggestion(before.front(), names)));
  if (chosen() == nullptr) throw usage_error(how_to_begin());
}

}  // namespace

std::vector<command_entry> known_commands(tool const& of) {
  return grammar(of, run_place::in_command).commands();
}

std::vector<option_entry> options_of(experiment const& one) {
  std::vector<option_entry> options;
  options.reserve(one.parameters.size());
  for (auto const& parameter : one.parameters)
    options.push_back({.name = "--" + parameter.name,
                       .help = help_of(parameter),
                       .takes_value = !is_flag(parameter)});
  return options;
}

command read_command_line(int count, char const* const* arguments, tool const& of) {
  std::vector<std::string> const words(arguments + std::min(count, 1), arguments + count);
  // For shells, packages and `grade`, not for people: none of them is in the help.
  if (words.size() == 2 && words.front() == "completion")
    return show_text{completion_script(words.back(), of.name)};
  if (!words.empty() && words.front() == "complete")
    return show_text{as_lines(completions({words.begin() + 1, words.end()}, of))};
  if (of.has_papers && words == std::vector<std::string>{"manual"})
    return show_text{manual_page(of)};
  if (of.has_papers && words.size() == 3 && words.front() == "grade-one")
    return grade_one_command{.submission = words[1], .test = words[2]};
  return grammar(of, run_place::in_command).read(count, arguments);
}

}  // namespace lockstep::cli
