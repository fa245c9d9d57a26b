#include "report/text_table.hpp"

#include "../catch.hpp"
#include "shell.hpp"

namespace {

using lockstep::cli::column_kind;
using lockstep::cli::text_table;
using lockstep::cli::wrapped;

}  // namespace

TEST_CASE("a table aligns text to the left and numbers to the right", "[text_table]") {
  text_table table({{"name", column_kind::text}, {"n", column_kind::number}});
  table.add({"a", "1"});
  table.add({"bcdef", "1000"});
  CHECK(table.str() ==
        "name      n\n"
        "a         1\n"
        "bcdef  1000\n");
}

TEST_CASE("digits stand in groups of three, and one thing is singular", "[text_table]") {
  CHECK(lockstep::cli::grouped(0) == "0");
  CHECK(lockstep::cli::grouped(999) == "999");
  CHECK(lockstep::cli::grouped(1'000) == "1,000");
  CHECK(lockstep::cli::grouped(16'777'216) == "16,777,216");
  CHECK(lockstep::cli::counted(1, "step") == "1 step");
  CHECK(lockstep::cli::counted(12'345, "step") == "12,345 steps");
}

TEST_CASE("a table counts code points, not bytes", "[text_table]") {
  text_table table({{"name", column_kind::text}, {"n", column_kind::number}});
  table.add({"Júlia", "1"});
  table.add({"abcde", "2"});
  CHECK(table.str() ==
        "name   n\n"
        "Júlia  1\n"
        "abcde  2\n");
}

TEST_CASE("prose goes on in the next line where the page is full", "[text_table]") {
  std::string sentence;
  for (int word = 0; word < 40; ++word) sentence += word == 0 ? "word" : " word";
  text_table table({{"key", column_kind::text}, {"text", column_kind::prose}});
  table.add({"k", sentence});
  table.add({"last", "short"});
  auto const text = table.str();
  CHECK(lines_of(text) == 1 + 3 + 1);
  std::size_t start = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    CHECK(end - start <= lockstep::cli::page_width);
    CHECK((end == start || text[end - 1] != ' '));
    start = end + 1;
  }
  CHECK(text.ends_with("last  short\n"));
}

TEST_CASE("wrapping breaks at spaces and leaves long words whole", "[text_table]") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("one two three", 8) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("unbreakable a", 4) == std::vector<std::string>{"unbreakable", "a"});
  CHECK(wrapped("", 4) == std::vector<std::string>{""});
}
