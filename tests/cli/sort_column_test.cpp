#include <string>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "refusal.hpp"
#include "shell.hpp"

// Sorts of the rows of a CSV file by a column, as a shell runs them.

using namespace std::string_literals;

namespace {

constexpr auto planets =
    "name,moons,note\r\n"
    "Saturn,146,\"rings, wide\"\r\n"
    "Mars,2,\r\n"
    "Venus,0,\"hot \"\"twin\"\"\"\r\n"
    "Jupiter,95,\r\n"
    "Mercury,0,\r\n";
constexpr auto planets_by_moons =
    "name,moons,note\r\n"
    "Venus,0,\"hot \"\"twin\"\"\"\r\n"
    "Mercury,0,\r\n"
    "Mars,2,\r\n"
    "Jupiter,95,\r\n"
    "Saturn,146,\"rings, wide\"\r\n";

/// Checks that a sort of this text is refused: status 2, one line with `part`, nothing written.
void check_rows_refused(std::string const& text, std::string const& options,
                        std::string const& part) {
  scratch_directory const in;
  auto const table = in.write("table.csv", text).string();
  auto const sorted = in.write("sorted.csv", "as it was").string();
  auto const refused = lockstep_with("run multiway-merge-sort --on hypercube:3 --input " + table +
                                     " --output " + sorted + ' ' + options);
  INFO(options);
  check_refusal(refused, part);
  CHECK(read_file(sorted) == "as it was");
}

}  // namespace

TEST_CASE("rows of a file are sorted by a column", "[binary]") {
  scratch_directory const in;
  auto const table = in.write("table.csv", planets).string();
  auto const sorted = in.file("sorted.csv").string();
  for (std::string const sort :
       {"multiway-merge-sort --on hypercube:8", "merge-sort --on hypercube:2",
        "bitonic-sort --on hypercube:3", "odd-even-merge-sort --on hypercube:1",
        "radix-sort --on crossbar:4", "column-sort --on crossbar:2",
        "multiway-merge-sort --on hypercube:4 --engine threads"}) {
    INFO(sort);
    auto const done = lockstep_with("run " + sort + " --json --column moons --input " + table +
                                    " --output " + sorted);
    REQUIRE(done.status == 0);
    auto const json = nlohmann::json::parse(done.out);
    CHECK(json.at("correct") == true);
    CHECK(json.at("parameters").at("column") == "moons");
    CHECK(json.at("parameters").at("n") == 5);
    CHECK(read_file(sorted) == planets_by_moons);
  }
}

TEST_CASE("rows go through pipes", "[binary]") {
  scratch_directory const in;
  auto const table = in.write("table.csv", planets).string();
  auto const piped =
      lockstep_with("--version >/dev/null; cat " + table +
                    " | '" LOCKSTEP_BINARY
                    "' run merge-sort --on hypercube:2 --column moons --input /dev/stdin "
                    "--output /dev/stdout | cat");
  CHECK(piped.out.starts_with(planets_by_moons));
}

TEST_CASE("rows that cannot be sorted end with status 2 and one line", "[binary]") {
  check_rows_refused(planets, "--column rings",
                     R"(table.csv: has no column "rings"; there are: "name", "moons", "note")");
  check_rows_refused(planets, "--column name",
                     R"(table.csv:2: "Saturn" in column "name" is not a whole number)");
  check_rows_refused(planets, "--column note", R"(table.csv:2: "rings, wide" in column "note")");
  check_rows_refused("a,b\n1,2\n3\n", "--column a",
                     "table.csv:3: 1 field in this row, 2 in the first line");
  check_rows_refused("a,b\n1,\n", "--column b", R"(table.csv:2: nothing in column "b")");
  check_rows_refused("a\n\"1\n", "--column a", "table.csv:2: the quote that begins here");
  check_rows_refused(planets, "--column moons --format int32", "leave out --column");
  check_rows_refused(planets, "", "name a column of a CSV file with --column");
  check_rows_refused(std::string(100, '\0'), "--column a", "table.csv:1: holds a zero byte");
}

TEST_CASE("a column of rows that are generated is refused, and help tells of it", "[binary]") {
  auto const refused = lockstep_with("run merge-sort --on hypercube:2 --column n");
  CHECK(refused.status == 2);
  CHECK(refused.err == "lockstep: --column needs --input FILE\n");
  auto const help = lockstep_with("run merge-sort --help");
  CHECK(contains(help.out, "--column"));
  CHECK(contains(lockstep_with("complete run merge-sort --col").out, "--column"));
}
