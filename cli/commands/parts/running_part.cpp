#include "running_part.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/catalog.hpp>
#include <lockstep/topologies/parse.hpp>

#include "commands/suggest.hpp"
#include "help.hpp"
#include "option_values.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

/// Whether a topology's text names the network of that specification.
bool is_network(std::string const& on, std::string const& specification) {
  if (on == specification) return true;
  try {
    return parse(on)->spec() == specification;
  } catch (error const&) {
    return false;  // the run will say why
  }
}

/// Requires a network that a file tells to be one that can be made. Errors: usage_error.
void require_network(std::string const& specification, std::string const& file) {
  try {
    static_cast<void>(parse(specification));
  } catch (error const& refused) {
    throw usage_error(fmt::format("{}: {}; or give another by --on", file, refused.message()));
  }
}

}  // namespace

bool takes(experiment const& one, std::string_view parameter) {
  return std::ranges::find(one.parameters, parameter, &parameter::name) != one.parameters.end();
}

running_part::running_part(CLI::App& parser, tool const& of, std::string const& name,
                           std::string const& summary, output_is kind, run_place place)
    : command_part(parser, of, name, summary), m_kind(kind), m_place(place) {}

void running_part::add_run_options() {
  m_options
      .add_option("ALGORITHM", m_given.what,
                  fmt::format("One of those that `{} list` shows", m_tool.name))
      ->type_name("");
  auto const networks = wrapped("TOPOLOGY: " + topology_examples(), page_width - help_column);
  add_text("--on", m_given.on, fmt::format("{}", fmt::join(networks, "\n")));
  add_text("--input", m_given.input, "FILE to read the input from");
  if (writes_result()) add_text("--output", m_given.output, "FILE to write the result to");
  m_options.add_flag("--json", m_given.json, "Print one JSON object");
  if (m_kind != output_is::none)
    m_options.add_flag("--table", m_given.table, "Also show the steps as rows");
  add_text("--model", m_given.model,
           "NAME of a cost model that prices the run: paragon, bsp, ..., or of\n"
           "a clock: loggp-clock, ...; by a cost model's price collectives choose\n"
           "their scheme where neither --scheme nor --tau is given");
  add_text("--sharing", m_given.sharing,
           "links or none: whether messages on one link take turns, by a clock");
  add_text("--in-port", m_given.in_port,
           "one or free: whether messages to a processor take turns, by a clock");
  if (writes_result())
    add_text("--trace", m_given.trace,
             "FILE that gets the trace: .json (for Perfetto), .csv (a row a\n"
             "message), .goal (for LogGOPSim, the first 4194304 messages),\n"
             ".dot (Graphviz, 1024 processors and the first 1000 pictures) or\n"
             ".html (a page for a browser, the first 1048576 messages)");
  add_text("--ports", m_given.ports, "one, all or per-pass: what a processor does in a step");
  m_options.add_flag("--strict", m_given.strict,
                     "No buffers: a message that has to queue is an error");
  add_text("--engine", m_given.engine, "fibers or threads: what runs the processors");
  add_text("--workers", m_given.workers,
           "Workers of the fibers engine, for 8,192 processors each; 0: one a core");
  add_text("--stacks", m_given.stacks,
           m_tool.has_papers ? "own or copied: stacks of the fibers engine; copied ones take less\n"
                               "memory, and are what 131,072 processors or more have"
                             : "own or copied: stacks of the fibers engine; copied ones take less\n"
                               "memory, and forbid pointers to them");
  add_parameters();
}

void running_part::add_parameters() {
  add_text("--words", m_given.parameters["words"], "Words in a block");
  add_text("--seed", m_given.parameters["seed"], "Seed of the generated input");
  add_text("--values", m_given.values,
           "small or real: values of the generated input, those of a digit or two to\n"
           "read on a page, or keys of 31 bits, words of 64 and fractions");
  std::set<std::string> added{"words", "seed"};
  for (auto const& algorithm : m_tool.known) {
    for (auto const& parameter : algorithm.parameters) {
      if (!added.insert(parameter.name).second) continue;
      auto const option = "--" + parameter.name;
      auto& text = m_given.parameters[parameter.name];
      if (is_flag(parameter))
        m_options.add_flag(option, text, parameter.help)->disable_flag_override(false);
      else
        add_text(option.c_str(), text, parameter.help);
      m_of_algorithms.push_back(m_options.get_option(option));
    }
  }
}

std::string running_part::help() const {
  std::string text = command_part::help();
  for (auto const& algorithm : m_tool.known)
    if (m_given.what.empty() || m_given.what == algorithm.name) text += described(algorithm);
  return text;
}

void running_part::group_parameters(std::string const& group) {
  for (auto* const option : m_of_algorithms) option->group(group);
}

std::string running_part::as_typed(std::string_view run) const {
  return m_place == run_place::in_beside
             ? fmt::format("--beside \"{}\"", run)
             : fmt::format("{} {} {}", m_tool.name, m_options.get_name(), run);
}

experiment const& running_part::chosen_algorithm(std::string const& name) const {
  if (name.empty() && m_tool.known.size() == 1) return m_tool.known.front();
  if (name.empty())
    throw usage_error(fmt::format("name an algorithm: {}; {} list shows what there is",
                                  as_typed("ALGORITHM --on TOPOLOGY"), m_tool.name));
  std::vector<std::string> names;
  for (auto const& algorithm : m_tool.known) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  throw usage_error(fmt::format("there is no algorithm '{}'; {}", name, suggestion(name, names)));
}

void running_part::check_parameters(experiment const& chosen, texts const& given) const {
  for (auto const& [name, text] : given.parameters) {
    if (name == "seed" || takes(chosen, name)) continue;
    std::vector<std::string> names;
    names.reserve(chosen.parameters.size());
    for (auto const& parameter : chosen.parameters) names.push_back("--" + parameter.name);
    throw usage_error(
        fmt::format("{} has no parameter --{}; its parameters: {}", chosen.name, name,
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
}

void running_part::check_files(experiment const& chosen) const {
  bool const has_output = writes_result() && is_given("--output");
  if (chosen.takes_files || (chosen.writes_file && !is_given("--input"))) return;
  if (is_given("--input") && chosen.writes_file)
    throw usage_error(fmt::format("{} reads no file; leave out --input", chosen.name));
  if (is_given("--input") || has_output)
    throw usage_error(
        fmt::format("{} reads and writes no files; leave out --input and --output", chosen.name));
}

/// Refuses options that say how to generate input beside one that names a file.
void running_part::check_generated_input(experiment const& chosen) const {
  if (!is_given("--input")) return;
  std::vector<std::string> names{"seed", "values"};
  for (auto const& parameter : chosen.parameters)
    if (parameter.of_made_input) names.push_back(parameter.name);
  for (auto const& name : names)
    if (is_given("--" + name))
      throw usage_error(fmt::format(
          "--{0} is for input that {1} makes, and --input names a file; give one of the two", name,
          chosen.name));
}

std::map<std::string, parameter_value> running_part::parameters_of(experiment const& chosen,
                                                                   texts const& given) const {
  std::map<std::string, parameter_value> values{{"seed", std::int64_t{1}}};
  for (auto const& parameter : chosen.parameters)
    if (!parameter.told_by_input || !is_given("--input") ||
        given.parameters.contains(parameter.name))
      values[parameter.name] = parameter.fallback;
  for (auto& [name, value] : values)
    if (auto const text = given.parameters.find(name); text != given.parameters.end())
      value = value_like(value, "--" + name, text->second);
  return values;
}

std::string& running_part::texts::text_of(std::string const& option) {
  if (option == "on") return on;
  if (option == "input") return input;
  if (option == "model") return model;
  if (option == "sharing") return sharing;
  if (option == "in-port") return in_port;
  if (option == "ports") return ports;
  if (option == "engine") return engine;
  if (option == "workers") return workers;
  if (option == "stacks") return stacks;
  if (option == "values") return values;
  return parameters[option];
}

running_part::texts running_part::given() const {
  auto typed = m_given;
  std::erase_if(typed.parameters, [&](auto const& one) { return !is_given("--" + one.first); });
  return typed;
}

machine_options running_part::machine_of(experiment const& chosen, texts const& given) const {
  machine_options options;
  options.ports = chosen.default_ports;
  if (is_given("--ports")) options.ports = choice("--ports", given.ports, port_rules());
  options.engine = choice("--engine", given.engine, engines());
  options.strict = given.strict;
  auto const workers = whole_number("--workers", given.workers);
  if (workers < 0 || workers > 256)
    throw usage_error("--workers: give a number from 0 (one a core) to 256");
  options.workers = static_cast<int>(workers);
  options.stacks = choice("--stacks", given.stacks, kinds_of_stacks());
  return options;
}

/// Takes of the machine that an input file tells what no option does, and says what. The switching goes with
/// the network.
std::string running_part::take_told(machine_of_input const& told, std::string const& file,
                                    std::string& on, machine_options& options) const {
  std::vector<std::string> taken;
  if (on.empty()) {
    require_network(told.network, file);
    taken.push_back(on = told.network);
  }
  if (!is_given("--ports")) {
    options.ports = told.options.ports;
    taken.push_back("ports " + name_in(port_rules(), options.ports));
  }
  if (told.options.switching && is_network(on, told.network)) {
    options.switching = told.options.switching;
    taken.push_back("switching " + name_in(switching_rules(), *options.switching));
  }
  if (!is_given("--packet")) {
    options.packet = told.options.packet;
    taken.push_back(fmt::format("packet {}", options.packet));
  }
  options.word_bytes = told.options.word_bytes;
  taken.push_back(fmt::format("{} bytes a word", options.word_bytes));
  return fmt::format("taken from the file: {}", fmt::join(taken, ", "));
}

/// Reads which values a generated input has: for a page small ones, elsewhere real ones, unless asked.
input_values running_part::values_asked(texts const& given) const {
  if (is_given("--values")) return choice("--values", given.values, kinds_of_values());
  return m_kind == output_is::page ? input_values::small : input_values::real;
}

run_command running_part::read_run(texts const& given) const {
  auto const& chosen = chosen_algorithm(given.what);
  refuse_extras();
  check_parameters(chosen, given);
  check_files(chosen);
  check_generated_input(chosen);
  auto on = given.on;
  auto options = machine_of(chosen, given);
  std::string told_by_input;
  if (is_given("--input") && chosen.machine_told_by)
    if (auto const told = chosen.machine_told_by(given.input))
      told_by_input = take_told(*told, given.input, on, options);
  if (on.empty())
    throw usage_error(
        fmt::format("give a topology: {}",
                    as_typed(fmt::format("{} --on {}", chosen.name, chosen.examples.front()))));
  using std::filesystem::path;
  if (given.json && given.table) throw usage_error("give --json or --table, not both");
  return {.what = &chosen,
          .on = on,
          .options = options,
          .parameters = parameters_of(chosen, given),
          .input = if_given<path>("--input", given.input),
          .values = values_asked(given),
          .values_chosen = is_given("--values"),
          .output = writes_result() ? if_given<path>("--output", given.output) : std::nullopt,
          .trace = writes_result() ? if_given<path>("--trace", given.trace) : std::nullopt,
          .model = if_given<std::string>("--model", given.model),
          .shares_links = choice("--sharing", given.sharing, link_sharings()),
          .free_in_ports = choice("--in-port", given.in_port, in_port_rules()),
          .json = given.json,
          .table = given.table,
          .stacks_chosen = is_given("--stacks"),
          .tau_chosen = given.parameters.contains("tau"),
          .told_by_input = told_by_input,
          .tool = m_tool.name,
          .libraries = m_tool.libraries};
}

}  // namespace lockstep::cli
