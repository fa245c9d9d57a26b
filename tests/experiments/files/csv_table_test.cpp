#include "files/csv_table.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "files/csv_rows.hpp"

using lockstep::csv_table;

namespace {

/// The table of a text, as its records tell where rows end.
csv_table table_of(std::string const& text) {
  std::istringstream in(text);
  std::string kept;
  lockstep::csv_rows rows(in, "f", &kept);
  std::vector<std::uint64_t> ends{rows.end_of_row()};
  while (rows.next()) ends.push_back(rows.end_of_row());
  CHECK(kept == text);
  return {kept, ends};
}

std::vector<std::string> rows_of(csv_table const& table) {
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) rows.emplace_back(table.row(i));
  return rows;
}

}  // namespace

TEST_CASE("a table has its rows byte for byte", "[files][sanitize]") {
  auto const table = table_of("\xEF\xBB\xBFname, n\r\n\"a\r\nb, \"\"c\"\"\",  1 \n x,2\r\n\r\n\n");
  CHECK(table.names() == "\xEF\xBB\xBFname, n\r\n");
  CHECK(rows_of(table) == std::vector<std::string>{"\"a\r\nb, \"\"c\"\"\",  1 \n", " x,2\r\n"});
  CHECK(table.line_of(0) == 2);
  CHECK(table.line_of(1) == 4);
}

TEST_CASE("the last line of a table gets a line break as the first", "[files]") {
  CHECK(rows_of(table_of("n\n1\n2")) == std::vector<std::string>{"1\n", "2\n"});
  CHECK(rows_of(table_of("n\r\n1\n2")) == std::vector<std::string>{"1\n", "2\r\n"});
  CHECK(rows_of(table_of("n\r\n\"2\n\"")) == std::vector<std::string>{"\"2\n\"\r\n"});
  auto const names_only = table_of("n");
  CHECK(names_only.rows() == 0);
  CHECK(names_only.names() == "n\n");
  CHECK(table_of("n\r\n").names() == "n\r\n");
}

TEST_CASE("rows that the reader's buffers cut are whole in a table", "[files]") {
  std::string text = "n,text\n";
  std::vector<std::string> rows;
  for (int i = 0; i < 40; ++i) {
    std::string const row =
        std::to_string(i) + ",\"" + std::string(9973, static_cast<char>('a' + i % 26)) + "\n\"\n";
    text += row;
    rows.push_back(row);
  }
  CHECK(rows_of(table_of(text)) == rows);
}
