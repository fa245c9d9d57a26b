#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "files/csv_file.hpp"

using lockstep::number_vector;
using lockstep::read_csv_column;
using lockstep::written_column;

namespace {

using whole = std::vector<std::int64_t>;
using real = std::vector<double>;

number_vector column_in(std::string const& text, std::string const& name = "") {
  std::istringstream in(text);
  return read_csv_column(in, "f", name).values;
}

std::string name_in(std::string const& text, std::string const& name = "") {
  std::istringstream in(text);
  return read_csv_column(in, "f", name).name;
}

std::string column_complaint(std::string const& text, std::string const& name = "") {
  try {
    (void)column_in(text, name);
  } catch (lockstep::bad_input const& bad) {
    return bad.what();
  }
  return "nothing";
}

template <class Number>
std::string written(std::vector<written_column<Number>> const& columns) {
  std::ostringstream out;
  lockstep::write_csv<Number>(out, columns);
  return out.str();
}

}  // namespace

TEST_CASE("a column of numbers is read by its name", "[csv_file][sanitize]") {
  std::string const text = "id,price,\"unit, \"\"x\"\"\"\r\n1,2.5,7\r\n2,-3,\"8\"\r\n";
  CHECK(column_in(text, "id") == number_vector(whole{1, 2}));
  CHECK(column_in(text, "price") == number_vector(real{2.5, -3}));
  CHECK(column_in(text, "unit, \"x\"") == number_vector(whole{7, 8}));
  CHECK(name_in(text, "unit, \"x\"") == "unit, \"x\"");
  CHECK(column_in("a,b\nx,1\n\"y\nz\",2\n", "b") == number_vector(whole{1, 2}));
  CHECK(column_in("a,b,a\n1,2,3\n", "b") == number_vector(whole{2}));
}

TEST_CASE("the only column needs no name", "[csv_file]") {
  CHECK(column_in("a\n1\n2\n") == number_vector(whole{1, 2}));
  CHECK(name_in("a\n1\n2\n") == "a");
  CHECK(name_in("\"\"\n1\n").empty());
  CHECK(column_in("7\n1\n", "7") == number_vector(whole{1}));
}

TEST_CASE("no rows are a column without numbers", "[csv_file]") {
  CHECK(column_in("a") == number_vector(whole{}));
  CHECK(column_in("a,b\n", "b") == number_vector(whole{}));
  CHECK(column_in("a\r\n\r\n\n") == number_vector(whole{}));
}

TEST_CASE("blanks around numbers and empty lines at the end count for nothing", "[csv_file]") {
  CHECK(column_in("a, b\n1, 2 \n3,\t4\n", " b") == number_vector(whole{2, 4}));
  CHECK(column_in("a\n1\n\n\n\r\n") == number_vector(whole{1}));
  CHECK(column_in("\xEF\xBB\xBF"
                  "a\n1") == number_vector(whole{1}));
}

TEST_CASE("a column that is not there, or more than once, is refused", "[csv_file]") {
  CHECK(column_complaint("") == "f: is empty; give a CSV file whose first line names its columns");
  CHECK(column_complaint("\xEF\xBB\xBF") ==
        "f: is empty; give a CSV file whose first line names its columns");
  CHECK(column_complaint("\n1\n") == "f:1: is empty, and has to name the columns");
  CHECK(column_complaint("a,b\n1,2\n") == "f: has 2 columns; name one with --column: \"a\", \"b\"");
  CHECK(column_complaint("a,b\n1,2\n", "x") == "f: has no column \"x\"; there are: \"a\", \"b\"");
  CHECK(
      column_complaint("a,b,c,d,e,f,g,h,i,j\n", "x") ==
      "f: has no column \"x\"; there are: \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", "
      "and 2 more");
  CHECK(column_complaint("id,Unit Price \n1,2\n", "unit_price") ==
        "f: has no column \"unit_price\"; did you mean \"Unit Price \"?");
  CHECK(column_complaint("a,b,a\n1,2,3\n", "a") ==
        "f: has 2 columns \"a\"; give each a name of its own");
  CHECK(
      column_complaint("1.5\n2\n") ==
      "f:1: \"1.5\" is a number, and has to name the column; put a line with a name before it, or "
      "say --column \"1.5\" if it is one");
}

TEST_CASE("rows that do not fit the first line are refused with their line", "[csv_file]") {
  CHECK(column_complaint("a,b\n1,2\n3\n", "a") ==
        "f:3: 1 field in this row, 2 in the first line; give all rows as many");
  CHECK(column_complaint("a,b\n1,\"2\n\"\n3,4,5\n", "a") ==
        "f:4: 3 fields in this row, 2 in the first line; give all rows as many");
  CHECK(column_complaint("a\n1\n2,\n") ==
        "f:3: 2 fields in this row, 1 in the first line; give all rows as many");
  CHECK(column_complaint("a\n1\n\n\n2\n") == "f:3: is empty, and rows follow; leave the line out");
  CHECK(column_complaint("a,b\n\n1,2\n", "a") ==
        "f:2: is empty, and rows follow; leave the line out");
}

TEST_CASE("what is not a number in range is refused with its line", "[csv_file]") {
  auto const refused = [](std::string const& field) {
    return "f:3: " + field + " in column \"b\" is not a finite number in range; give one";
  };
  auto const row = [](std::string const& field) { return "a,b\n1,2\nx," + field + "\n"; };
  for (auto const* const field : {"four", "nan", "-inf", "1e999", "1;2", "0x1", "1 2", "--1"}) {
    INFO(field);
    CHECK(column_complaint(row(field), "b") == refused('"' + std::string(field) + '"'));
  }
  CHECK(column_complaint(row("\"1,5\""), "b") == refused("\"1,5\""));
  CHECK(column_complaint(row("\"one\ntwo\""), "b") == refused("\"one?two\""));
  CHECK(column_complaint(row(std::string(30, 'y')), "b") ==
        refused("\"" + std::string(24, 'y') + "...\""));
  for (auto const* const nothing : {"", " ", "\"\""}) {
    INFO(nothing);
    CHECK(column_complaint(row(nothing), "b") == "f:3: nothing in column \"b\"; give a number");
  }
}

TEST_CASE("more rows than there is memory for are refused", "[csv_file]") {
  std::string text = "a\n";
  for (int row = 0; row < 300'000; ++row) text += "1\n";
  std::istringstream in(text);
  CHECK_THROWS_WITH(read_csv_column(in, "f", "", [] { return std::uint64_t{3} << 20U; }),
                    "f:262146: more numbers than there is memory for (3 MiB available); give a "
                    "shorter file");
}

TEST_CASE("CSV files that cannot be read are refused with the reason", "[csv_file]") {
  auto const directory = std::filesystem::temp_directory_path();
  auto const nowhere = directory / "lockstep-no-such-directory" / "a.csv";
  CHECK_THROWS_WITH(
      read_csv_column(nowhere, ""),
      nowhere.string() + ": cannot be read: No such file or directory; name a CSV file");
  CHECK_THROWS_WITH(read_csv_column(directory, ""),
                    directory.string() + ": is a directory; name a CSV file");
  temporary_file const file("a,b\n1,2\n");
  auto const column = read_csv_column(file.path(), "b");
  CHECK(column.name == "b");
  CHECK(column.values == number_vector(whole{2}));
}

TEST_CASE("columns are written beside each other", "[csv_file][sanitize]") {
  whole const ones{1, -2};
  whole const others{std::numeric_limits<std::int64_t>::min(), 0};
  CHECK(written<std::int64_t>({{"a", ones}, {"b", others}}) ==
        "a,b\n1,-9223372036854775808\n-2,0\n");
  CHECK(written<std::int64_t>({{"a", {}}}) == "a\n");
  CHECK(written<std::int64_t>({{"x,y", ones}}) == "\"x,y\"\n1\n-2\n");
  CHECK(written<std::int64_t>({{"say \"x\"", {}}, {"two\nlines", {}}, {"\r", {}}}) ==
        "\"say \"\"x\"\"\",\"two\nlines\",\"\r\"\n");
  real const fractions{0.1, 1e300};
  CHECK(written<double>({{"a", fractions}}) == "a\n0.1\n1e+300\n");
}

TEST_CASE("columns are read as they were written", "[csv_file]") {
  real const numbers{0.1,
                     1.0 / 3,
                     -2e-308,
                     std::numeric_limits<double>::max(),
                     std::numeric_limits<double>::denorm_min(),
                     123456789.125};
  std::string const name = "\"quoted\", and\r\nmore";
  auto const text = written<double>({{"a", numbers}, {name, numbers}});
  CHECK(column_in(text, name) == number_vector(numbers));
  whole many(100'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i * i);
  auto const long_text = written<std::int64_t>({{"a", many}, {"b", many}});
  CHECK((column_in(long_text, "b") == number_vector(many)));
}

TEST_CASE("a column is written as it stands in its file, byte for byte", "[csv_file][sanitize]") {
  auto const beside = [](std::string const& text, std::string const& name, auto const& values) {
    std::istringstream in(text);
    auto const column = read_csv_column(in, "f", name);
    std::ostringstream out;
    lockstep::write_csv_beside<std::decay_t<decltype(values[0])>>(out, column, {"x,y", values});
    return out.str();
  };
  CHECK(beside("a, b ,\"c\"\r\n1,0.10,7\r\n2, 1e2\t,8\r\n3,\"+007.50\",9", " b ",
               real{0.5, 1, 2}) == " b ,\"x,y\"\n0.10,0.5\n 1e2\t,1\n\"+007.50\",2\n");
  CHECK(beside("a,\"b \"\"q\"\"\"\n1,+5\n2,006\n", "b \"q\"", whole{1, 2}) ==
        "\"b \"\"q\"\"\",\"x,y\"\n+5,1\n006,2\n");
  CHECK(beside("a\n", "a", whole{}) == "a,\"x,y\"\n");
}

TEST_CASE("fields stand as they are written across pieces of a file", "[csv_file]") {
  std::string text = "a,b\n";
  std::vector<std::string> fields;
  std::string expected = "b,x\n";
  whole values;
  for (int row = 0; row < 30'000; ++row) {  // several pieces of 64 KiB
    fields.push_back(std::string(static_cast<std::size_t>(row) % 9, ' ') + "1e" +
                     std::to_string(row % 7));
    if (row % 3 == 0) fields.back() = '"' + fields.back() + '"';
    text += "\"x\ny\"," + fields.back() + "\n";
    values.push_back(row);
    expected += fields.back() + ',' + std::to_string(row) + '\n';
  }
  std::istringstream in(text);
  auto const column = read_csv_column(in, "f", "b");
  std::ostringstream out;
  lockstep::write_csv_beside<std::int64_t>(out, column, {"x", values});
  CHECK((out.str() == expected));
}

TEST_CASE("elements of an array that are not changed stay as they are written", "[csv_file]") {
  auto const array = [](auto const& values, std::vector<std::string> const& before,
                        std::vector<bool> const& is_changed) {
    lockstep::field_texts written;
    for (auto const& each : before) written.append(each);
    std::ostringstream out;
    lockstep::write_csv_array<std::decay_t<decltype(values[0])>>(out, values, written, is_changed);
    return out.str();
  };
  CHECK(array(real{0.1, 0.5, 100}, {"0.10", "0.25", "1e2"}, {false, true, false}) ==
        "index,value\n0,0.10\n1,0.5\n2,1e2\n");
  CHECK(array(whole{3, 4}, {}, {}) == "index,value\n0,3\n1,4\n");
}
