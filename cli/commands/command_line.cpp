#include "command_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <lockstep/topologies/catalog.hpp>

#include "completion.hpp"
#include "manual.hpp"
#include "report/text_table.hpp"
#include "suggest.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

/// The words of the command line, before they are looked at.
struct raw_run {
  std::string what;
  std::string on;
  std::string input;
  std::string output;
  std::string trace;
  std::string model;
  std::string ports;
  std::string engine = "fibers";
  std::string workers = "0";
  std::string stacks = "own";
  bool strict = false;
  bool json = false;
  bool table = false;
  std::map<std::string, std::string> parameters;
};

struct raw_explain {
  std::string processors;
  std::string steps;
  std::string show = "senders";
};

struct raw_view {
  std::string gallery;
  std::string output;
  std::string beside;
};

struct raw_paper {
  std::string what;
  std::string processors;
  bool json = false;
};

struct raw_figure {
  std::string what;
  std::string output;
  std::string up_to;
};

/// The command line's grammar, and where its values go.
class grammar {
 public:
  explicit grammar(std::span<experiment const> known);

  [[nodiscard]] command read(int count, char const* const* arguments);
  [[nodiscard]] std::vector<command_entry> commands() const;

 private:
  void add_list();
  void add_run();
  void add_explain();
  void add_view();
  void add_run_options(CLI::App& part);
  void add_parameters(CLI::App& part);
  void add_paper();
  void add_figure();
  static void add_text(CLI::App& part, char const* name, std::string& value,
                       std::string const& help);

  /// The command that runs an algorithm.
  [[nodiscard]] CLI::App const& running() const {
    if (m_view->parsed()) return *m_view;
    return m_explain->parsed() ? *m_explain : *m_run;
  }
  /// Writes a run as it is typed where this one is.
  [[nodiscard]] std::string as_typed(std::string_view run) const {
    return m_is_beside ? fmt::format("--beside \"{}\"", run)
                       : fmt::format("lockstep {} {}", running().get_name(), run);
  }
  [[nodiscard]] bool is_given(std::string const& option) const {
    return running().count(option) > 0;
  }
  template <class Value>
  [[nodiscard]] std::optional<Value> if_given(std::string const& option,
                                              std::string const& text) const {
    if (!is_given(option)) return std::nullopt;
    if (text.empty()) throw usage_error(fmt::format("{} needs a value", option));
    return Value(text);
  }

  void check_words() const;
  void check_extras(CLI::App const& part) const;
  void check_repeats() const;
  void check_made_input(experiment const& chosen) const;
  [[nodiscard]] std::vector<std::string> options_of(CLI::App const& part) const;
  [[nodiscard]] experiment const& chosen_algorithm() const;
  void check_given_parameters(experiment const& chosen) const;
  [[nodiscard]] run_command run_from() const;
  [[nodiscard]] explain_command explain_from() const;
  [[nodiscard]] view_command view_from() const;
  [[nodiscard]] run_command beside_from(std::string const& line) const;
  [[nodiscard]] gallery_command gallery_from() const;
  [[nodiscard]] command read_words(std::vector<std::string> const& words);
  [[nodiscard]] paper_command paper_from() const;
  [[nodiscard]] figure_command figure_from() const;
  [[nodiscard]] machine_options machine_from(experiment const& chosen) const;
  [[nodiscard]] std::map<std::string, parameter_value> parameters_for(
      experiment const& chosen) const;
  [[nodiscard]] std::string help() const;
  /// Puts the parameters of algorithms into a group. In none, "", they are shown with their
  /// algorithms, and the parser does not say their names.
  void group_parameters(std::string const& group);

  std::span<experiment const> m_known;
  bool m_is_beside = false;  ///< whether it reads what follows --beside
  CLI::App m_app{
      "lockstep runs programs for distributed-memory machines, and counts what they cost."};
  CLI::App* m_list = nullptr;
  CLI::App* m_run = nullptr;
  CLI::App* m_explain = nullptr;
  CLI::App* m_view = nullptr;
  CLI::App* m_paper = nullptr;
  CLI::App* m_figure = nullptr;
  std::vector<CLI::Option*> m_of_algorithms;
  list_command m_list_options;
  raw_paper m_raw_paper;
  raw_figure m_raw_figure;
  raw_run m_raw;
  raw_explain m_raw_explain;
  raw_view m_raw_view;
};

std::int64_t whole_number(std::string const& option, std::string const& text) {
  std::int64_t value = 0;
  auto const* const end = text.data() + text.size();
  auto const [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc::result_out_of_range)
    throw usage_error(fmt::format("{}: {} is too large; give a 64-bit number", option, text));
  if (problem != std::errc{} || stopped != end)
    throw usage_error(fmt::format("{}: '{}' is not a whole number", option, text));
  return value;
}

/// A limit: one that no network reaches does as well as a larger one.
int clamped_number(std::string const& option, std::string const& text) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp<std::int64_t>(whole_number(option, text), 0, most));
}

double real_number(std::string const& option, std::string const& text) {
  double value = 0;
  auto const* const end = text.data() + text.size();
  auto const [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stopped != end)
    throw usage_error(fmt::format("{}: '{}' is not a number", option, text));
  return value;
}

/// A flag that is given is "true".
bool truth(std::string const& option, std::string const& text) {
  if (text != "true" && text != "false")
    throw usage_error(fmt::format("{}: a flag takes no value; leave out '{}'", option, text));
  return text == "true";
}

bool is_flag(parameter const& one) { return std::holds_alternative<bool>(one.fallback); }

/// The text as a value of the type that `like` has.
parameter_value value_like(parameter_value const& like, std::string const& option,
                           std::string const& text) {
  return std::visit(
      [&]<class T>(T const&) -> parameter_value {
        if constexpr (std::same_as<T, std::int64_t>) return whole_number(option, text);
        if constexpr (std::same_as<T, double>) return real_number(option, text);
        if constexpr (std::same_as<T, bool>) return truth(option, text);
        return text;
      },
      like);
}

/// Lists the names of papers or figures.
template <class Entry>
std::vector<std::string> names_of(std::span<Entry const> entries) {
  std::vector<std::string> names;
  for (auto const& entry : entries) names.push_back(entry.name);
  return names;
}

template <class Value>
using choices = std::vector<std::pair<std::string, Value>>;

choices<cell_content> cell_contents() {
  return {{"senders", cell_content::senders},
          {"words", cell_content::words},
          {"values", cell_content::values}};
}

choices<ports> port_rules() {
  return {{"one", ports::one}, {"all", ports::all}, {"per-pass", ports::per_pass}};
}

choices<engine> engines() { return {{"fibers", engine::fibers}, {"threads", engine::threads}}; }

choices<stacks> kinds_of_stacks() { return {{"own", stacks::own}, {"copied", stacks::copied}}; }

template <class Value>
std::vector<std::string> names_of(choices<Value> const& among) {
  std::vector<std::string> names;
  for (auto const& [name, value] : among) names.push_back(name);
  return names;
}

template <class Value>
Value choice(std::string const& option, std::string const& text, choices<Value> const& among) {
  for (auto const& [name, value] : among)
    if (name == text) return value;
  throw usage_error(
      fmt::format("{}: '{}' is not one of {}", option, text, fmt::join(names_of(among), ", ")));
}

/// Lists the values of an option, where they are a few words.
std::vector<std::string> values_of(std::string_view option) {
  if (option == "--show") return names_of(cell_contents());
  if (option == "--ports") return names_of(port_rules());
  if (option == "--engine") return names_of(engines());
  if (option == "--stacks") return names_of(kinds_of_stacks());
  return {};
}

option_entry entry_of(CLI::Option const& option) {
  auto const name = "--" + option.get_lnames().front();
  return {.name = name,
          .help = option.get_description(),
          .takes_value = option.get_items_expected_max() > 0,
          .values = values_of(name)};
}

/// Options that belong to no group are shown with the algorithms that take them.
command_entry entry_of(CLI::App const& part) {
  command_entry entry{.name = part.get_name(),
                      .summary = part.get_description(),
                      .argument = {},
                      .footer = part.get_footer(),
                      .options = {}};
  for (auto const* option : part.get_options()) {
    if (option->get_positional())
      entry.argument = option->get_name(true);
    else if (!option->get_group().empty())
      entry.options.push_back(entry_of(*option));
  }
  return entry;
}

/// Width of the column of options in the help.
constexpr std::size_t help_column = 30;

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

std::string help_of(parameter const& one) {
  if (is_flag(one)) return one.help;
  auto const fallback =
      std::visit([](auto const& value) { return fmt::format("{}", value); }, one.fallback);
  return fmt::format("{} (default {}{})", one.help, fallback.empty() ? "none" : fallback,
                     range_of(one));
}

std::string described(parameter const& one) {
  return described(is_flag(one) ? one.name : one.name + " VALUE", help_of(one));
}

std::string described(experiment const& one) {
  auto const summary = wrapped(fmt::format("{}: {}", one.name, one.summary), page_width);
  auto text = fmt::format("\n{}\n  on {}\n", fmt::join(summary, "\n"), one.topologies);
  for (auto const& parameter : one.parameters) text += described(parameter);
  return text;
}

/// Of the parser's "--name: ..." for an option without a value, and "name was given a disallowed
/// flag override" for a flag with one.
std::string value_refusal(std::string_view problem) {
  if (problem.ends_with("flag override"))
    return fmt::format("--{}: a flag takes no value", problem.substr(0, problem.find(' ')));
  return fmt::format("{} needs a value", problem.substr(0, problem.find(':')));
}

grammar::grammar(std::span<experiment const> known) : m_known(known) {
  m_app.name("lockstep");
  m_app.option_defaults()->disable_flag_override();
  m_app.set_help_flag("-h,--help", "Show this help and end");
  m_app.set_version_flag("--version", "lockstep " LOCKSTEP_VERSION, "Show the version and end");
  m_app.require_subcommand(0, 1);
  m_app.allow_extras();
  m_app.footer(
      "Try: lockstep run all-to-all --on torus:12x12\n"
      "Exit status: 0 all right; 1 wrong result, machine error, a claim that unexpectedly does "
      "not\n"
      "hold, or a file that could not be written; 2 bad usage or input.");
  add_list();
  add_run();
  add_explain();
  add_view();
  add_paper();
  add_figure();
  group_parameters("");
}

void grammar::group_parameters(std::string const& group) {
  for (auto* const option : m_of_algorithms) option->group(group);
}

void grammar::add_list() {
  m_list = m_app.add_subcommand("list", "List algorithms, topologies and cost models");
  m_list->allow_extras();
  m_list->add_flag("--json", m_list_options.json, "Print one JSON object");
}

void grammar::add_text(CLI::App& part, char const* name, std::string& value,
                       std::string const& help) {
  part.add_option(name, value, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->type_name("");
}

void grammar::add_run() {
  m_run = m_app.add_subcommand("run", "Run an algorithm: its counts beside the paper's claims");
  m_run->footer("Checks the result against a sequential computation.");
  add_run_options(*m_run);
}

void grammar::add_explain() {
  m_explain = m_app.add_subcommand("explain",
                                   "Run an algorithm: what came in at each processor in each step");
  m_explain->footer(
      "Shows a row for each processor and a column for each step, the busiest in-port, how many\n"
      "steps its words take in any order, and the paper's claims.");
  add_text(*m_explain, "--processors", m_raw_explain.processors,
           "LIST of ranks to show, such as 0,3,8-15: at most 64");
  add_text(*m_explain, "--steps", m_raw_explain.steps,
           "FROM-TO, the steps to show, such as 1-40: at most 2000");
  add_text(*m_explain, "--show", m_raw_explain.show,
           "senders or words of what came in, or values or values:NAME: what me.show says");
  add_run_options(*m_explain);
}

void grammar::add_view() {
  m_view = m_app.add_subcommand(
      "view", "Run an algorithm, and write a page that shows it step by step in a browser");
  m_view->footer(
      "The page is one file that needs no network. A run that fails has a page, too. Prints what\n"
      "`run` prints, and has its exit status, or the worse one of two runs; the page of a large "
      "run\n"
      "ends where there is no more room, and says so.");
  add_text(*m_view, "--output", m_raw_view.output,
           "FILE that gets the page, .html (default: ALGORITHM.html)");
  add_text(*m_view, "--beside", m_raw_view.beside,
           "RUN to show beside it: \"ALGORITHM --on TOPOLOGY ...\"");
  add_text(*m_view, "--gallery", m_raw_view.gallery,
           "FOLDER that gets a page of every algorithm, and an index of them");
  add_run_options(*m_view);
}

void grammar::add_run_options(CLI::App& part) {
  part.allow_extras();
  part.add_option("ALGORITHM", m_raw.what, "One of those that `lockstep list` shows")
      ->type_name("");
  auto const networks = wrapped("TOPOLOGY: " + topology_examples(), page_width - help_column);
  add_text(part, "--on", m_raw.on, fmt::format("{}", fmt::join(networks, "\n")));
  add_text(part, "--input", m_raw.input, "FILE to read the input from");
  bool const has_page = &part == m_view;
  if (!has_page) add_text(part, "--output", m_raw.output, "FILE to write the result to");
  part.add_flag("--json", m_raw.json, "Print one JSON object");
  part.add_flag("--table", m_raw.table, "Also show the steps as rows");
  add_text(part, "--model", m_raw.model,
           "NAME of a cost model that prices the run: paragon, bsp, ...");
  if (!has_page)
    add_text(part, "--trace", m_raw.trace,
             "FILE that gets the trace: .json (for Perfetto), .csv (a row a\n"
             "message), .goal (for LogGOPSim, the first 4194304 messages),\n"
             ".dot (Graphviz, 1024 processors and the first 1000 pictures) or\n"
             ".html (a page for a browser, the first 1048576 messages)");
  add_text(part, "--ports", m_raw.ports, "one, all or per-pass: what a processor does in a step");
  part.add_flag("--strict", m_raw.strict, "No buffers: a message that has to queue is an error");
  add_text(part, "--engine", m_raw.engine, "fibers or threads: what runs the processors");
  add_text(part, "--workers", m_raw.workers,
           "Workers of the fibers engine, for 8,192 processors each; 0: one a core");
  add_text(part, "--stacks", m_raw.stacks,
           "own or copied: stacks of the fibers engine; copied ones take less\n"
           "memory, and are what 131,072 processors or more have");
  add_parameters(part);
}

void grammar::add_parameters(CLI::App& part) {
  add_text(part, "--words", m_raw.parameters["words"], "Words in a block");
  add_text(part, "--seed", m_raw.parameters["seed"], "Seed of the generated input");
  std::set<std::string> added{"words", "seed"};
  for (auto const& algorithm : m_known) {
    for (auto const& parameter : algorithm.parameters) {
      if (!added.insert(parameter.name).second) continue;
      auto const option = "--" + parameter.name;
      auto& text = m_raw.parameters[parameter.name];
      if (is_flag(parameter))
        part.add_flag(option, text, parameter.help)->disable_flag_override(false);
      else
        add_text(part, option.c_str(), text, parameter.help);
      m_of_algorithms.push_back(part.get_option(option));
    }
  }
}

void grammar::add_paper() {
  m_paper =
      m_app.add_subcommand("paper", "Show a paper's tables, each value beside what is counted");
  m_paper->allow_extras();
  m_paper
      ->add_option("NAME", m_raw_paper.what, fmt::format("{}", fmt::join(names_of(papers()), ", ")))
      ->type_name("");
  m_paper
      ->add_option("--processors", m_raw_paper.processors,
                   "NUMBER of processors of the largest network; leaves out larger ones")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->type_name("");
  m_paper->add_flag("--json", m_raw_paper.json, "Print one JSON object");
  m_paper->footer(
      "Runs the algorithms on all networks of the tables. Each claim has a verdict: equal, holds,\n"
      "refuted, our program exceeds, outside the claim, decides nothing, or not run, in one sense\n"
      "everywhere. WRONG marks what ought to hold and does not, and ends in status 1.");
}

void grammar::add_figure() {
  m_figure = m_app.add_subcommand("figure", "Draw a paper's figure from what is counted");
  m_figure->allow_extras();
  auto const take_last = CLI::MultiOptionPolicy::TakeLast;
  m_figure
      ->add_option("NAME", m_raw_figure.what,
                   fmt::format("{}", fmt::join(names_of(figures()), ", ")))
      ->type_name("");
  m_figure->add_option("--output", m_raw_figure.output, "FOLDER that gets the files (default: .)")
      ->multi_option_policy(take_last)
      ->type_name("");
  m_figure
      ->add_option("--up-to", m_raw_figure.up_to,
                   "SIDE of the largest torus or mesh (128 takes a minute or two and 5 GB), or "
                   "processors of the largest crossbar")
      ->multi_option_policy(take_last)
      ->type_name("");
  m_figure->footer(
      "Writes NAME.csv and, if gnuplot is installed, NAME.svg; where algorithms are compared,\n"
      "NAME-cross-overs.csv, too. Prints the block sizes from which one is faster than another, "
      "or\n"
      "what the paper says of the figure's shape and how it came out; status 1 if that is not so.");
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
    throw usage_error(fmt::format("{}; see lockstep --help", problem.what()));
  }
  check_words();
  check_repeats();
  if (m_list->parsed()) {
    check_extras(*m_list);
    return m_list_options;
  }
  if (m_paper->parsed()) return paper_from();
  if (m_figure->parsed()) return figure_from();
  if (m_explain->parsed()) return explain_from();
  if (m_view->parsed() && is_given("--gallery")) return gallery_from();
  if (m_view->parsed()) return view_from();
  return run_from();
}

std::vector<command_entry> grammar::commands() const {
  std::vector<command_entry> all;
  for (auto const* part : m_app.get_subcommands([](CLI::App const*) { return true; })) {
    all.push_back(entry_of(*part));
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

/// There has to be a command, and nothing before it.
void grammar::check_words() const {
  auto const before = m_app.remaining(false);
  if (!before.empty() && before.front().starts_with('-'))
    throw usage_error(fmt::format("there is no option {}; see lockstep --help", before.front()));
  if (!before.empty())
    throw usage_error(fmt::format(
        "there is no command '{}'; {}", before.front(),
        suggestion(before.front(), {"list", "run", "explain", "view", "paper", "figure"})));
  if (m_app.get_subcommands().empty())
    throw usage_error(
        "give a command: lockstep list, lockstep run ALGORITHM --on TOPOLOGY, "
        "lockstep explain ALGORITHM --on TOPOLOGY, lockstep view ALGORITHM --on TOPOLOGY, "
        "lockstep paper NAME, lockstep figure NAME, or "
        "lockstep --help");
}

std::vector<std::string> grammar::options_of(CLI::App const& part) const {
  std::vector<std::string> names;
  for (auto const* option : part.get_options())
    for (auto const& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

void grammar::check_extras(CLI::App const& part) const {
  auto const extras = part.remaining();
  if (extras.empty()) return;
  auto const dashed = std::ranges::find_if(extras, [](auto const& one) { return one[0] == '-'; });
  if (dashed == extras.end())
    throw usage_error(fmt::format("unexpected argument '{}'; see lockstep {} --help",
                                  extras.front(), part.get_name()));
  auto const option = dashed->substr(0, dashed->find('='));
  auto const near = nearest(option, options_of(part));
  throw usage_error(near.empty() ? fmt::format("there is no option {}; see lockstep {} --help",
                                               option, part.get_name())
                                 : fmt::format("there is no option {}; did you mean {}?", option,
                                               fmt::join(near, " or ")));
}

experiment const& grammar::chosen_algorithm() const {
  if (m_raw.what.empty())
    throw usage_error(fmt::format("name an algorithm: {}; lockstep list shows what there is",
                                  as_typed("ALGORITHM --on TOPOLOGY")));
  std::vector<std::string> names;
  for (auto const& algorithm : m_known) {
    if (algorithm.name == m_raw.what) return algorithm;
    names.push_back(algorithm.name);
  }
  throw usage_error(
      fmt::format("there is no algorithm '{}'; {}", m_raw.what, suggestion(m_raw.what, names)));
}

bool takes(experiment const& one, std::string_view parameter) {
  return std::ranges::find(one.parameters, parameter, &parameter::name) != one.parameters.end();
}

void grammar::check_given_parameters(experiment const& chosen) const {
  for (auto const& [name, text] : m_raw.parameters) {
    if (!is_given("--" + name) || name == "seed" || takes(chosen, name)) continue;
    std::vector<std::string> names;
    names.reserve(chosen.parameters.size());
    for (auto const& parameter : chosen.parameters) names.push_back("--" + parameter.name);
    throw usage_error(
        fmt::format("{} has no parameter --{}; its parameters: {}", chosen.name, name,
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  bool const has_page = m_view->parsed();
  if (!chosen.takes_files && (is_given("--input") || (is_given("--output") && !has_page)))
    throw usage_error(
        fmt::format("{} reads and writes no files; leave out --input and --output", chosen.name));
}

/// Refuses options that say how to generate input beside an input file, which they would not
/// affect.
void grammar::check_made_input(experiment const& chosen) const {
  if (!is_given("--input")) return;
  std::vector<std::string> names{"seed"};
  for (auto const& parameter : chosen.parameters)
    if (parameter.of_made_input) names.push_back(parameter.name);
  for (auto const& name : names)
    if (is_given("--" + name))
      throw usage_error(fmt::format(
          "--{0} is for input that {1} makes, and --input names a file; give one of the two", name,
          chosen.name));
}

std::map<std::string, parameter_value> grammar::parameters_for(experiment const& chosen) const {
  std::map<std::string, parameter_value> values{{"seed", std::int64_t{1}}};
  for (auto const& parameter : chosen.parameters)
    if (!parameter.told_by_input || !is_given("--input") || is_given("--" + parameter.name))
      values[parameter.name] = parameter.fallback;
  for (auto& [name, value] : values)
    if (is_given("--" + name)) value = value_like(value, "--" + name, m_raw.parameters.at(name));
  return values;
}

machine_options grammar::machine_from(experiment const& chosen) const {
  machine_options options;
  options.ports = chosen.default_ports;
  if (is_given("--ports")) options.ports = choice("--ports", m_raw.ports, port_rules());
  options.engine = choice("--engine", m_raw.engine, engines());
  options.strict = m_raw.strict;
  auto const workers = whole_number("--workers", m_raw.workers);
  if (workers < 0 || workers > 256)
    throw usage_error("--workers: give a number from 0 (one a core) to 256");
  options.workers = static_cast<int>(workers);
  options.stacks = choice("--stacks", m_raw.stacks, kinds_of_stacks());
  return options;
}

run_command grammar::run_from() const {
  auto const& chosen = chosen_algorithm();
  check_extras(running());
  check_given_parameters(chosen);
  check_made_input(chosen);
  if (m_raw.on.empty())
    throw usage_error(
        fmt::format("give a topology: {}",
                    as_typed(fmt::format("{} --on {}", chosen.name, chosen.examples.front()))));
  using std::filesystem::path;
  if (m_raw.json && m_raw.table) throw usage_error("give --json or --table, not both");
  bool const has_page = m_view->parsed();
  return {.what = &chosen,
          .on = m_raw.on,
          .options = machine_from(chosen),
          .parameters = parameters_for(chosen),
          .input = if_given<path>("--input", m_raw.input),
          .output = has_page ? std::nullopt : if_given<path>("--output", m_raw.output),
          .trace = has_page ? std::nullopt : if_given<path>("--trace", m_raw.trace),
          .model = if_given<std::string>("--model", m_raw.model),
          .json = m_raw.json,
          .table = m_raw.table,
          .stacks_chosen = is_given("--stacks")};
}

explain_command grammar::explain_from() const {
  explain_command asked{.run = run_from()};
  if (is_given("--processors"))
    asked.processors = ranks_from("--processors", m_raw_explain.processors);
  if (is_given("--steps")) asked.steps = steps_from("--steps", m_raw_explain.steps);
  auto const colon = m_raw_explain.show.find(':');
  asked.content = choice("--show", m_raw_explain.show.substr(0, colon), cell_contents());
  if (colon == std::string::npos) return asked;
  asked.value = m_raw_explain.show.substr(colon + 1);
  if (asked.content != cell_content::values || asked.value.empty())
    throw usage_error("--show: a name follows values alone, as in values:NAME");
  return asked;
}

/// Reads the name of a page.
std::filesystem::path page_from(std::filesystem::path page) {
  std::error_code unknown;
  if (std::filesystem::is_directory(page, unknown) || page.filename().empty())
    throw usage_error(fmt::format("--output: {} is a folder; name a file in it, such as {}",
                                  page.string(), (page / "run.html").string()));
  if (page.extension() != ".html")
    throw usage_error(fmt::format("--output: {}: a page's name ends in .html", page.string()));
  return page;
}

view_command grammar::view_from() const {
  view_command asked{.run = run_from()};
  asked.run.trace = page_from(if_given<std::string>("--output", m_raw_view.output)
                                  .value_or(asked.run.what->name + ".html"));
  asked.run.trace_option = "--output";
  if (auto const line = if_given<std::string>("--beside", m_raw_view.beside))
    asked.beside = beside_from(*line);
  return asked;
}

/// Reads the run to show beside another, which is written as after `lockstep run`.
run_command grammar::beside_from(std::string const& line) const {
  std::istringstream words(line);
  std::vector<std::string> arguments{"lockstep", "run"};
  for (std::string word; words >> word;) arguments.push_back(word);
  try {
    grammar given(m_known);
    given.m_is_beside = true;
    auto const other = given.read_words(arguments);
    auto const* const run = std::get_if<run_command>(&other);
    if (run == nullptr) throw usage_error("give what follows `lockstep run`");
    if (run->trace || run->output || run->json || run->table || run->model)
      throw usage_error("it writes no files and prints nothing; leave out such options");
    return *run;
  } catch (usage_error const& problem) {
    throw usage_error(fmt::format("--beside: {}", problem.what()));
  }
}

/// Makes the commands that view the algorithms' teaching examples.
gallery_command grammar::gallery_from() const {
  check_extras(*m_view);
  for (auto const* const option : m_view->get_options())
    if (option->count() > 0 && option->get_name() != "--gallery")
      throw usage_error(
          "--gallery writes a page of every algorithm; leave out the rest, or leave out --gallery");
  gallery_command asked{.folder = *if_given<std::string>("--gallery", m_raw_view.gallery)};
  for (auto const& one : m_known) {
    auto const example = teaching_request(one);
    asked.pages.push_back({.run = {.what = &one,
                                   .on = one.teaching.on,
                                   .options = example.options,
                                   .parameters = example.parameters,
                                   .trace = asked.folder / (one.name + ".html"),
                                   .trace_option = "--gallery"}});
  }
  return asked;
}

command grammar::read_words(std::vector<std::string> const& words) {
  std::vector<char const*> pointers;
  pointers.reserve(words.size());
  for (auto const& one : words) pointers.push_back(one.c_str());
  return read(static_cast<int>(pointers.size()), pointers.data());
}

/// The paper or figure of that name; `kind` is what it is called.
template <class Entry>
Entry const& chosen(std::string const& kind, std::string const& name,
                    std::span<Entry const> known) {
  auto const names = names_of(known);
  if (name.empty())
    throw usage_error(
        fmt::format("name a {0}: lockstep {0} NAME; there are: {1}", kind, fmt::join(names, ", ")));
  auto const found = std::ranges::find(known, name, &Entry::name);
  if (found == known.end())
    throw usage_error(fmt::format("there is no {} '{}'; {}", kind, name, suggestion(name, names)));
  return *found;
}

paper_command grammar::paper_from() const {
  auto const& paper = chosen("paper", m_raw_paper.what, papers());
  check_extras(*m_paper);
  paper_command asked{.what = &paper, .json = m_raw_paper.json};
  if (m_paper->count("--processors") > 0)
    asked.most_processors = clamped_number("--processors", m_raw_paper.processors);
  return asked;
}

figure_command grammar::figure_from() const {
  figure_command asked{.what = &chosen("figure", m_raw_figure.what, figures())};
  check_extras(*m_figure);
  if (m_figure->count("--output") > 0) {
    if (m_raw_figure.output.empty()) throw usage_error("--output needs a value");
    asked.folder = m_raw_figure.output;
  }
  if (m_figure->count("--up-to") > 0) asked.up_to = clamped_number("--up-to", m_raw_figure.up_to);
  return asked;
}

std::string grammar::help() const {
  if (m_paper->parsed()) return m_paper->help("lockstep");
  if (m_figure->parsed()) return m_figure->help("lockstep");
  if (m_list->parsed()) return m_list->help("lockstep");
  if (!m_run->parsed() && !m_explain->parsed() && !m_view->parsed()) return m_app.help();
  std::string text = running().help("lockstep");
  for (auto const& algorithm : m_known)
    if (m_raw.what.empty() || m_raw.what == algorithm.name) text += described(algorithm);
  return text;
}

}  // namespace

std::vector<command_entry> known_commands(std::span<experiment const> known) {
  return grammar(known).commands();
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

command read_command_line(int count, char const* const* arguments,
                          std::span<experiment const> known) {
  std::vector<std::string> const words(arguments + std::min(count, 1), arguments + count);
  // For shells and for packages, not for people: neither is in the help.
  if (!words.empty() && words.front() == "complete")
    return show_text{as_lines(completions({words.begin() + 1, words.end()}, known))};
  if (words == std::vector<std::string>{"manual"}) return show_text{manual_page(known)};
  return grammar(known).read(count, arguments);
}

}  // namespace lockstep::cli
