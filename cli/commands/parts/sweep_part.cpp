#include "sweep_part.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/measured_run.hpp"
#include "commands/suggest.hpp"
#include "commands/value_list.hpp"
#include "option_values.hpp"
#include "report/shell_words.hpp"
#include "report/sweep_report.hpp"

namespace lockstep::cli {

namespace {

using text_list = std::vector<std::string>;

/// Options of the way in which a sweep is done, which leaves its output as it is.
constexpr std::array<std::string_view, 2> of_the_way{"parallel", "resume"};
/// Options of the output.
constexpr std::array<std::string_view, 10> of_the_form{
    "plot-size", "csv",    "json",   "latex", "columns",
    "plot",      "x-axis", "y-axis", "log",   "isoefficiency"};
/// An option whose value is one formula, and changes what runs are asked for.
constexpr std::string_view of_all_runs = "sequential";

bool is_among(std::span<std::string_view const> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool has(text_list const& texts, std::string const& text) {
  return std::ranges::find(texts, text) != texts.end();
}

experiment const* find_algorithm(tool const& of, std::string const& name) {
  auto const found = std::ranges::find(of.known, name, &experiment::name);
  return found == of.known.end() ? nullptr : &*found;
}

/// Names the option of an axis; its short form is free for a parameter of somebody's own.
std::string axis_option(tool const& of, std::string const& axis) {
  auto const name = fmt::format("--{}-axis", axis);
  bool const is_taken =
      std::ranges::any_of(of.known, [&](auto const& one) { return takes(one, axis); });
  return is_taken ? name : fmt::format("{},--{}", name, axis);
}

/// Whether all values of what varies under the name are numbers.
bool varies_in_numbers(sweep_command const& asked, std::string const& name) {
  return std::ranges::all_of(asked.runs, [&](sweep_run const& one) {
    auto const found = std::ranges::find(one.given, name, &given_value::name);
    return found == one.given.end() || plain_number(found->value).has_value();
  });
}

/// Reads the name of a plot. Errors: usage_error.
std::filesystem::path plot_from(std::filesystem::path file) {
  auto const ending = file.extension();
  if (ending != ".svg" && ending != ".pdf" && ending != ".html")
    throw usage_error(
        fmt::format("--plot: {}: a plot's name ends in .svg, .pdf or .html", file.string()));
  return file;
}

/// Reads "3.4x2.5in", "86mm" or "column". Errors: usage_error.
plot_size plot_size_from(std::string const& text) {
  if (text == "column") return {.width = width_of_a_column};
  constexpr std::array<std::pair<std::string_view, double>, 4> units_of_an_inch{
      {{"in", 1}, {"cm", 2.54}, {"mm", 25.4}, {"pt", 72}}};
  for (auto const& [unit, of_an_inch] : units_of_an_inch) {
    if (!text.ends_with(unit)) continue;
    auto const lengths = text.substr(0, text.size() - unit.size());
    auto const cross = lengths.find('x');
    auto const width = plain_number(lengths.substr(0, cross));
    auto const height = cross == std::string::npos ? std::optional<double>(0)
                                                   : plain_number(lengths.substr(cross + 1));
    auto const is_length = [most = 100 * of_an_inch](double one) { return one > 0 && one <= most; };
    if (!width || !is_length(*width) || !height) break;
    if (cross != std::string::npos && !is_length(*height)) break;
    return {*width / of_an_inch, *height / of_an_inch};
  }
  throw usage_error(
      fmt::format("--plot-size: '{}' is not a size up to 100 inches; write 3.4x2.5in (or in cm, mm "
                  "or pt), a width alone, as in 3.4in, or column",
                  text));
}

}  // namespace

sweep_part::sweep_part(CLI::App& parser, tool const& of)
    : running_part(parser, of, "sweep",
                   "Run an algorithm for all combinations of values: a table, and a plot",
                   output_is::none, run_place::in_command) {
  m_options.footer(
      "Any option of the runs, and ALGORITHM, takes a list (a,b,c), a range of whole numbers\n"
      "(1..16, 0..10+2, 1..4096*4), or either in braces within a value ('torus:{4,8}x{4,8}').\n"
      "A combination that does not fit is left out, and a note says how many are.");
  add_text("--algorithm", m_schemes, "NAMES of further algorithms, or of the algorithm's schemes");
  m_options.add_flag("--csv", m_csv, "Print CSV, a row a run");
  m_options.add_flag("--latex", m_latex,
                     "Print a table for LaTeX as wide as a page, with the package booktabs");
  add_text("--columns", m_columns,
           "NAMES of the table's columns, in their order: steps,words,claim. Those of\n"
           "options, such as --words, come first unless one is named; claim and bound\n"
           "are those of the figures");
  add_text("--plot", m_plot,
           "FILE that gets a plot, .svg or .pdf, or a page with the table, .html");
  add_text(axis_option(of, "x").c_str(), m_x,
           "NAME of the varied option along the x axis, or processors (p)");
  add_text(axis_option(of, "y").c_str(), m_y,
           "FIGURE along the y axis: steps, words, time, ... (default: time or steps)");
  add_text("--log", m_log, "x, y, xy, none or auto: the axes that are logarithmic");
  add_text("--plot-size", m_plot_size,
           "SIZE of the plot, with letters of 8 points: 3.4x2.5in (or in cm, mm, pt), a\n"
           "width alone, or column (3.4in)");
  add_text("--sequential", m_sequential,
           "FORMULA of the sequential algorithm's operations, such as 'n log2 n': speed-up and "
           "efficiency");
  add_text("--isoefficiency", m_isoefficiency,
           "EFFICIENCY that the least problem of each number of processors is sought for (with "
           "--sequential)");
  add_text("--parallel", m_parallel, "NUMBER of runs at a time; 0: one a core");
  add_text("--resume", m_resume, "FILE that keeps finished runs, from which a sweep goes on");
  add_run_options();
}

bool sweep_part::names_schemes() const {
  if (!is_given("--algorithm")) return false;
  auto const names = values_from("--algorithm", m_schemes);
  bool const are_no_algorithms = std::ranges::none_of(
      names, [&](auto const& name) { return find_algorithm(m_tool, name) != nullptr; });
  if (are_no_algorithms || given().what.empty()) return are_no_algorithms;
  // "transpose" is a scheme of all-reduce, and an algorithm, too.
  auto const has_schemes = [&](auto const& what) {
    auto const* const of = find_algorithm(m_tool, what);
    return of != nullptr && std::ranges::any_of(of->parameters, [&](parameter const& one) {
             return one.name == "scheme" && std::ranges::all_of(names, [&](auto const& name) {
                      return std::ranges::find(one.names, name) != one.names.end();
                    });
           });
  };
  return std::ranges::all_of(values_from("ALGORITHM", given().what), has_schemes);
}

/// Lists the algorithms. Errors: usage_error for one that there is not.
std::vector<experiment const*> sweep_part::algorithms() const {
  auto names = given().what.empty() ? text_list{} : values_from("ALGORITHM", given().what);
  if (is_given("--algorithm") && !names_schemes())
    for (auto const& name : values_from("--algorithm", m_schemes))
      if (!has(names, name)) names.push_back(name);
  std::vector<experiment const*> chosen;
  for (auto const& name : names.empty() ? text_list{""} : names)
    chosen.push_back(&chosen_algorithm(name));
  return chosen;
}

/// Lists the options of the runs that take values, in the order in which they are typed.
std::vector<sweep_part::listed_option> sweep_part::listed_options() const {
  std::vector<listed_option> options;
  std::set<std::string> names;
  for (auto const* const option : m_options.parse_order()) {
    if (option->get_positional()) continue;
    auto name = option->get_lnames().front();
    if (is_among(of_the_way, name) || is_among(of_the_form, name) || name == of_all_runs) continue;
    if (option->get_items_expected_max() == 0) {
      if (given().parameters.contains(name)) options.push_back({name, {"true"}});
      continue;
    }
    if (name == "algorithm" && !names_schemes()) continue;
    if (name == "algorithm") name = "scheme";
    auto const& text = option->results().front();
    if (text.empty()) throw usage_error(fmt::format("--{} needs a value", name));
    bool const is_file = option->get_description().starts_with("FILE ");
    if (!names.insert(name).second)
      throw usage_error("--algorithm names schemes, and so does --scheme; give one of the two");
    options.push_back(
        {name, is_file ? text_list{text} : values_from("--" + option->get_lnames().front(), text)});
  }
  std::ranges::stable_partition(options, [](auto const& one) { return one.name == "on"; });
  return options;
}

/// Refuses words that no algorithm takes as values of the option.
void sweep_part::check_words(std::vector<experiment const*> const& of,
                             listed_option const& option) const {
  text_list words;
  for (auto const* const one : of) {
    auto const found = std::ranges::find(one->parameters, option.name, &parameter::name);
    if (found == one->parameters.end()) continue;
    if (found->names.empty()) return;
    words.insert(words.end(), found->names.begin(), found->names.end());
  }
  bool const is_synonym = option.name == "scheme" && names_schemes();
  if (words.empty() && is_synonym)
    throw usage_error(fmt::format("--algorithm: '{}' is not an algorithm, and {} has no schemes",
                                  option.values.front(), of.front()->name));
  for (auto const& value : option.values)
    if (!words.empty() && !has(words, value))
      throw usage_error(fmt::format("--{}: '{}' is not one of {}",
                                    is_synonym ? "algorithm" : option.name, value,
                                    fmt::join(words, ", ")));
}

/// Adds the algorithm's runs: all combinations of the options' values, the last option's values one
/// after the other.
void sweep_part::add_runs_of(experiment const& chosen, std::vector<listed_option> const& options,
                             sweep_command& asked) const {
  auto one = given();
  one.what = chosen.name;
  std::erase_if(one.parameters, [&](auto const& given_one) {
    return std::ranges::find(options, given_one.first, &listed_option::name) == options.end();
  });
  std::vector<std::size_t> at(options.size(), 0);
  for (;;) {
    std::vector<given_value> values;
    if (has(asked.varied, "algorithm")) values.push_back({"algorithm", chosen.name});
    for (std::size_t i = 0; i < options.size(); ++i) {
      auto const& value = options[i].values[at[i]];
      one.text_of(options[i].name) = value;
      if (options[i].values.size() > 1) values.push_back({options[i].name, value});
    }
    if (asked.runs.size() == most_combinations)
      throw usage_error(
          fmt::format("a sweep has at most {} combinations; give fewer values", most_combinations));
    asked.runs.push_back({read_run(one), std::move(values)});
    std::size_t last = options.size();
    while (last > 0 && ++at[last - 1] == options[last - 1].values.size()) at[--last] = 0;
    if (last == 0) return;
  }
}

/// Reads the runs, and what varies. An option that some of the algorithms lack is for the others.
void sweep_part::read_runs(sweep_command& asked) const {
  auto const chosen = algorithms();
  auto const options = listed_options();
  if (chosen.size() > 1) asked.varied.emplace_back("algorithm");
  for (auto const& option : options) {
    check_words(chosen, option);
    if (option.values.size() > 1) asked.varied.push_back(option.name);
  }
  for (auto const* const one : chosen) {
    auto own = options;
    std::erase_if(own, [&](auto const& option) {
      return !takes(*one, option.name) &&
             std::ranges::any_of(chosen, [&](auto* other) { return takes(*other, option.name); });
    });
    add_runs_of(*one, own, asked);
  }
  for (auto& one : asked.runs) static_cast<void>(model_of(one.run));
}

void sweep_part::read_form(sweep_command& asked) const {
  bool const json = given().json;
  if (int{json} + int{m_csv} + int{m_latex} > 1)
    throw usage_error("give one of --csv, --json and --latex");
  if (json) asked.form = sweep_form::json;
  if (m_csv) asked.form = sweep_form::csv;
  if (m_latex) asked.form = sweep_form::latex;
  read_columns(asked);
  if (auto const file = if_given<std::string>("--plot", m_plot)) asked.plot = plot_from(*file);
  if (!asked.plot && is_given("--log")) throw usage_error("--log goes with --plot FILE");
  asked.log = choice("--log", m_log, log_axes());
  if (auto const size = if_given<std::string>("--plot-size", m_plot_size)) {
    if (!asked.plot) throw usage_error("--plot-size goes with --plot FILE");
    asked.size_of_plot = plot_size_from(*size);
  }
  asked.resume = if_given<std::filesystem::path>("--resume", m_resume);
  auto const parallel = whole_number("--parallel", m_parallel);
  if (parallel < 0 || parallel > 256)
    throw usage_error("--parallel: give a number from 0 (one a core) to 256");
  asked.parallel = static_cast<int>(parallel);
}

/// Reads the columns of tables.
void sweep_part::read_columns(sweep_command& asked) const {
  if (!is_given("--columns")) return;
  if (asked.form == sweep_form::json)
    throw usage_error("--columns goes with tables, and --json has all figures; leave out one");
  asked.columns = values_from("--columns", m_columns);
  auto const problem = problem_with_columns({.varied = asked.varied,
                                             .has_efficiency = is_given("--sequential"),
                                             .columns = asked.columns});
  if (!problem.empty()) throw usage_error("--columns: " + problem);
}

/// Reads what stands along the axes: the first numbers that vary, or the processors.
void sweep_part::read_axes(sweep_command& asked) const {
  text_list numbers;
  for (auto const& name : asked.varied)
    if (varies_in_numbers(asked, name)) numbers.push_back(name);
  asked.x = numbers.empty() ? "processors" : numbers.front();
  numbers.emplace_back("processors");
  if (auto const x = if_given<std::string>("--x-axis", m_x)) {
    asked.x = x->starts_with("--") ? x->substr(2) : *x;
    if (asked.x == "p" && !has(numbers, "p")) asked.x = "processors";
    if (!has(numbers, asked.x)) {
      auto const near = nearest(asked.x, numbers);
      throw usage_error(fmt::format("--x-axis: '{}' is not among the numbers that vary: {}{}{}", *x,
                                    fmt::join(numbers, ", "), has(numbers, "p") ? "" : " (or p)",
                                    near.empty() ? "" : "; " + suggestion(asked.x, numbers)));
    }
  }
  bool const is_priced = is_given("--model");
  asked.y = if_given<std::string>("--y-axis", m_y).value_or(is_priced ? "time" : "steps");
  if (asked.y == "time" && !is_priced)
    throw usage_error(
        "--y-axis: there is a time with a cost model; give --model, as in --model paragon");
}

/// Reads what efficiency is asked for: of runs whose size is the one number that varies beside networks.
void sweep_part::read_efficiency(sweep_command& asked) const {
  asked.sequential = if_given<std::string>("--sequential", m_sequential);
  if (!is_given("--isoefficiency")) return;
  if (!asked.sequential)
    throw usage_error(
        "--isoefficiency: efficiency is over a sequential algorithm; give --sequential, as "
        "in --sequential 'n log2 n'");
  auto const efficiency = plain_number(m_isoefficiency);
  if (!efficiency || !(*efficiency > 0 && *efficiency <= 1))
    throw usage_error(
        fmt::format("--isoefficiency: '{}' is not an efficiency; give a number above 0, up to 1",
                    m_isoefficiency));
  asked.isoefficiency = efficiency;
  text_list numbers;
  for (auto const& name : asked.varied)
    if (name != "on" && name != "seed" && varies_in_numbers(asked, name)) numbers.push_back(name);
  if (numbers.size() != 1)
    throw usage_error(
        fmt::format("--isoefficiency: one number has to vary beside the networks, the problem's "
                    "size, and {} do{}; give "
                    "one a list, as in --n '1024..65536*4'",
                    numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, " and ")),
                    numbers.empty() ? "es" : ""));
  asked.size = numbers.front();
}

/// Writes the command as it is typed; only what says which runs there are, on wish.
std::string sweep_part::typed(bool only_runs) const {
  auto text = fmt::format("{} sweep", in_shell(m_tool.name));
  for (auto const* const option : m_options.parse_order()) {
    auto const& value = option->results().front();
    if (option->get_positional()) {
      text += ' ' + in_shell(value);
      continue;
    }
    auto const& name = option->get_lnames().front();
    if (is_among(of_the_way, name) || (only_runs && is_among(of_the_form, name))) continue;
    text += " --" + name;
    if (option->get_items_expected_max() > 0) text += ' ' + in_shell(value);
  }
  return text;
}

/// Refuses the further words that a shell makes of braces without quotes.
void sweep_part::refuse_unquoted_braces() const {
  auto const extras = m_options.remaining();
  bool const has_option =
      std::ranges::any_of(extras, [](auto const& one) { return one[0] == '-'; });
  if (extras.empty() || has_option) return;  // what else is wrong is found later
  throw usage_error(fmt::format(
      "unexpected argument '{}'; write a value with braces in quotes, as in --on 'torus:{{4,8}}x4'",
      extras.front()));
}

command sweep_part::read() const {
  refuse_unquoted_braces();
  sweep_command asked{.tool = m_tool.name};
  read_runs(asked);
  read_form(asked);
  read_axes(asked);
  read_efficiency(asked);
  asked.command = typed(false);
  asked.runs_command = typed(true);
  return asked;
}

}  // namespace lockstep::cli
