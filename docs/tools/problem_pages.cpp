#include "problem_pages.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "algorithm_text.hpp"
#include "markdown.hpp"
#include "problems.hpp"

namespace lockstep::docs {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view made_by = "<!-- made by: make pages -->\n\n";

/// Whether a line says what differs from computer to computer: the time, or rounding errors of the
/// numeric libraries.
bool is_of_this_computer(std::string_view line) {
  constexpr std::array starts{"wall time", "error ", "library_error "};
  return std::ranges::any_of(starts, [&](auto const* start) { return line.starts_with(start); });
}

/// The output of the teaching example. A line `...` stands for what differs from computer to computer.
std::string output_of_example(experiment const& which, fs::path const& lockstep) {
  auto const command = fmt::format("'{}' run {}", lockstep.string(), usual_command(which));
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start a shell");
  std::string output;
  std::array<char, 4096> some{};
  while (auto const size = std::fread(some.data(), 1, some.size(), pipe))
    output.append(some.data(), size);
  if (::pclose(pipe) != 0) throw std::runtime_error(fmt::format("{} fails", command));
  std::string text;
  for (auto const& line : lines_of(output)) {
    auto const end = line.find_last_not_of(' ');
    text += is_of_this_computer(line) ? "..." : line.substr(0, end + 1);
    text += '\n';
  }
  return text;
}

std::string section_of(experiment const& which, fs::path const& lockstep) {
  auto text = fmt::format("## {}\n\n{}.\n\n{}\n", which.name, plain(sentence(which.summary)),
                          how_it_works(which));
  text += fmt::format("- Networks: {}\n- Call: `{}`, from `<{}>`\n- Source: {}",
                      plain(which.topologies), which.call, which.header, plain(which.source));
  if (auto const page = errata_page(which.source); !page.empty())
    text += fmt::format("; its [errata](../{})", page);
  text += "\n\n";
  if (auto const options = options_table(which); !options.empty()) text += options + '\n';
  return text + fmt::format("```sh\nlockstep run {}\n```\n\n```text\n{}```\n", usual_command(which),
                            output_of_example(which, lockstep));
}

std::string problem_page(problem const& which, fs::path const& lockstep) {
  auto text = fmt::format(
      "# {}\n\n{}{}. After each algorithm stands what its example counts, beside lower bounds, "
      "claims and their sources.\n",
      which.title, made_by, which.summary);
  for (auto const* const one : which.algorithms) text += '\n' + section_of(*one, lockstep);
  return text + "\n[All algorithms](../algorithms.md)\n";
}

/// The pages by their places in docs/.
std::map<std::string, std::string> problem_pages(fs::path const& lockstep) {
  std::map<std::string, std::string> pages{
      {"algorithms.md", index_of_algorithms(algorithm_links::section_of_problem)}};
  for (auto const& one : problems())
    pages[fmt::format("problems/{}.md", one.page)] = problem_page(one, lockstep);
  return pages;
}

/// Files in docs/problems/ that no problem has.
std::string superfluous_pages(fs::path const& docs,
                              std::map<std::string, std::string> const& pages) {
  std::string found;
  if (fs::exists(docs / "problems"))
    for (auto const& entry : fs::directory_iterator(docs / "problems"))
      if (!pages.contains(fs::relative(entry.path(), docs).string()))
        found += fmt::format("{} is not a problem's page\n", entry.path().string());
  return found;
}

std::string link_to(problem const& which, experiment const& algorithm, algorithm_links links) {
  if (links == algorithm_links::page_each) return fmt::format("algorithms/{}.md", algorithm.name);
  return fmt::format("problems/{}.md#{}", which.page, algorithm.name);
}

}  // namespace

std::string index_of_algorithms(algorithm_links links) {
  auto text = fmt::format(
      "# Algorithms\n\n{}The algorithms that `lockstep list` lists, by problem: what they do, on "
      "which networks, how they are called, and what they count beside what is claimed.\n",
      made_by);
  for (auto const& one : problems()) {
    // On the site a heading would have the label of an algorithm's page.
    if (links == algorithm_links::page_each)
      text += fmt::format("\n**{}.** ", one.title);
    else
      text += fmt::format("\n## {}\n\n", one.title);
    text += fmt::format("{}: [page](problems/{}.md).\n\n", one.summary, one.page);
    text += "| algorithm | what | networks |\n|---|---|---|\n";
    for (auto const* const which : one.algorithms)
      text += fmt::format("| [{}]({}) | {} | {} |\n", which->name, link_to(one, *which, links),
                          plain(which->summary), plain(which->topologies));
  }
  return text;
}

void check_problem_pages(fs::path const& docs, fs::path const& lockstep) {
  auto const pages = problem_pages(lockstep);
  auto found = superfluous_pages(docs, pages);
  for (auto const& [place, text] : pages)
    if (!fs::exists(docs / place) || read_file(docs / place) != text)
      found +=
          fmt::format("{} is not what the registry and its runs give\n", (docs / place).string());
  if (!found.empty()) throw std::runtime_error(found + "write the pages by: make pages");
}

void write_problem_pages(fs::path const& docs, fs::path const& lockstep) {
  auto const pages = problem_pages(lockstep);
  fs::remove_all(docs / "problems");
  fs::create_directories(docs / "problems");
  for (auto const& [place, text] : pages) write_file(docs / place, text);
}

}  // namespace lockstep::docs
