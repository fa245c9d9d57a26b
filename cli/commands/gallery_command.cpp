#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "commands.hpp"

namespace lockstep::cli {

namespace {

constexpr std::string_view index_head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>lockstep: algorithms step by step</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; }
li { margin: 0 0 1rem; }
ul { list-style: none; padding: 0; }
a { font-weight: 600; }
.on { opacity: 0.75; }
p { margin: 0.2rem 0 0; }
</style>
</head>
<body>
<main>
<h1>Algorithms step by step</h1>
<p>Each page shows a run that happened: open it, and press the right arrow key.</p>
<ul>
)";

constexpr std::string_view index_foot = "</ul>\n</main>\n</body>\n</html>\n";

std::string escaped_for_html(std::string_view text) {
  std::string made;
  for (char const one : text) {
    if (one == '&')
      made += "&amp;";
    else if (one == '<')
      made += "&lt;";
    else
      made += one;
  }
  return made;
}

void write_index(gallery_command const& asked) {
  auto const name = asked.folder / "index.html";
  std::ofstream file(name, std::ios::binary);
  file << index_head;
  for (auto const& page : asked.pages)
    fmt::print(file,
               "<li><a href=\"{0}.html\">{0}</a> <span class=\"on\">on {1}</span><p>{2}</p></li>\n",
               page.run.what->name, page.run.on, escaped_for_html(page.run.what->explanation));
  file << index_foot;
  if (!file.flush())
    throw std::runtime_error(fmt::format("{} could not be written", name.string()));
}

}  // namespace

exit_status execute(gallery_command const& asked, std::ostream& out) {
  std::error_code problem;
  std::filesystem::create_directories(asked.folder, problem);
  if (problem)
    throw std::runtime_error(fmt::format("the folder {} could not be made: {}",
                                         asked.folder.string(), problem.message()));
  auto status = exit_status::all_right;
  for (auto const& page : asked.pages) {
    std::ostringstream report;
    status = std::max(status, execute(page, report));
    out << page.run.trace->string() << '\n';
  }
  write_index(asked);
  out << (asked.folder / "index.html").string() << '\n';
  return status;
}

}  // namespace lockstep::cli
