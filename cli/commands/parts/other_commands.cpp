#include "other_commands.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/ranges.h>

#include "commands/suggest.hpp"
#include "option_values.hpp"
#include "report/shell_words.hpp"

namespace lockstep::cli {

namespace {

/// Names papers or figures.
template <class Entry>
std::vector<std::string> names_of(std::span<Entry const> entries) {
  std::vector<std::string> names;
  for (auto const& entry : entries) names.push_back(entry.name);
  return names;
}

/// Finds the paper or figure of that name; `kind` is what it is called. Errors: usage_error.
template <class Entry>
Entry const& chosen(std::string_view kind, std::string const& name, std::span<Entry const> known) {
  auto const names = names_of(known);
  if (name.empty())
    throw usage_error(
        fmt::format("name a {0}: lockstep {0} NAME; there are: {1}", kind, fmt::join(names, ", ")));
  auto const found = std::ranges::find(known, name, &Entry::name);
  if (found == known.end())
    throw usage_error(fmt::format("there is no {} '{}'; {}", kind, name, suggestion(name, names)));
  return *found;
}

}  // namespace

list_part::list_part(CLI::App& parser, tool const& of)
    : command_part(parser, of, "list", "List algorithms, topologies and cost models") {
  m_options.add_flag("--json", m_json, "Print one JSON object");
}

command list_part::read() const {
  refuse_extras();
  return list_command{.json = m_json, .tool = m_tool.name, .known = m_tool.known};
}

compare_part::compare_part(CLI::App& parser, tool const& of,
                           std::function<command(std::vector<std::string> const&)> read_run)
    : command_part(parser, of, "compare", "Set two runs, or two sweeps, beside each other"),
      m_read_run(std::move(read_run)) {
  m_options
      .add_option("A", m_one,
                  fmt::format("FILE that `{0} run --json` or `{0} sweep --json` "
                              "has printed, or \"ALGORITHM --on TOPOLOGY ...\"",
                              m_tool.name))
      ->type_name("");
  m_options.add_option("B", m_other, "The same, to set beside it")->type_name("");
  m_options.add_flag("--equal", m_equal, "End in status 1 where the counts are not equal");
  add_text("--plot", m_plot, "FILE that gets a picture of both, .svg or .pdf");
  m_options.footer(
      "Prints each figure of A and B, and B/A. Rows of sweeps stand beside each other where the\n"
      "same values were given; of them, the figures that differ are shown. A picture has bars for\n"
      "the figures of two runs, and curves of two sweeps: times by one model, else steps.");
}

compared_side compare_part::side_from(std::string const& text) const {
  std::error_code unknown;
  if (std::filesystem::exists(text, unknown)) return {.name = text};
  auto words = words_of(text);
  if (words.size() < 2)
    throw usage_error(
        fmt::format("there is no file '{}'; name one, or write a run in quotes, \"ALGORITHM --on "
                    "TOPOLOGY ...\"",
                    text));
  words.insert(words.begin(), "run");
  auto const read = m_read_run(words);
  auto const* const run = std::get_if<run_command>(&read);
  if (run == nullptr || run->trace || run->output || run->json || run->table)
    throw usage_error(
        fmt::format("'{}': give what follows `{} run`, without options that print or "
                    "write",
                    text, m_tool.name));
  return {.name = text, .run = *run};
}

command compare_part::read() const {
  refuse_extras();
  if (m_one.empty() || m_other.empty())
    throw usage_error(
        fmt::format("name two files, or runs in quotes: {} compare A B", m_tool.name));
  compare_command asked{
      .one = side_from(m_one), .other = side_from(m_other), .has_to_be_equal = m_equal};
  asked.plot = if_given<std::filesystem::path>("--plot", m_plot);
  if (!asked.plot) return asked;
  if (asked.plot->extension() != ".svg" && asked.plot->extension() != ".pdf")
    throw usage_error(
        fmt::format("--plot: {}: a picture of two runs has a name that ends in .svg or .pdf",
                    asked.plot->string()));
  asked.command = fmt::format("{} compare {} {} --plot {}", in_shell(m_tool.name), in_shell(m_one),
                              in_shell(m_other), in_shell(asked.plot->string()));
  return asked;
}

calibrate_part::calibrate_part(CLI::App& parser, tool const& of)
    : command_part(parser, of, "calibrate",
                   "Measure what a local operation takes on this computer") {
  add_text("--elements", m_elements, "NUMBERS of 8 bytes to work on (default: 1048576)");
  m_options.add_flag("--json", m_json, "Print one JSON object");
  m_options.footer(
      "Times a sort, a merge, a sum and a multiply-add, whose operations are counted as\n"
      "me.work_of counts them. A cost model takes one as its price: --model "
      "loggp:operation_us=...");
}

command calibrate_part::read() const {
  constexpr int least = 1'000;
  constexpr int most = 1 << 28;
  calibrate_command asked{.json = m_json};
  refuse_extras();
  if (!is_given("--elements")) return asked;
  auto const elements = clamped_number("--elements", m_elements);
  if (elements < least || elements > most)
    throw usage_error(fmt::format("--elements {}: take {} to {}", m_elements, least, most));
  asked.elements = static_cast<std::uint64_t>(elements);
  return asked;
}

paper_part::paper_part(CLI::App& parser, tool const& of)
    : command_part(parser, of, "paper",
                   "Show a paper's tables, each value beside what is counted") {
  m_options.add_option("NAME", m_name, fmt::format("{}", fmt::join(names_of(papers()), ", ")))
      ->type_name("");
  add_text("--processors", m_processors,
           "NUMBER of processors of the largest network; leaves out larger ones");
  m_options.add_flag("--missing", m_missing,
                     "List what the paper states and is not run, and why; run nothing");
  m_options.add_flag("--json", m_json, "Print one JSON object");
  m_options.footer(
      "Runs the algorithms on all networks of the tables. Each claim has a verdict: equal, holds,\n"
      "refuted, our program exceeds, outside the claim, decides nothing, or not run, in one sense\n"
      "everywhere. WRONG marks what ought to hold and does not, and ends in status 1.");
}

command paper_part::read() const {
  paper_command asked{
      .what = &chosen("paper", m_name, papers()), .json = m_json, .missing = m_missing};
  refuse_extras();
  if (m_missing && is_given("--processors"))
    throw usage_error(
        "--missing runs nothing, and --processors says what to run; give one of the two");
  if (is_given("--processors"))
    asked.most_processors = clamped_number("--processors", m_processors);
  return asked;
}

figure_part::figure_part(CLI::App& parser, tool const& of)
    : command_part(parser, of, "figure", "Draw a paper's figure from what is counted") {
  m_options.add_option("NAME", m_name, fmt::format("{}", fmt::join(names_of(figures()), ", ")))
      ->type_name("");
  add_text("--output", m_folder, "FOLDER that gets the files (default: .)");
  add_text("--up-to", m_up_to,
           "SIDE of the largest torus or mesh (128 takes a minute or two and 5 GB), or "
           "processors of the largest crossbar");
  m_options.footer(
      "Writes NAME.csv and NAME.svg; where algorithms are compared, NAME-cross-overs.csv, too.\n"
      " Prints the block sizes from which one is faster than another, "
      "or\n"
      "what the paper says of the figure's shape and how it came out; status 1 if that is not so.");
}

command figure_part::read() const {
  figure_command asked{.what = &chosen("figure", m_name, figures())};
  refuse_extras();
  if (auto const folder = if_given<std::string>("--output", m_folder)) asked.folder = *folder;
  if (is_given("--up-to")) asked.up_to = clamped_number("--up-to", m_up_to);
  return asked;
}

}  // namespace lockstep::cli
