#include <cstddef>
#include <cstdint>
#include <istream>
#include <random>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "files/csv_records.hpp"

using lockstep::csv_records;

using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

using table = std::vector<std::vector<std::string>>;

table records_in(std::string const& text) {
  std::istringstream in(text);
  csv_records records(in, "f");
  table read;
  while (records.next()) {
    auto& row = read.emplace_back();
    for (std::size_t field = 0; field < records.size(); ++field) row.emplace_back(records[field]);
  }
  return read;
}

std::string records_complaint(std::istream& in) {
  try {
    csv_records records(in, "f");
    while (records.next()) {
    }
  } catch (lockstep::bad_input const& bad) {
    return bad.what();
  }
  return "nothing";
}

std::string records_complaint(std::string const& text) {
  std::istringstream in(text);
  return records_complaint(in);
}

std::string in_line(int line, std::string const& complaint) {
  return fmt::format("f:{}{}", line, complaint);
}

/// Gives a text, then another one again and again, without an end.
class endless : public std::streambuf {
 public:
  endless(std::string first, std::string_view again) : m_text(std::move(first)) {
    while (m_again.size() < 1U << 16U) m_again += again;
    setg(m_text.data(), m_text.data(), m_text.data() + m_text.size());
  }

 private:
  int_type underflow() override {
    setg(m_again.data(), m_again.data(), m_again.data() + m_again.size());
    return traits_type::to_int_type(m_again[0]);
  }

  std::string m_text;
  std::string m_again;
};

std::string complaint_about_endless(std::string const& first, std::string_view again) {
  endless source(first, again);
  std::istream in(&source);
  return records_complaint(in);
}

/// A field that has to be in quotes, mostly.
std::string random_field(std::mt19937& random) {
  std::string field;
  for (auto left = random() % 9; left > 0; --left) field += "ab \",\r\n\xC3\xA4"[random() % 9];
  return field;
}

std::string put_into_quotes(std::string const& field) {
  std::string text = "\"";
  for (char const c : field) {
    if (c == '"') text += c;
    text += c;
  }
  text += '"';
  return text;
}

}  // namespace

TEST_CASE("records have fields between commas", "[csv][sanitize]") {
  CHECK(records_in("").empty());
  CHECK(records_in("a") == table{{"a"}});
  CHECK(records_in("a\n") == table{{"a"}});
  CHECK(records_in("a,b\n1,2\n") == table{{"a", "b"}, {"1", "2"}});
  CHECK(records_in("a,b\r\n1,2\r\n") == table{{"a", "b"}, {"1", "2"}});
  CHECK(records_in("a,b\r\n1,2\n3,4") == table{{"a", "b"}, {"1", "2"}, {"3", "4"}});
  CHECK(records_in(",\n,,") == table{{"", ""}, {"", "", ""}});
  CHECK(records_in(" a , b\t\n") == table{{" a ", " b\t"}});
  CHECK(records_in("\n\na\n\n") == table{{""}, {""}, {"a"}, {""}});
}

TEST_CASE("fields in quotes hold commas, quotes and line breaks", "[csv][sanitize]") {
  CHECK(records_in("\"a\"") == table{{"a"}});
  CHECK(records_in("\"\",\"\"\n") == table{{"", ""}});
  CHECK(records_in("\"a,b\",\"c\nd\",\"e\r\nf\"\r\n1,2,3") ==
        table{{"a,b", "c\nd", "e\r\nf"}, {"1", "2", "3"}});
  CHECK(records_in("\"say \"\"no\"\"\",\"\"\"\"\n") == table{{"say \"no\"", "\""}});
  CHECK(records_in("\" a \",b") == table{{" a ", "b"}});
}

TEST_CASE("a byte order mark is not part of the first field", "[csv][sanitize]") {
  CHECK(records_in("\xEF\xBB\xBF").empty());
  CHECK(records_in("\xEF\xBB\xBF"
                   "a,b\n") == table{{"a", "b"}});
  CHECK(records_in("\xEF\xBB\xBF\"a,b\"\n") == table{{"a,b"}});
  CHECK(records_in("a\n\xEF\xBB\xBF") == table{{"a"}, {"\xEF\xBB\xBF"}});
  CHECK(records_complaint("\xFF\xFE"
                          "a\0"s) == "f:1: begins as UTF-16 does; save it as UTF-8");
  CHECK(records_complaint("\xFE\xFF\0a"s) == "f:1: begins as UTF-16 does; save it as UTF-8");
}

TEST_CASE("records know their line, and whether it is empty", "[csv]") {
  std::istringstream in("a,\"b\n\nc\"\r\n\n\"\"\nd\n");
  csv_records records(in, "f");
  std::vector<std::uint64_t> lines;
  std::vector<bool> empty;
  while (records.next()) {
    lines.push_back(records.line());
    empty.push_back(records.is_empty_line());
  }
  CHECK(lines == std::vector<std::uint64_t>{1, 4, 5, 6});
  CHECK(empty == std::vector<bool>{false, true, false, false});
}

TEST_CASE("what is not CSV is refused with its line", "[csv][sanitize]") {
  CHECK(records_complaint("a\n1,\"2\n3\n") ==
        "f:2: the quote that begins here is not closed; close it");
  CHECK(records_complaint("a\n\"") == "f:2: the quote that begins here is not closed; close it");
  CHECK(records_complaint("\"a\"\"") == "f:1: the quote that begins here is not closed; close it");
  constexpr auto behind = ": text behind a closing quote; write a quote within a field twice";
  CHECK(records_complaint("\"a\nb\"c\n") == in_line(2, behind));
  CHECK(records_complaint("\"a\" ,b\n") == in_line(1, behind));
  constexpr auto within =
      ": a quote within a field; put the field into quotes, and write this one twice";
  CHECK(records_complaint("a\nb\"c\n") == in_line(2, within));
  CHECK(records_complaint("a\n1, \"c\"\n") == in_line(2, within));
  constexpr auto alone =
      ": a carriage return without a line feed; end lines with a line feed, or with both";
  CHECK(records_complaint("a\rb\r") == in_line(1, alone));
  CHECK(records_complaint("a\nb\r") == in_line(2, alone));
  CHECK(records_complaint("a\n\"b\"\r\r\n") == in_line(2, alone));
  constexpr auto zero = ": holds a zero byte; give a text file";
  CHECK(records_complaint("a\n1\0"s) == in_line(2, zero));
  CHECK(records_complaint("a\n\"1\n\0\""s) == in_line(3, zero));
  CHECK(records_complaint("\"a\"\0"s) == in_line(1, zero));
}

TEST_CASE("what never ends is refused", "[csv]") {
  CHECK(complaint_about_endless("", "x") == "f:1: a row of more than 16 MiB; give a CSV file");
  CHECK(complaint_about_endless("a,b\n1,", "2") ==
        "f:2: a row of more than 16 MiB; give a CSV file");
  CHECK(complaint_about_endless("a,b\n1,2\n", ",") ==
        "f:3: a row of more than 16 MiB; give a CSV file");
  CHECK(complaint_about_endless("a\n\"1\",", "2") ==
        "f:2: a row of more than 16 MiB; give a CSV file");
  CHECK(complaint_about_endless("a\n1,\"x", "y\n") ==
        "f:2: the quote that begins here is not closed within 16 MiB; close it");
  CHECK(complaint_about_endless("", "\"\"") ==
        "f:1: the quote that begins here is not closed within 16 MiB; close it");
  CHECK(complaint_about_endless("a\n", "\0"sv) == "f:2: holds a zero byte; give a text file");
}

TEST_CASE("long rows are read whole, as long as they are not too long", "[csv]") {
  std::string const text(15U << 20U, 'x');
  auto const read =
      records_in(fmt::format("a,b\n{},{}\n1,2\n{}", text, text.substr(0, 1000), text));
  REQUIRE(read.size() == 4);
  CHECK((read[1][0] == text));
  CHECK((read[1][1] == text.substr(0, 1000)));
  CHECK(read[2] == std::vector<std::string>{"1", "2"});
  CHECK((read[3][0] == text));
}

TEST_CASE("records are read as they were written, whatever piece of the file they lie in",
          "[csv]") {
  constexpr unsigned seed = 43;
  std::mt19937 random(seed);
  for (int round = 0; round < 6; ++round) {
    table written;
    std::string text;
    auto const* const line_break = round % 2 == 0 ? "\n" : "\r\n";
    while (text.size() < 200'000) {
      auto& row = written.emplace_back();
      for (int field = 0; field < 4; ++field) {
        row.push_back(random_field(random));
        bool const is_plain = row.back().find_first_of("\",\r\n") == std::string::npos;
        if (field > 0) text += ',';
        text += is_plain ? row.back() : put_into_quotes(row.back());
      }
      text += line_break;
    }
    INFO("seed " << seed << ", round " << round);
    CHECK((records_in(text) == written));
  }
}

TEST_CASE("fields are kept as they are written, wherever the file is cut into pieces", "[csv]") {
  constexpr unsigned seed = 23;
  std::mt19937 random(seed);
  std::vector<std::string> const fields{
      "", "a", " 0.10 ", "\"\"", "\"1e2\"", "+7.00", "\"x,\"\"\"", "\"two\r\nlines\"", "\xC3\xA4"};
  std::string text = "\xEF\xBB\xBF";
  table expected;
  while (text.size() < 200'000) {
    auto& row = expected.emplace_back();
    auto const size = 1 + random() % 4;
    for (std::size_t field = 0; field < size; ++field) {
      row.push_back(fields[random() % fields.size()]);
      text += (field > 0 ? "," : "") + row.back();
    }
    text += random() % 2 == 0 ? "\n" : "\r\n";
  }
  std::istringstream in(text);
  csv_records records(in, "f");
  table found;
  while (records.next()) {
    auto& row = found.emplace_back();
    for (std::size_t field = 0; field < records.size(); ++field)
      row.emplace_back(records.as_written(field));
  }
  INFO("seed " << seed);
  CHECK((found == expected));
}
