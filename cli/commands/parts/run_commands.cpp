#include "run_commands.hpp"

#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "option_values.hpp"
#include "report/shell_words.hpp"

namespace lockstep::cli {

namespace {

/// Reads the name of a page. Errors: usage_error.
std::filesystem::path page_from(std::filesystem::path page) {
  std::error_code unknown;
  if (std::filesystem::is_directory(page, unknown) || page.filename().empty())
    throw usage_error(fmt::format("--output: {} is a folder; name a file in it, such as {}",
                                  page.string(), (page / "run.html").string()));
  if (page.extension() != ".html")
    throw usage_error(fmt::format("--output: {}: a page's name ends in .html", page.string()));
  return page;
}

}  // namespace

run_part::run_part(CLI::App& parser, tool const& of, run_place place)
    : running_part(parser, of, "run", "Run an algorithm: its counts beside the paper's claims",
                   output_is::result, place) {
  m_options.footer(of.has_papers ? "Checks the result against a sequential computation."
                                 : "Checks the result if the algorithm says what it should be.");
  add_run_options();
}

explain_part::explain_part(CLI::App& parser, tool const& of)
    : running_part(parser, of, "explain",
                   "Run an algorithm: what came in at each processor in each step",
                   output_is::result, run_place::in_command) {
  m_options.footer(
      "Shows a row for each processor and a column for each step, the busiest in-port, how many\n"
      "steps its words take in any order, and the paper's claims.");
  add_text("--processors", m_processors, "LIST of ranks to show, such as 0,3,8-15: at most 64");
  add_text("--steps", m_steps, "FROM-TO, the steps to show, such as 1-40: at most 2000");
  add_text("--show", m_show,
           "senders or words of what came in, or values or values:NAME: what me.show says");
  add_run_options();
}

command explain_part::read() const {
  explain_command asked{.run = read_run()};
  if (is_given("--processors")) asked.processors = ranks_from("--processors", m_processors);
  if (is_given("--steps")) asked.steps = steps_from("--steps", m_steps);
  auto const colon = m_show.find(':');
  asked.content = choice("--show", m_show.substr(0, colon), cell_contents());
  if (colon == std::string::npos) return asked;
  asked.value = m_show.substr(colon + 1);
  if (asked.content != cell_content::values || asked.value.empty())
    throw usage_error("--show: a name follows values alone, as in values:NAME");
  return asked;
}

view_part::view_part(CLI::App& parser, tool const& of,
                     std::function<command(std::vector<std::string> const&)> read_beside)
    : running_part(parser, of, "view",
                   "Run an algorithm, and write a page that shows it step by step in a browser",
                   output_is::page, run_place::in_command),
      m_read_beside(std::move(read_beside)) {
  m_options.footer(
      "The page is one file that needs no network. A run that fails has a page, too. Prints what\n"
      "`run` prints, and has its exit status, or the worse one of two runs; the page of a large "
      "run\n"
      "ends where there is no more room, and says so.");
  add_text("--output", m_output, "FILE that gets the page, .html (default: ALGORITHM.html)");
  add_text("--beside", m_beside, "RUN to show beside it: \"ALGORITHM --on TOPOLOGY ...\"");
  add_text("--gallery", m_gallery,
           "FOLDER that gets a page of every algorithm, and an index of them");
  add_text("--pdf", m_pdf, "FILE that gets a handout in PDF, instead of the page");
  add_text("--per-page", m_per_page, "NUMBER of steps on each page of --pdf, 1 to 12 (default: 4)");
  add_text("--slides", m_slides, "FILE that gets slides in PDF, 16:9, a step each");
  add_text("--svg", m_svg, "FOLDER that gets the slides in SVG, a file each");
  add_text("--gif", m_gif, "FILE that gets a clip in GIF, made by ffmpeg");
  add_text("--webm", m_webm, "FILE that gets a clip in WebM, made by ffmpeg");
  add_run_options();
}

command view_part::read() const {
  if (is_given("--gallery")) return read_gallery();
  view_command asked{.run = read_run(), .handouts = read_handouts()};
  auto const page = if_given<std::string>("--output", m_output);
  if (page || !asked.handouts.are_any())
    asked.run.trace = page_from(page.value_or(asked.run.what->name + ".html"));
  asked.run.trace_option = "--output";
  if (auto const line = if_given<std::string>("--beside", m_beside)) {
    if (asked.handouts.are_any())
      throw usage_error("--beside: handouts and clips are of one run; leave it out");
    asked.beside = beside_from(*line);
    if (!asked.beside->values_chosen) asked.beside->values = asked.run.values;
  }
  return asked;
}

/// Reads the files of handouts and clips.
asked_handouts view_part::read_handouts() const {
  using path = std::filesystem::path;
  asked_handouts asked{.pdf = if_given<path>("--pdf", m_pdf),
                       .slides = if_given<path>("--slides", m_slides),
                       .svg = if_given<path>("--svg", m_svg),
                       .gif = if_given<path>("--gif", m_gif),
                       .webm = if_given<path>("--webm", m_webm)};
  auto const per_page = if_given<std::string>("--per-page", m_per_page);
  if (!per_page) return asked;
  if (!asked.pdf) throw usage_error("--per-page goes with --pdf FILE");
  auto const number = whole_number("--per-page", *per_page);
  constexpr int most = 12;
  if (number < 1 || number > most)
    throw usage_error(
        fmt::format("--per-page: {} steps do not fit a page; take 1 to {}", number, most));
  asked.per_page = static_cast<int>(number);
  return asked;
}

/// Reads the run to show beside another, which is written as after `lockstep run`.
run_command view_part::beside_from(std::string const& line) const {
  auto words = words_of(line);
  words.insert(words.begin(), "run");
  try {
    auto const other = m_read_beside(words);
    auto const* const run = std::get_if<run_command>(&other);
    if (run == nullptr) throw usage_error(fmt::format("give what follows `{} run`", m_tool.name));
    if (run->trace || run->output || run->json || run->table || run->model)
      throw usage_error("it writes no files and prints nothing; leave out such options");
    return *run;
  } catch (usage_error const& problem) {
    throw usage_error(fmt::format("--beside: {}", problem.what()));
  }
}

/// Makes the commands that view the algorithms' teaching examples.
gallery_command view_part::read_gallery() const {
  refuse_extras();
  for (auto const* const option : m_options.get_options())
    if (option->count() > 0 && option->get_name() != "--gallery")
      throw usage_error(
          "--gallery writes a page of every algorithm; leave out the rest, or leave out --gallery");
  gallery_command asked{.folder = *if_given<std::string>("--gallery", m_gallery)};
  for (auto const& one : m_tool.known) {
    auto const example = teaching_request(one);
    asked.pages.push_back({.run = {.what = &one,
                                   .on = one.teaching.on,
                                   .options = example.options,
                                   .parameters = example.parameters,
                                   .trace = asked.folder / (one.name + ".html"),
                                   .trace_option = "--gallery",
                                   .tool = m_tool.name,
                                   .libraries = m_tool.libraries}});
  }
  return asked;
}

}  // namespace lockstep::cli
