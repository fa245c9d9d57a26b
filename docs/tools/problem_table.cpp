#include "problem_table.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "markdown.hpp"
#include "problems.hpp"

namespace lockstep::docs {

namespace {

constexpr std::string_view begin_mark = "<!-- made by: lockstep_docs table -->\n";
constexpr std::string_view end_mark = "<!-- end of table -->\n";

/// A page, and where its table stands.
struct place_of_table {
  std::string text;
  std::size_t begin = 0;
  std::size_t size = 0;
};

place_of_table find_table(std::filesystem::path const& page) {
  place_of_table found{.text = read_file(page)};
  found.begin = found.text.find(begin_mark);
  auto const end = found.text.find(end_mark);
  if (found.begin == std::string::npos || end == std::string::npos || end < found.begin)
    throw std::runtime_error(
        fmt::format("{}: there is no place for the table, which is between\n{}{}", page.string(),
                    begin_mark, end_mark));
  found.begin += begin_mark.size();
  found.size = end - found.begin;
  return found;
}

}  // namespace

std::string table_of_problems() {
  std::string text = "| problem | algorithms |\n|---|---|\n";
  for (auto const& one : problems()) {
    text += fmt::format("| [{}](docs/problems/{}.md) |", one.title, one.page);
    for (std::string_view before = " "; auto const* const which : one.algorithms) {
      text += fmt::format("{}{}", before, which->name);
      before = ", ";
    }
    text += " |\n";
  }
  return text;
}

void check_problem_table(std::filesystem::path const& page) {
  auto const found = find_table(page);
  if (found.text.substr(found.begin, found.size) != table_of_problems())
    throw std::runtime_error(
        fmt::format("{}: the table of problems is not what the registry has; write it by: make "
                    "pages\nIt should be:\n{}",
                    page.string(), table_of_problems()));
}

void write_problem_table(std::filesystem::path const& page) {
  auto found = find_table(page);
  write_file(page, found.text.replace(found.begin, found.size, table_of_problems()));
}

}  // namespace lockstep::docs
