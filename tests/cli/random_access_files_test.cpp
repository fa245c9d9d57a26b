#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "refusal.hpp"
#include "shell.hpp"

// `lockstep run random-access-write` and `random-access-read` with files, as a shell runs them.

using namespace std::string_literals;

namespace {

/// What comes out of a run on these files.
std::string output_of(scratch_directory const& in, std::string const& command) {
  auto const done = lockstep_with("run " + command + " --output " + in.path("out.csv"));
  INFO("lockstep run " << command);
  INFO(done.err);
  REQUIRE(done.status == 0);
  CHECK(contains(done.out, "correct    yes"));
  return in.content("out.csv");
}

std::string array_of(std::string const& pairs, std::string const& options = "") {
  scratch_directory const in;
  in.write("pairs.csv", pairs);
  return output_of(
      in, "random-access-write --on crossbar:4 --input " + in.path("pairs.csv") + " " + options);
}

std::string values_of(std::string const& table, std::string const& indices,
                      std::string const& options = "") {
  scratch_directory const in;
  in.write("table.csv", table);
  in.write("indices.csv", indices);
  return output_of(in, "random-access-read --on crossbar:4 --input " + in.path("table.csv") +
                           " --indices " + in.path("indices.csv") + " " + options);
}

/// Checks that it is refused: status 2, nothing printed, one line that has `part`, nothing written.
void check_access_refused(scratch_directory const& in, std::string const& command,
                          std::string const& part) {
  std::ofstream(in.path("out.csv")) << "as it was";
  auto const files = in.files();
  auto const refused = lockstep_with("run " + command + " --output " + in.path("out.csv"));
  INFO("lockstep run " << command);
  check_refusal(refused, part);
  CHECK(in.content("out.csv") == "as it was");
  CHECK(in.files() == files);
}

void check_pairs_refused(std::string const& pairs, std::string const& options,
                         std::string const& part) {
  scratch_directory const in;
  in.write("pairs.csv", pairs);
  check_access_refused(
      in, "random-access-write --on crossbar:4 --input " + in.path("pairs.csv") + " " + options,
      part);
}

void check_lookup_refused(std::string const& table, std::string const& indices,
                          std::string const& options, std::string const& part) {
  scratch_directory const in;
  in.write("table.csv", table);
  in.write("indices.csv", indices);
  check_access_refused(in,
                       "random-access-read --on crossbar:4 --input " + in.path("table.csv") +
                           " --indices " + in.path("indices.csv") + " " + options,
                       part);
}

constexpr auto four_pairs = "note,value,index\na,3,1\nb,-2,4\nc,5,1\n\"d,e\",7,1\n";

struct pair_of {
  std::size_t index;
  std::int64_t value;
};

/// What a loop over the pairs makes of an array of n, as a file.
std::string written_in_a_loop(std::vector<pair_of> const& pairs, std::size_t n,
                              std::string const& named) {
  std::vector<std::optional<std::int64_t>> array(n);
  for (auto const& [index, value] : pairs) {
    auto& cell = array[index];
    if (!cell || named == "last")
      cell = value;
    else if (named == "add")
      *cell += value;
    else if (named == "min")
      *cell = std::min(*cell, value);
    else if (named == "max")
      *cell = std::max(*cell, value);
  }
  std::ostringstream text;
  text << "index,value\n";
  for (std::size_t i = 0; i < n; ++i) text << i << ',' << array[i].value_or(0) << '\n';
  return text.str();
}

}  // namespace

TEST_CASE("pairs of a file are written to an array, of which every element comes out",
          "[binary][sanitize]") {
  CHECK(array_of(four_pairs) == "index,value\n0,0\n1,15\n2,0\n3,0\n4,-2\n");
  CHECK(array_of(four_pairs, "--operator min") == "index,value\n0,0\n1,3\n2,0\n3,0\n4,-2\n");
  CHECK(array_of(four_pairs, "--operator max") == "index,value\n0,0\n1,7\n2,0\n3,0\n4,-2\n");
  CHECK(array_of(four_pairs, "--operator first") == "index,value\n0,0\n1,3\n2,0\n3,0\n4,-2\n");
  CHECK(array_of(four_pairs, "--operator last") == "index,value\n0,0\n1,7\n2,0\n3,0\n4,-2\n");
  CHECK(array_of("index,value\n1,3\n4,-2\n1,3\n", "--operator same") ==
        "index,value\n0,0\n1,3\n2,0\n3,0\n4,-2\n");
  CHECK(array_of(four_pairs, "--n 6").ends_with("4,-2\n5,0\n"));
  CHECK(array_of("index,value\n1,0.5\n1,2\n") == "index,value\n0,0\n1,2.5\n");
  CHECK(array_of("index,value\n", "--n 2") == "index,value\n0,0\n1,0\n");
}

TEST_CASE("indices that do not occur stay as an array has them", "[binary]") {
  scratch_directory const in;
  in.write("pairs.csv", "index,value\n2,5\n0,1\n2,6\n");
  in.write("before.csv", "value\n10\n20\n30\n40\n");
  auto const command = "random-access-write --on crossbar:3 --input " + in.path("pairs.csv") +
                       " --array " + in.path("before.csv") + " --operator ";
  CHECK(output_of(in, command + "add") == "index,value\n0,11\n1,20\n2,41\n3,40\n");
  CHECK(output_of(in, command + "last") == "index,value\n0,1\n1,20\n2,6\n3,40\n");
  CHECK(output_of(in, command + "first") == "index,value\n0,10\n1,20\n2,30\n3,40\n");
  in.write("same.csv", "value\n1\n20\n30\n40\n");
  check_access_refused(in, command + "same", "different values to address 0");
  in.write("pairs.csv", "index,value\n2,30\n0,1\n2,30\n");
  CHECK(output_of(in, "random-access-write --on crossbar:3 --operator same --input " +
                          in.path("pairs.csv") + " --array " + in.path("same.csv")) ==
        "index,value\n0,1\n1,20\n2,30\n3,40\n");
  in.write("pairs.csv", "index,value\n2,5\n0,1\n2,6\n");
  in.write("again.csv", output_of(in, command + "add"));
  CHECK(output_of(in, "random-access-write --on crossbar:3 --input " + in.path("pairs.csv") +
                          " --array " + in.path("again.csv")) ==
        "index,value\n0,12\n1,20\n2,52\n3,40\n");
  check_access_refused(in, command + "add --n 3", "before.csv: has 4 rows, and --n is 3");
}

TEST_CASE("arrays are those of a loop, on any crossbar, by every operator and variant",
          "[binary]") {
  scratch_directory const in;
  std::mt19937 random(11);
  for (std::size_t const n : {1U, 5U, 97U}) {
    std::vector<pair_of> pairs;
    std::string text = "index,value\n";
    for (int row = 0; row < 400; ++row) {
      auto const index = random() % 2 == 0 ? n / 2 : random() % n;
      pairs.push_back({index, static_cast<std::int64_t>(random() % 2001) - 1000});
      text += std::to_string(index) + ',' + std::to_string(pairs.back().value) + '\n';
    }
    in.write("pairs.csv", text);
    for (auto const* const named : {"add", "min", "max", "first", "last"})
      for (auto const* const variant : {"arbitrary", "hybrid", "limited", "auto"}) {
        if (variant == "hybrid"s && (named == "first"s || named == "last"s)) continue;
        auto const* const on = random() % 2 == 0 ? "crossbar:16" : "crossbar:7";
        CHECK(output_of(in, "random-access-write --on "s + on + " --operator " + named +
                                " --variant " + variant + " --n " + std::to_string(n) +
                                " --input " + in.path("pairs.csv")) ==
              written_in_a_loop(pairs, n, named));
      }
  }
}

TEST_CASE("whole numbers of pairs and arrays are not rounded, and what is not written to stays",
          "[binary]") {
  check_pairs_refused("index,value\n1,9007199254740993\n0,0.5\n", "",
                      "pairs.csv:2: 9007199254740993 would be rounded");
  CHECK(array_of("index,value\n1,9007199254740993\n0,5\n") ==
        "index,value\n0,5\n1,9007199254740993\n");
  CHECK(array_of("index,value\n1,9223372036854775807\n1,1\n1,-5\n") ==
        "index,value\n0,0\n1,9223372036854775803\n");
  scratch_directory const in;
  in.write("pairs.csv", "index,value\n1,0.5\n");
  in.write("before.csv", "value\n0.10\n1\n1e2\n+7\n");
  auto const command = "random-access-write --on crossbar:3 --input " + in.path("pairs.csv") +
                       " --array " + in.path("before.csv");
  CHECK(output_of(in, command) == "index,value\n0,0.10\n1,1.5\n2,1e2\n3,+7\n");
  in.write("before.csv", "value\n1\n2\n9007199254740993\n");
  check_access_refused(in, command, "before.csv: row 3: 9007199254740993 would be rounded");
  in.write("before.csv", "value\n0.5\n2\n");
  in.write("pairs.csv", "index,value\n0,1\n1,9007199254740993\n");
  check_access_refused(in, command, "pairs.csv: row 2: 9007199254740993 would be rounded");
}

TEST_CASE("pairs in order are written by the variant for them", "[binary]") {
  CHECK(array_of("index,value\n0,1\n2,2\n2,3\n", "--variant monotonic") ==
        "index,value\n0,1\n1,0\n2,5\n");
  check_pairs_refused("index,value\n2,1\n0,2\n", "--variant monotonic", "in order");
}

TEST_CASE("the report of a write has the array's size and the rows", "[binary]") {
  scratch_directory const in;
  in.write("pairs.csv", four_pairs);
  auto const done = lockstep_with("run random-access-write --on crossbar:4 --json --input " +
                                  in.path("pairs.csv"));
  REQUIRE(done.status == 0);
  auto const json = nlohmann::json::parse(done.out);
  CHECK(json.at("correct") == true);
  CHECK(json.at("parameters").at("n") == 5);
  CHECK(json.at("figures").at("rows") == 4);
  CHECK_FALSE(json.at("claims").empty());
}

TEST_CASE("without an input file what generated elements write goes to the output", "[binary]") {
  scratch_directory const in;
  CHECK(output_of(in, "random-access-write --on crossbar:2 --n 4 --pattern one-hot") ==
        "index,value\n0,0\n1,0\n2,10\n3,0\n");
  CHECK(output_of(in,
                  "random-access-write --on crossbar:2 --n 2 --pattern local "
                  "--operator same") == "index,value\n0,1\n1,2\n");
  check_access_refused(in, "random-access-write --on crossbar:2 --operator concat",
                       "concat is for generated values without files");
}

TEST_CASE("rows of a table are read by their indices", "[binary][sanitize]") {
  auto const* const table = "id,x,\"y,z\"\n7,0.5,-1\n8,1e300,0\n9,-0.25,9223372036854775807\n";
  CHECK(values_of(table, "index\n2\n0\n2\n") ==
        "id,x,\"y,z\"\n9,-0.25,9223372036854775807\n7,0.5,-1\n9,-0.25,9223372036854775807\n");
  CHECK(values_of("a\n4\n", "row\n0\n0\n0\n0\n0\n") == "a\n4\n4\n4\n4\n4\n");
  CHECK(values_of("a\n4\n", "name,index\nx,0\n") == "a\n4\n");
  CHECK(values_of(table, "index\n") == "id,x,\"y,z\"\n");
}

TEST_CASE("rows that are read are those of the table byte for byte", "[binary]") {
  CHECK(
      values_of("a, b ,\"c\"\r\n0.10, 1e2,\"+7\"\r\n9007199254740993,007,-0\r\n0.5,1,2\r\n",
                "index\n1\n0\n1\n") ==
      "a, b ,\"c\"\r\n9007199254740993,007,-0\r\n0.10, 1e2,\"+7\"\r\n9007199254740993,007,-0\r\n");
  check_lookup_refused(
      "a\n0\n18446744073709551617\n", "index\n0\n", "",
      R"(table.csv:3: "18446744073709551617" in column "a" has no place in a word)");
}

TEST_CASE("rows are those of a loop, on any crossbar, by every variant", "[binary]") {
  scratch_directory const in;
  std::mt19937 random(12);
  constexpr int rows = 50;
  for (int const columns : {1, 3}) {
    std::vector<std::string> lines;
    std::string header;
    for (int column = 0; column < columns; ++column)
      header += (column > 0 ? ",c" : "c") + std::to_string(column);
    std::string table = header + '\n';
    for (int row = 0; row < rows; ++row) {
      std::string line;
      for (int column = 0; column < columns; ++column)
        line += (column > 0 ? "," : "") + std::to_string(row * 10 + column);
      lines.push_back(line + '\n');
      table += lines.back();
    }
    std::string indices = "index\n";
    std::string expected = header + '\n';
    for (int i = 0; i < 333; ++i) {
      auto const row = random() % 3 == 0 ? 17 : random() % rows;
      indices += std::to_string(row) + '\n';
      expected += lines[row];
    }
    in.write("table.csv", table);
    in.write("indices.csv", indices);
    for (auto const* const on : {"crossbar:1", "crossbar:7", "crossbar:16"})
      for (auto const* const variant : {"1", "2", "weighted", "hybrid", "auto"})
        CHECK(output_of(in, "random-access-read --on "s + on + " --variant " + variant +
                                " --input " + in.path("table.csv") + " --indices " +
                                in.path("indices.csv")) == expected);
  }
}

TEST_CASE("files without such pairs end with status 2 and one line", "[binary]") {
  check_pairs_refused("", "", "pairs.csv: is empty");
  check_pairs_refused("index,value\n", "", "pairs.csv: has no rows");
  check_pairs_refused("index\n1\n", "", R"(pairs.csv: has no column "value"; there are: "index")");
  check_pairs_refused("Index,value\n1,1\n", "", R"(did you mean "Index"?)");
  check_pairs_refused("index,value\n1,2\n3\n", "", "pairs.csv:3: 1 field in this row, 2 in the");
  check_pairs_refused("index,value\n1,2,3\n", "", "pairs.csv:2: 3 fields in this row, 2 in the");
  check_pairs_refused("index,value\n1,2\n-1,2\n", "", R"(pairs.csv:3: "-1" in column "index" is)");
  check_pairs_refused("index,value\n1.5,2\n", "", "is not a whole number; give one from 0 on");
  check_pairs_refused("index,value\none,2\n", "", "is not a whole number; give one from 0 on");
  check_pairs_refused("index,value\n,2\n", "", R"(pairs.csv:2: nothing in column "index")");
  check_pairs_refused("index,value\n1,two\n", "", R"("two" in column "value" is not a finite)");
  check_pairs_refused("index,value\n1,\n", "", R"(nothing in column "value"; give a number)");
  check_pairs_refused("index,value\n4,2\n", "--n 4", R"("4" in column "index" is not in 0 to 3)");
  check_pairs_refused("index,value\n0,2\n", "--n 0", "has no elements");
  check_pairs_refused("index,value\n99999999999999999999,2\n", "", "larger arrays are not");
  check_pairs_refused("index,value\n1,9223372036854775807\n1,1\n", "",
                      "the values of index 1 have a sum that does not fit into 64 bits");
  check_pairs_refused("index,value\n1,1e308\n1,1e308\n", "",
                      "the values of index 1 have a sum that is more than double precision holds");
}

TEST_CASE("numbers of buckets and operators that do not fit end with status 2", "[binary]") {
  check_pairs_refused(four_pairs, "--k 0", "k = 0 buckets");
  check_pairs_refused(four_pairs, "--k 3", "take 1 to 2");
  check_pairs_refused(four_pairs, "--variant hybrid --operator first", "not known to commute");
  check_pairs_refused(four_pairs, "--operator plus", "not one of add, first");
  for (auto const* const variant : {"arbitrary", "hybrid", "limited", "auto"})
    check_pairs_refused(four_pairs, "--operator same --variant "s + variant,
                        "elements write different values to address 1");
  check_pairs_refused("index,value\n1,0.5\n1,0.25\n", "--operator same", "to address 1");
  check_pairs_refused(four_pairs, "--pattern one-hot", "--pattern is for input that");
  scratch_directory const in;
  check_access_refused(in, "random-access-write --on crossbar:4 --input " + in.path("none.csv"),
                       "none.csv: cannot be read");
  in.write("pairs.csv", four_pairs);
  check_access_refused(in, "random-access-write --on tree:2 --input " + in.path("pairs.csv"),
                       "tree:2 is neither a crossbar nor a hypercube, torus or mesh");
}

TEST_CASE("tables and indices that do not fit end with status 2 and one line", "[binary]") {
  auto const* const table = "a,b\n1,2\n3,4\n";
  check_lookup_refused("", "index\n0\n", "", "table.csv: is empty");
  check_lookup_refused("a,b\n", "index\n0\n", "", "table.csv: has no rows");
  check_lookup_refused("a,b\n1,2\n3\n", "index\n0\n", "", "table.csv:3: 1 field in this row");
  check_lookup_refused("a,b\n1,x\n", "index\n0\n", "", R"(table.csv:2: "x" in column "b" is not)");
  check_lookup_refused("1,2\n3,4\n", "index\n0\n", "", "table.csv:1: has only numbers");
  check_lookup_refused(table, "", "", "indices.csv: is empty");
  check_lookup_refused(table, "index\n0\n2\n", "",
                       R"(indices.csv:3: "2" in column "index" is not)");
  check_lookup_refused(table, "index\n-1\n", "", "is negative; indices begin at 0");
  check_lookup_refused(table, "index\nx\n", "", "is not a whole number");
  check_lookup_refused(table, "0\n1\n", "", R"(has no column "index"; there are: "0")");
  check_lookup_refused(table, "a,b\n1,2\n", "", R"(has no column "index"; there are: "a", "b")");
  check_lookup_refused(table, "index\n0\n", "--k 0", "k = 0 buckets");
  check_lookup_refused(table, "index\n0\n", "--k 2", "take 1 to 1");
  check_lookup_refused(table, "index\n0\n", "--words 2", "--words is for input that");
  scratch_directory const in;
  in.write("table.csv", table);
  check_access_refused(in, "random-access-read --on crossbar:4 --input " + in.path("table.csv"),
                       "name a file of them with --indices");
  check_access_refused(in, "random-access-read --on crossbar:4", "needs --input FILE");
}
