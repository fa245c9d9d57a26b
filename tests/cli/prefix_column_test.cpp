#include <filesystem>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "refusal.hpp"
#include "shell.hpp"

// `lockstep run prefix` with files, as a shell runs it.

using namespace std::string_literals;

namespace {

/// A folder with an input file.
class folder : public scratch_directory {
 public:
  explicit folder(std::string const& csv) { write("values.csv", csv); }

  [[nodiscard]] std::string input() const { return path("values.csv"); }
};

/// Checks that it is refused: status 2, nothing printed, one line that has `part`, nothing written.
/// `before`: what the shell does first, on the same line.
void check_refused(folder const& in, std::string const& options, std::string const& part,
                   std::string const& before = "") {
  std::ofstream(in.path("sums.csv")) << "as it was";
  auto const files = in.files();
  auto const refused =
      lockstep_with("--version >/dev/null; " + before + "'" LOCKSTEP_BINARY "' run prefix " +
                    options + " --output " + in.path("sums.csv"));
  INFO("lockstep run prefix " << options);
  check_refusal(refused, part);
  CHECK(in.content("sums.csv") == "as it was");
  CHECK(in.files() == files);
}

/// The same for a file with this text.
void check_text_refused(std::string const& text, std::string const& options,
                        std::string const& part) {
  folder const in(text);
  check_refused(in, "--on hypercube:2 --input " + in.input() + " " + options, "values.csv" + part);
}

/// What is written of this text.
std::string prefixes_of(std::string const& text, std::string const& options) {
  folder const in(text);
  auto const done = lockstep_with("run prefix --input " + in.input() + " --output " +
                                  in.path("sums.csv") + " " + options);
  INFO("lockstep run prefix " << options);
  INFO(done.err);
  REQUIRE(done.status == 0);
  CHECK(contains(done.out, "correct    yes"));
  return in.content("sums.csv");
}

constexpr auto prices =
    "\xEF\xBB\xBFname,price,\"note, \"\"long\"\"\"\r\n"
    "apple,3,\"red\r\nor green\"\r\n"
    "\"pear, green\",-5,\r\n"
    "plum,10,\"\"\"blue\"\"\"\r\n\r\n";

}  // namespace

TEST_CASE("prefixes of a column of a file are written beside it", "[binary][sanitize]") {
  for (auto const* const on :
       {"--on hypercube:1", "--on hypercube:4", "--on tree:3", "--on shuffle-exchange:2",
        "--on tree:1", "--on hypercube:4 --engine threads"}) {
    auto const options = on + " --column price"s;
    CHECK(prefixes_of(prices, options) == "price,prefix\n3,3\n-5,-2\n10,8\n");
    CHECK(prefixes_of(prices, options + " --operator min") == "price,prefix\n3,3\n-5,-5\n10,-5\n");
    CHECK(prefixes_of(prices, options + " --operator last --kind backward") ==
          "price,prefix\n3,10\n-5,10\n10,10\n");
    CHECK(prefixes_of(prices, options + " --kind exclusive") == "price,prefix\n3,0\n-5,3\n10,-2\n");
    CHECK(prefixes_of(prices, options + " --kind backward-exclusive") ==
          "price,prefix\n3,5\n-5,10\n10,0\n");
  }
}

TEST_CASE("the only column needs no name, and no rows will do", "[binary]") {
  CHECK(prefixes_of("x\n1.5\n2\n", "--on tree:2") == "x,prefix\n1.5,1.5\n2,3.5\n");
  CHECK(prefixes_of("x\n", "--on hypercube:3") == "x,prefix\n");
  CHECK(prefixes_of("2024\n1\n2\n", "--on hypercube:3 --column 2024") == "2024,prefix\n1,1\n2,3\n");
}

TEST_CASE("the report has the rows, the largest block and the column", "[binary]") {
  folder const in(prices);
  auto const done =
      lockstep_with("run prefix --on hypercube:1 --json --column price --input " + in.input());
  REQUIRE(done.status == 0);
  auto const json = nlohmann::json::parse(done.out);
  CHECK(json.at("correct") == true);
  CHECK(json.at("figures") == nlohmann::json::parse(R"({"rows": 3, "block": 2})"));
  CHECK(json.at("parameters").at("column") == "price");
  CHECK(json.at("counts").at("steps") == 1);
  CHECK(json.at("counts").at("words") == 1);
  CHECK(json.at("claims").size() == 5);
  for (auto const& claim : json.at("claims")) CHECK(claim.at("holds") == true);
}

TEST_CASE("prefixes go through pipes, and from one run to the next", "[binary]") {
  folder const in("x\n1\n2\n3\n");
  auto const piped = lockstep_with(
      "--version >/dev/null; cat " + in.input() +
      " | '" LOCKSTEP_BINARY
      "' run prefix --on tree:2 --input /dev/stdin --output /dev/stdout | '" LOCKSTEP_BINARY
      "' --version >/dev/null; cat " +
      in.input() + " | '" LOCKSTEP_BINARY "' run prefix --on tree:2 --input /dev/stdin --output " +
      in.path("once.csv"));
  CHECK(piped.status == 0);
  CHECK(in.content("once.csv") == "x,prefix\n1,1\n2,3\n3,6\n");
  auto const again = lockstep_with("run prefix --on tree:2 --column prefix --input " +
                                   in.path("once.csv") + " --output " + in.path("twice.csv"));
  CHECK(again.status == 0);
  CHECK(in.content("twice.csv") == "prefix,prefix of prefix\n1,1\n3,4\n6,10\n");
  auto const shown =
      lockstep_with("run prefix --on tree:2 --input " + in.input() + " --output /dev/stdout | cat");
  CHECK(shown.out.starts_with("x,prefix\n1,1\n2,3\n3,6\n"));
}

TEST_CASE("without an input file made numbers are written", "[binary]") {
  folder const in("");
  auto const done =
      lockstep_with("run prefix --on hypercube:3 --seed 7 --output " + in.path("sums.csv"));
  REQUIRE(done.status == 0);
  auto const text = in.content("sums.csv");
  CHECK(text.starts_with("prefix\n"));
  CHECK(lines_of(text) == 9);
}

TEST_CASE("files that are not CSV with that column end with status 2 and one line", "[binary]") {
  auto const* const column = "--column b";
  check_text_refused("", "", ": is empty");
  check_text_refused("\nx\n", "", ":1: is empty");
  check_text_refused("a,b\n1,2\n", "", R"(: has 2 columns; name one with --column: "a", "b")");
  check_text_refused("a,c\n1,2\n", column, R"(: has no column "b"; there are: "a", "c")");
  check_text_refused("a, B\n1,2\n", column, R"(: has no column "b"; did you mean " B"?)");
  check_text_refused("b,b\n1,2\n", column, R"(: has 2 columns "b")");
  check_text_refused("1\n2\n", "", R"(:1: "1" is a number)");
  check_text_refused("a,b\n1,2\n3\n", column, ":3: 1 field in this row, 2 in the first line");
  check_text_refused("a,b\n1,2,3\n", column, ":2: 3 fields in this row, 2 in the first line");
  check_text_refused("a\n1\n\n2\n", "", ":3: is empty, and rows follow");
  check_text_refused("a,b\nx,1\ny,\"2\n", column, ":3: the quote that begins here is not closed");
  check_text_refused("a\n1\r2\r", "", ":2: a carriage return without a line feed");
  check_text_refused("a\n1\0"s, "", ":2: holds a zero byte");
}

TEST_CASE("a cell that is not a number ends with status 2 and one line", "[binary]") {
  auto const* const column = "--column b";
  check_text_refused("a,b\nx,1\ny,a very long text about nothing\n", column,
                     R"(:3: "a very long text about n..." in column "b" is not a finite number)");
  check_text_refused("a,b\nx,\n", column, R"(:2: nothing in column "b"; give a number)");
  check_text_refused("a,b\nx,1e999\n", column,
                     R"(:2: "1e999" in column "b" is not a finite number)");
  check_text_refused("a,b\nx,NaN\n", column, R"(:2: "NaN" in column "b" is not a finite number)");
  check_text_refused("a,b\nx,inf\n", column, R"(:2: "inf" in column "b" is not a finite number)");
  check_text_refused("a,b\nx,-Infinity\n", column, R"(:2: "-Infinity" in column "b" is not a)");
}

TEST_CASE("sums that no number can tell end with status 2 and one line", "[binary]") {
  auto const* const whole = "a\n1\n9223372036854775807\n-5\n";
  check_text_refused(whole, "", ": rows 1 to 2 have a sum that does not fit into 64 bits");
  check_text_refused("a\n1\n-9223372036854775808\n-1\n", "--kind backward", ": rows 2 to 3 have a");
  CHECK(prefixes_of(whole, "--on tree:2 --operator max") ==
        "a,prefix\n1,1\n9223372036854775807,9223372036854775807\n-5,9223372036854775807\n");
  check_text_refused("a\n1e308\n1e308\n", "", ": rows 1 to 2 have a sum that is more than double");
  CHECK(prefixes_of("a\n1e308\n-1e308\n", "--on tree:2") == "a,prefix\n1e308,1e+308\n-1e308,0\n");
}

TEST_CASE("a column is copied byte for byte, and no whole number of it is rounded", "[binary]") {
  CHECK(prefixes_of("n, x ,\"y\"\r\n1, 0.10,2\r\n2,1e2,3\r\n3,\"+7\",4\r\n",
                    "--on hypercube:2 --column ' x '") ==
        " x ,prefix\n 0.10,0.1\n1e2,100.1\n\"+7\",107.1\n");
  check_text_refused("a\n1\n9007199254740993\n0.5\n", "",
                     ":3: 9007199254740993 would be rounded: numbers that are not all whole");
  check_text_refused("a\n0.5\n9007199254740993\n", "--operator max",
                     R"(:3: "9007199254740993" would be rounded)");
  CHECK(prefixes_of("a\n9007199254740993\n-9007199254740993\n", "--on tree:2") ==
        "a,prefix\n9007199254740993,9007199254740993\n-9007199254740993,0\n");
}

TEST_CASE("requests that do not go together end with status 2 and one line", "[binary]") {
  folder const in("a\n1\n");
  auto const input = " --input " + in.input();
  check_refused(in, "--on hypercube:2 --column a", "--column needs --input FILE");
  check_refused(in, "--on hypercube:2 --kind exclusive --operator first" + input,
                "first has no identity");
  check_refused(in, "--on hypercube:2 --operator plus" + input, "not one of add, min");
  check_refused(in, "--on hypercube:2 --kind sideways" + input, "not one of inclusive, exclusive");
  check_refused(in, "--on torus:4" + input, "torus:4 is not a tree");
}

TEST_CASE("files that cannot be read or written end with status 2 and one line", "[binary]") {
  folder const in("a\n1\n");
  check_refused(in, "--on hypercube:2 --input " + in.path("none.csv"),
                "none.csv: cannot be read: No such file or directory");
  check_refused(in, "--on hypercube:2 --input " + in.path(""), ": is a directory");
  for (auto const& input : {""s, " --input " + in.input()}) {
    check_refusal(lockstep_with("run prefix --on hypercube:2 --output /nowhere/sums.csv" + input),
                  "/nowhere/sums.csv: cannot be written");
  }
}

TEST_CASE("input that never ends, or takes more than there is, is refused", "[binary]") {
  folder const in("");
  auto const stdin_to_tree = "--on tree:3 --input /dev/stdin"s;
  check_refused(in, "--on tree:3 --input /dev/zero", "/dev/zero:1: holds a zero byte");
  check_refused(in, stdin_to_tree, "1: a row of more than 16 MiB", "yes | tr -d '\\n' | ");
  check_refused(in, stdin_to_tree, ":2: the quote that begins here is not closed within 16 MiB",
                "(echo x; echo '\"'; yes) | ");
  check_refused(in, stdin_to_tree, "more numbers than there is memory for",
                "ulimit -v 400000; (echo x; yes 1) | ");
  std::ofstream(in.path("sparse.csv")) << "x\n1\n";
  std::filesystem::resize_file(in.path("sparse.csv"), std::uintmax_t{1} << 36U);
  check_refused(in, "--on tree:3 --input " + in.path("sparse.csv"),
                "sparse.csv:3: holds a zero byte");
}
