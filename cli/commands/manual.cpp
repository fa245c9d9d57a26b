#include "manual.hpp"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/topologies/catalog.hpp>

#include "command_line.hpp"
#include "models.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

/// How the typesetter wants a character that it would take for something else.
std::string escaped(char one) {
  switch (one) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    default:
      return {one};
  }
}

std::string escaped(std::string_view text) {
  std::string result;
  for (char const one : text) result += escaped(one == '\n' ? ' ' : one);
  return result;
}

/// Prose in lines; none of them looks like a request.
std::string prose(std::string_view text) {
  std::string result;
  for (auto const& line : wrapped(escaped(text), 78))
    result += fmt::format("{}{}\n", line.starts_with('.') ? "\\&" : "", line);
  return result;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", escaped(text)); }

std::string section(std::string_view title) { return fmt::format(".SH {}\n", title); }
std::string part(std::string_view title) { return fmt::format(".SS {}\n", escaped(title)); }

/// A paragraph below a label.
std::string item(std::string_view label, std::string_view text) {
  return fmt::format(".TP\n{}\n{}", label, prose(text));
}

std::string lines_as_they_are(std::initializer_list<std::string_view> lines) {
  std::string text = ".PP\n.nf\n.RS\n";
  for (auto const line : lines) text += escaped(line) + '\n';
  return text + ".RE\n.fi\n";
}

/// Finds the name of an option's value: the word in capitals that its help starts with.
std::string_view value_name(option_entry const& option) {
  auto const word = std::string_view(option.help).substr(0, option.help.find_first_of(" :,"));
  auto const capitals = word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ-");
  return word.size() > 1 && capitals == std::string_view::npos ? word : "VALUE";
}

std::string item(option_entry const& option) {
  auto label = bold(option.name);
  if (option.name == "--help") label = fmt::format("{}, {}", bold("-h"), label);
  if (!option.values.empty())
    label += ' ' + escaped(fmt::format("{}", fmt::join(option.values, "|")));
  else if (option.takes_value)
    label += ' ' + italic(value_name(option));
  return item(label, option.help);
}

std::string head() {
  return fmt::format(".TH LOCKSTEP 1 {} \"lockstep {}\" \"User Commands\"\n", LOCKSTEP_RELEASE_DATE,
                     LOCKSTEP_VERSION) +
         section("NAME") +
         "lockstep \\- run programs for distributed\\-memory machines, and count what they cost\n";
}

std::string synopsis(std::span<command_entry const> commands) {
  auto text = section("SYNOPSIS");
  for (auto const& one : commands) {
    text += fmt::format("{} {}", bold("lockstep"), bold(one.name));
    if (!one.argument.empty()) text += ' ' + italic(one.argument);
    if (one.argument == "ALGORITHM")
      text += fmt::format(" {} {}", bold("--on"), italic("TOPOLOGY"));
    text += fmt::format(" [{}]\n.br\n", italic("OPTION ..."));
  }
  return text + fmt::format("{} {}\n.br\n{} {}\n", bold("lockstep"), bold("--help"),
                            bold("lockstep"), bold("--version"));
}

std::string description() {
  return section("DESCRIPTION") +
         prose(
             "lockstep turns one computer into any distributed-memory machine that you name: p "
             "processors with private memory, joined as a torus, a hypercube or another of the "
             "topologies below. It runs an algorithm on it with real data, checks the result "
             "against a sequential computation, and counts steps, start-ups, words, hops and link "
             "contention exactly, beside what the algorithm's paper claims.");
}

std::string commands_section(std::span<command_entry const> commands) {
  auto text = section("COMMANDS");
  for (auto const& one : commands)
    text +=
        item(bold(one.name), one.footer.empty() ? one.summary + '.'
                                                : fmt::format("{}. {}", one.summary, one.footer));
  return text;
}

std::string options_section(std::span<command_entry const> commands) {
  auto text = section("OPTIONS") + prose("Each is given once at most.");
  for (auto const& one : commands) {
    text += part("lockstep " + one.name);
    for (auto const& option : one.options) text += item(option);
  }
  return text;
}

std::string algorithms_section(std::span<experiment const> known) {
  auto text = section("ALGORITHMS");
  text += prose("With the options that each takes in addition to those above.");
  for (auto const& one : known) {
    text += part(one.name);
    text += prose(fmt::format("{}. On {}. {}.", one.summary, one.topologies, one.source));
    for (auto const& option : options_of(one)) text += item(option);
  }
  return text;
}

std::string topologies_section() {
  auto text = section("TOPOLOGIES");
  for (auto const& one : topology_kinds()) text += item(bold(one.examples.front()), one.summary);
  return text;
}

std::string models_section() {
  auto text = section("COST MODELS");
  text += prose("NAME, or NAME:PARAMETER=VALUE,... to change parameters from these values.");
  for (auto const& one : model_entries()) {
    auto const parameters = parameter_values_of(one);
    text += item(bold(one.name),
                 fmt::format("{}{}{}", one.summary, parameters.empty() ? "" : ": ", parameters));
  }
  return text;
}

std::string papers_section() {
  auto text = section("PAPERS AND FIGURES");
  for (auto const& one : papers()) text += item(bold(one.name), one.source);
  for (auto const& one : figures()) text += item(bold(one.name), one.summary);
  return text;
}

std::string status_section() {
  return section("EXIT STATUS") + item(bold("0"), "All right.") +
         item(
             bold("1"),
             "A wrong result, an error of the machine, a claim that unexpectedly does not hold, or "
             "a file that could not be written completely.") +
         item(bold("2"), "Bad usage or input; one line says what to do.");
}

std::string files_section() {
  return section("FILES") +
         prose(
             "Matrices are text, a row a line, or NumPy's .npy of float64, float32, int64 or "
             "int32. "
             "Columns of numbers are CSV with a row of titles. Keys are whole numbers, one a line, "
             "or raw. Text may begin with a byte order mark. With an input file, options that "
             "describe generated input are refused.") +
         ".PP\n" +
         prose(
             "Files that cannot be opened are refused before anything is run. Output goes to a "
             "temporary file, which is renamed when it is complete. Until then, and if the run is "
             "refused or interrupted, an existing file of that name is untouched. Pipes, devices "
             "and symbolic links are written in place. If a disk is full, or a file reaches a "
             "limit, the results are printed, and the status is 1.");
}

std::string examples_section() {
  struct example {
    char const* what;
    char const* line;
  };
  constexpr std::array all{
      example{"A complete exchange, priced for an Intel Paragon:",
              "lockstep run all-to-all --on torus:12x12 --model paragon"},
      example{"What comes in at each processor in each step:",
              "lockstep explain pipelined-prefix --on tree:4 --k 20"},
      example{"A page for a browser that shows a run step by step:",
              "lockstep view prefix --on tree:4 --output prefix.html"},
      example{"Two schemes for several sizes of a block, with a plot:",
              "lockstep sweep all-reduce --on torus:4x4 --scheme ring,tree --words "
              "1..4096*4 --model loggp --plot schemes.svg"},
      example{"Two files of runs beside each other:", "lockstep compare before.json after.json"},
      example{"What a comparison of a sort takes on this computer, as a price for cost models:",
              "lockstep calibrate"},
      example{"The programs of a class, by the test of a lesson:",
              "lockstep grade submissions --test broadcast --csv"},
      example{"A file of whole numbers, sorted by 16 processors:",
              "lockstep run radix-sort --on crossbar:16 --input keys.txt --output sorted.txt"},
      example{"A paper's tables, each value beside what is counted:", "lockstep paper suh-shin"}};
  std::vector<std::string> texts;
  for (auto const& [what, line] : all) texts.push_back(prose(what) + lines_as_they_are({line}));
  return section("EXAMPLES") + fmt::format("{}", fmt::join(texts, ".PP\n"));
}

std::string see_also() {
  return section("SEE ALSO") + ".BR pkg\\-config (1)\n" + ".PP\n" +
         prose(
             "Programs of your own use the library: find_package(lockstep) in CMake, or "
             "pkg-config lockstep.");
}

}  // namespace

std::string manual_page(tool const& of) {
  auto const commands = known_commands(of);
  std::string page;
  for (auto const& one : {head(), synopsis(commands), description(), commands_section(commands),
                          options_section(commands), algorithms_section(of.known),
                          topologies_section(), models_section(), papers_section(),
                          status_section(), files_section(), examples_section(), see_also()})
    page += one;
  return page;
}

}  // namespace lockstep::cli
