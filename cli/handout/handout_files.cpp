#include "handout/handout_files.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include <lockstep/topologies/parse.hpp>

#include "commands/usage_error.hpp"
#include "handout/clip.hpp"
#include "report/view_notes.hpp"

namespace lockstep::cli {

namespace {

namespace fs = std::filesystem;

void make_folder(fs::path const& folder) {
  std::error_code problem;
  if (fs::exists(folder, problem) && !fs::is_directory(folder, problem))
    throw usage_error(fmt::format("--svg: {} is a file; name a folder", folder.string()));
  fs::create_directories(folder, problem);
  if (problem)
    throw usage_error(fmt::format("--svg: the folder {} could not be made: {}; name another",
                                  folder.string(), problem.message()));
}

/// Finds out whether a file can be written there, and leaves none.
void try_folder(fs::path const& folder) {
  try {
    output_file const trial(folder / "step-000.svg");
  } catch (bad_input const& problem) {
    throw usage_error(fmt::format("--svg: {}", problem.what()));
  }
}

fs::path place_of(fs::path const& file) {
  std::error_code unknown;
  auto const place = fs::weakly_canonical(fs::absolute(file, unknown), unknown);
  return unknown ? file.lexically_normal() : place;
}

}  // namespace

handout_files::handout_files(view_command const& asked)
    : m_asked(asked), m_network(parse(asked.run.on)) {
  auto const& wanted = asked.handouts;
  if (m_network->size() > most_processors)
    throw usage_error(
        fmt::format("handouts have room for {} processors, and {} has {}; take a smaller network",
                    most_processors, m_network->spec(), m_network->size()));
  std::signal(SIGPIPE, SIG_IGN);  // writing to a reader who leaves fails instead
  if (wanted.pdf) open("--pdf", *wanted.pdf, ".pdf");
  if (wanted.slides) open("--slides", *wanted.slides, ".pdf");
  if (wanted.gif) open("--gif", *wanted.gif, ".gif");
  if (wanted.webm) open("--webm", *wanted.webm, ".webm");
  if ((wanted.gif || wanted.webm) && !can_make_clips())
    throw usage_error(
        fmt::format("{} needs ffmpeg, which is not on the path; install it (apt install ffmpeg), "
                    "or take --svg or --slides",
                    wanted.gif ? "--gif" : "--webm"));
  if (!wanted.svg) return;
  make_folder(*wanted.svg);
  try_folder(*wanted.svg);
}

void handout_files::open(char const* option, fs::path const& file, char const* ending) {
  if (file.has_extension() && file.extension() != ending)
    throw usage_error(
        fmt::format("{}: {} does not end in {}; name a file that does, or has no ending", option,
                    file.string(), ending));
  auto const check_apart = [&](std::string const& other, fs::path const& name) {
    std::error_code unknown;
    if (place_of(name) == place_of(file) || fs::equivalent(name, file, unknown))
      throw usage_error(
          fmt::format("{}: {} is what {} names; name another file", option, file.string(), other));
  };
  for (auto const& [other, opened] : m_files) check_apart(other, opened->path());
  if (m_asked.run.input) check_apart("--input", *m_asked.run.input);
  if (m_asked.run.trace) check_apart("--output", *m_asked.run.trace);
  try {
    m_files[option] = std::make_unique<output_file>(file);
  } catch (bad_input const& problem) {
    throw usage_error(fmt::format("{}: {}", option, problem.what()));
  }
}

void handout_files::write_after_error(std::string const& failure) noexcept {
  try {
    write_all(nullptr, failure);
  } catch (std::exception const& incomplete) {
    std::fprintf(stderr, "%s: %s\n", m_asked.run.tool.c_str(), incomplete.what());
  }
}

void handout_files::write_all(report const* of, std::string const& failure) {
  auto steps = m_log.steps();
  auto const reasons = explanation_in(m_asked.run, of).reasons;
  for (auto& step : steps)
    if (!step.messages.empty()) step.reason = reason_for(reasons, step.phase);
  drawn_run const run{.title = run_title(m_asked.run),
                      .command = view_command_text(m_asked.run),
                      .network = *m_network,
                      .steps = steps,
                      .lacks_steps = m_log.leaves_out_steps(),
                      .of = of,
                      .failure = failure};
  auto const& wanted = m_asked.handouts;
  if (wanted.pdf) write_file("--pdf", as_pdf(handout_pages(run, wanted.per_page)));
  if (!wanted.slides && !wanted.svg && !wanted.gif && !wanted.webm) return;
  auto const pages = slides(run);
  if (wanted.slides) write_file("--slides", as_pdf(pages));
  if (wanted.svg) write_folder(pages);
  if (wanted.gif) write_file("--gif", clip_of(pages, "gif"));
  if (wanted.webm) write_file("--webm", clip_of(pages, "webm"));
}

void handout_files::write_file(std::string const& option, std::string const& bytes) {
  auto& file = *m_files.at(option);
  file.stream() << bytes;
  try {
    file.complete();
  } catch (incomplete_output const& problem) {
    throw std::runtime_error(fmt::format("{}: {}", option, problem.what()));
  }
}

void handout_files::write_folder(std::vector<drawing> const& pages) {
  for (std::size_t i = 0; i < pages.size(); ++i) {
    try {
      output_file file(*m_asked.handouts.svg / fmt::format("step-{:03}.svg", i));
      file.stream() << as_svg(pages[i]);
      file.complete();
    } catch (bad_input const& problem) {
      throw std::runtime_error(fmt::format("--svg: {}", problem.what()));
    }
  }
}

}  // namespace lockstep::cli
