// What the documentation is made and checked with. See `usage`.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "algorithm_pages.hpp"
#include "check_blocks.hpp"
#include "check_links.hpp"
#include "check_site.hpp"
#include "extract.hpp"
#include "markdown.hpp"
#include "problem_pages.hpp"
#include "problem_table.hpp"
#include "site_page.hpp"

namespace {

constexpr char const* usage = R"(usage:
  lockstep_docs algorithms FOLDER               writes a page for each algorithm, and their index
  lockstep_docs problems DOCS LOCKSTEP [--write]
                                                checks the pages of problems, or writes them
  lockstep_docs table PAGE [--write]            checks the page's table of problems, or writes it
  lockstep_docs extract PAGE FILE               writes the page's blocks of C++ into one file
  lockstep_docs check PAGE BLOCKS BUILD SOURCE SCRATCH [--commands-run-elsewhere]
                                                runs what the page shows, and compares
  lockstep_docs links PATH...                   finds broken links, in Markdown and HTML
  lockstep_docs check-site HTML                 finds pages that are too large, or explain nothing
  lockstep_docs site SOURCE PAGES FOLDER        writes all pages as Doxygen wants them
)";

int run(std::vector<std::string> const& words) {
  using namespace lockstep::docs;
  auto const count = words.size();
  auto const task = count > 0 ? words[0] : std::string();
  if (task == "algorithms" && count == 2) {
    write_algorithm_pages(words[1]);
  } else if (task == "problems" && count == 3) {
    check_problem_pages(words[1], words[2]);
  } else if (task == "problems" && count == 4 && words[3] == "--write") {
    write_problem_pages(words[1], words[2]);
  } else if (task == "table" && count == 2) {
    check_problem_table(words[1]);
  } else if (task == "table" && count == 3 && words[2] == "--write") {
    write_problem_table(words[1]);
  } else if (task == "extract" && count == 3) {
    write_file(words[2], extracted(read_page(words[1])));
  } else if (task == "check" && count >= 6) {
    check_blocks({.page = words[1],
                  .blocks = words[2],
                  .build = words[3],
                  .source = words[4],
                  .scratch = words[5],
                  .run_commands = count == 6});
  } else if (task == "links" && count >= 2) {
    return check_links({words.begin() + 1, words.end()}, std::cout) == 0 ? 0 : 1;
  } else if (task == "check-site" && count == 2) {
    check_site(words[1]);
  } else if (task == "site" && count == 4) {
    write_site_pages(words[1], words[2], words[3]);
  } else {
    std::cerr << usage;
    return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    return run({argv + 1, argv + argc});
  } catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
  }
}
