#include "trace_file.hpp"

#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "commands/usage_error.hpp"
#include "report/progress.hpp"
#include "report/report.hpp"

namespace lockstep::cli {

namespace {

constexpr std::size_t large_page = 1'000'000;  // bytes; a larger page is said to allow fewer

trace_format const& format_of(std::filesystem::path const& path, std::string_view trace_option) {
  if (auto const* const found = find_trace_format(path)) return *found;
  throw usage_error(fmt::format("{}: the ending of {} names no format; let it be {}", trace_option,
                                path.string(), list_of_trace_formats()));
}

void check_room(trace_format const& wanted, topology const& network) {
  if (network.size() > wanted.most_processors)
    throw usage_error(fmt::format(
        "--trace: a {} file has room for {} processors, and {} has {}; take a smaller network, "
        "or another ending",
        wanted.ending, wanted.most_processors, network.spec(), network.size()));
}

/// Nothing else that the run reads or writes may be overwritten.
void check_apart(run_command const& asked, std::string_view option,
                 std::optional<std::filesystem::path> const& other) {
  if (!other) return;
  auto const& path = *asked.trace;
  std::error_code unknown;
  auto const place = [&](std::filesystem::path const& of) {
    auto const found =
        std::filesystem::weakly_canonical(std::filesystem::absolute(of, unknown), unknown);
    return unknown ? of.lexically_normal() : found;  // opening it says what failed
  };
  if (std::filesystem::equivalent(path, *other, unknown) || place(path) == place(*other))
    throw usage_error(fmt::format("{}: {} is what {} names; name another file", asked.trace_option,
                                  path.string(), option));
}

/// The other files that an experiment reads, by the options that name them.
std::map<std::string, std::filesystem::path> named_files(run_command const& asked) {
  std::map<std::string, std::filesystem::path> files;
  for (auto const& taken : asked.what->parameters) {
    auto const given = asked.parameters.find(taken.name);
    if (!taken.help.starts_with("FILE") || given == asked.parameters.end()) continue;
    if (auto const* const name = std::get_if<std::string>(&given->second); name && !name->empty())
      files["--" + taken.name] = *name;
  }
  return files;
}

/// Says what makes a page of that run smaller.
std::string smaller_input(run_command const& asked) {
  if (asked.input) return "a shorter input or a smaller machine";
  std::vector<std::string> options;
  for (auto const& one : asked.what->parameters)
    if (one.of_made_input && std::holds_alternative<std::int64_t>(one.fallback))
      options.push_back("--" + one.name);
  if (options.empty()) return "a smaller machine";
  return fmt::format("a smaller {} or machine", fmt::join(options, ", "));
}

}  // namespace

trace_file::trace_file(run_command const& asked) : m_asked(asked) {
  auto const& path = *asked.trace;
  auto const& wanted = format_of(path, asked.trace_option);
  machine const traced(parse(asked.on), asked.options);
  check_room(wanted, traced.topology());
  check_apart(asked, "--input", asked.input);
  check_apart(asked, "--output", asked.output);
  for (auto const& [option, file] : named_files(asked)) check_apart(asked, option, file);
  // Who reads a pipe and leaves must not end the run: writing fails instead.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    m_file.emplace(path);
  } catch (bad_input const& problem) {
    throw usage_error(fmt::format("{}: {}", asked.trace_option, problem.what()));
  }
  m_trace =
      wanted.make(m_file->stream(), traced, {.program = asked.what->name, .name = path.string()});
}

void trace_file::describe(view_notes notes) {
  if (auto* const page = dynamic_cast<view_trace*>(m_trace.get())) page->describe(std::move(notes));
}

void trace_file::put_beside(view_trace const& other) {
  if (auto* const page = dynamic_cast<view_trace*>(m_trace.get())) page->put_beside(other);
}

std::optional<std::size_t> trace_file::prepare() {
  auto* const page = dynamic_cast<view_trace*>(m_trace.get());
  if (page == nullptr || m_page_bytes) return m_page_bytes;
  {
    progress const shown(STDERR_FILENO, "making the page " + m_asked.trace->string());
    m_page_bytes = page->prepare();
  }
  if (*m_page_bytes > large_page)
    std::fprintf(stderr, "%s: %s has %s: %s makes it smaller\n", m_asked.tool.c_str(),
                 m_asked.trace->string().c_str(), size_text(*m_page_bytes).c_str(),
                 smaller_input(m_asked).c_str());
  return m_page_bytes;
}

void trace_file::finish() {
  prepare();
  try {
    m_trace->finish();
  } catch (incomplete_trace const&) {
    finish_file();  // where nothing more can be written, this says why
    throw;          // else what was left out is beyond a limit of the format
  }
  finish_file();
}

void trace_file::finish_file() {
  try {
    m_file->complete();
  } catch (incomplete_output const& problem) {
    throw incomplete_trace(fmt::format("the trace is incomplete: {}", problem.what()));
  }
}

void trace_file::finish_after_error() noexcept {
  try {
    finish();
  } catch (std::exception const& incomplete) {
    std::fprintf(stderr, "%s: %s\n", m_asked.tool.c_str(), incomplete.what());
  }
}

}  // namespace lockstep::cli
