#include "algorithm_table.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "markdown.hpp"

namespace lockstep::docs {

namespace {

constexpr std::string_view begin_mark = "<!-- made by: lockstep_docs table -->\n";
constexpr std::string_view end_mark = "<!-- end of table -->\n";

/// The first clause; what follows says how, and stands on the algorithm's own page.
std::string_view first_clause(std::string_view text) {
  constexpr std::array ends{"; ", ": ", ", by ", ", with ", ", and ", ", in "};
  std::size_t length = text.size();
  for (std::string_view const end : ends) length = std::min(length, text.find(end));
  return text.substr(0, length);
}

/// The summary's first clause, without a name that stands before it: "prefix: processor i gets ...".
std::string_view brief(experiment const& which) {
  std::string_view text = which.summary;
  if (text.starts_with(which.name + ": ")) text.remove_prefix(which.name.size() + 2);
  return first_clause(text);
}

/// The networks without what more is said of them, in parentheses.
std::string_view networks(experiment const& which) {
  std::string_view const text = which.topologies;
  return text.substr(0, text.find(" ("));
}

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

std::string table_of_algorithms() {
  std::string text = "| algorithm | what | on |\n|---|---|---|\n";
  for (auto const& which : experiments())
    text += fmt::format("| `{}` | {} | {} |\n", which.name, brief(which), networks(which));
  return text;
}

void check_algorithm_table(std::filesystem::path const& page) {
  auto const found = find_table(page);
  if (found.text.substr(found.begin, found.size) != table_of_algorithms())
    throw std::runtime_error(
        fmt::format("{0}: the table of algorithms is not what the registry has; write it by\n"
                    "build/release/docs/lockstep_docs table {0} --write\nIt should be:\n{1}",
                    page.string(), table_of_algorithms()));
}

void write_algorithm_table(std::filesystem::path const& page) {
  auto found = find_table(page);
  write_file(page, found.text.replace(found.begin, found.size, table_of_algorithms()));
}

}  // namespace lockstep::docs
