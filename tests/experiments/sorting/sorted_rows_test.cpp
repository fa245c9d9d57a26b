#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "sorting/sort_requests.hpp"

// Whole rows of a CSV file, sorted by a column, by all sorts that take files.

using lockstep::parameter_value;

namespace {

struct row_sort {
  std::string name;
  std::string on;
  parameters_of_sort given{};
};

/// All sorts, where they sort up to 16 rows.
std::vector<row_sort> const all_sorts{
    {"counting-sort", "crossbar:3"},
    {"radix-sort", "crossbar:3"},
    {"radix-sort", "crossbar:3", {{"textbook", true}}},
    {"sample-sort", "crossbar:4"},
    {"median-sort", "crossbar:2"},
    {"column-sort", "crossbar:3", {{"rows", std::int64_t{8}}}},
    {"rotate-sort", "crossbar:4"},
    {"merge-sort", "hypercube:0"},
    {"merge-sort", "hypercube:3", {{"fused", true}}},
    {"multiway-merge-sort", "hypercube:8"},
    {"multiway-merge-sort", "hypercube:4", {{"l", std::string("1")}}},
    {"multiway-merge-sort", "hypercube:2", {{"l", std::string("0")}}},
    {"bitonic-sort", "hypercube:2"},
    {"odd-even-merge-sort", "hypercube:3"},
    {"nassimi-sahni-sort", "hypercube:6"}};

lockstep::experiment_request row_request(row_sort const& of, std::string const& column) {
  auto asked = sort_request(of.name, of.on, of.given);
  asked.parameters["column"] = column;
  return asked;
}

/// Values of a number at the edges of its range, outside it, and such as nobody divides by.
std::vector<lockstep::parameter_value> edges_of(lockstep::parameter const& of) {
  if (std::holds_alternative<double>(of.fallback)) return {0.0, -1.0, 1e-300, 1e300};
  if (!std::holds_alternative<std::int64_t>(of.fallback)) return {};
  std::vector<lockstep::parameter_value> edges{std::int64_t{0}, std::int64_t{-1}, std::int64_t{3}};
  if (of.least) edges.insert(edges.end(), {*of.least, *of.least - 1});
  if (of.most)
    edges.emplace_back(*of.most < std::numeric_limits<std::int64_t>::max() ? *of.most + 1
                                                                           : *of.most);
  return edges;
}

/// What it writes when it sorts a file of that content, or says of it.
std::string sorted_rows(row_sort const& of, std::string const& column, std::string const& content) {
  temporary_file const input(content);
  temporary_file const output("as before");
  auto asked = row_request(of, column);
  asked.input = input.path();
  asked.output = output.path();
  try {
    auto const result = lockstep::find_experiment(of.name)->run(asked);
    CHECK(result.correct);
    CHECK(result.parameters.at("column") == parameter_value(column));
  } catch (lockstep::bad_input const& bad) {
    CHECK(output.content() == "as before");
    return std::string(bad.what()).substr(input.path().string().size());
  }
  return output.content();
}

}  // namespace

TEST_CASE("every sort of files sorts whole rows by a column, stably", "[sorting]") {
  for (auto const& of : all_sorts) {
    INFO(of.name << " on " << of.on);
    CHECK(sorted_rows(of, "n",
                      "\xEF\xBB\xBFname,n,\"a \"\"note\"\"\"\r\n"
                      "\"pear, green\", 30 ,\r\n"
                      "apple,4,\"red\r\nor green\"\n"
                      "plum,\"30\",x\r\n"
                      "fig,+4,\r\n"
                      "kiwi,0,last") ==
          "\xEF\xBB\xBFname,n,\"a \"\"note\"\"\"\r\n"
          "kiwi,0,last\r\n"
          "apple,4,\"red\r\nor green\"\n"
          "fig,+4,\r\n"
          "\"pear, green\", 30 ,\r\n"
          "plum,\"30\",x\r\n");
    CHECK(sorted_rows(of, "n", "n\n") == "n\n");
    CHECK(sorted_rows(of, "n", "n,b\n7,x") == "n,b\n7,x\n");
    CHECK(sorted_rows(of, "b", "n,b\n1,2\n2,1\n3,2\n4,1\n5,2\n6,1\n7,2\n8,1\n9,2\n") ==
          "n,b\n2,1\n4,1\n6,1\n8,1\n1,2\n3,2\n5,2\n7,2\n9,2\n");
    CHECK(
        sorted_rows(of, "b", "n,b\n1,2\nx,y\n").starts_with(":3: \"y\" in column \"b\" is not a"));
  }
}

TEST_CASE("rows of many equal keys are sorted as std::stable_sort does", "[sorting]") {
  std::mt19937 random(7);
  std::vector<std::pair<int, std::string>> rows;
  std::string text = "place,key\n";
  for (int i = 0; i < 500; ++i) {
    auto const key = static_cast<int>(random() % 9);
    rows.emplace_back(key, std::to_string(i) + ',' + std::to_string(key) + '\n');
    text += rows.back().second;
  }
  std::ranges::stable_sort(rows, {}, &std::pair<int, std::string>::first);
  std::string sorted = "place,key\n";
  for (auto const& row : rows) sorted += row.second;
  for (auto const& of : all_sorts) {
    if (of.name == "nassimi-sahni-sort") continue;  // a row for each of some processors
    INFO(of.name << " on " << of.on);
    CHECK(sorted_rows(of, "key", text) == sorted);
  }
}

TEST_CASE("rows are sorted by any numbers, and by whole ones where these have digits",
          "[sorting]") {
  auto const* const text = "x\n1e3\n-0.5\ninf\n";
  CHECK(sorted_rows({"multiway-merge-sort", "hypercube:2"}, "x", text) == "x\n-0.5\n1e3\ninf\n");
  CHECK_THAT(sorted_rows({"radix-sort", "crossbar:2"}, "x", text),
             Catch::Matchers::StartsWith(":2: \"1e3\" in column \"x\" is not a whole number"));
  CHECK(sorted_rows({"counting-sort", "crossbar:2"}, "x", "y,x\n\"1\n\",1\n2,-3\n") ==
        ":4: -3, which is not in 0 to 255; give a larger --range, or take radix-sort");
}

TEST_CASE("a column needs an input file, and one that is a text", "[sorting]") {
  for (auto const& of : all_sorts) {
    INFO(of.name << " on " << of.on);
    auto asked = row_request(of, "n");
    auto const& which = *lockstep::find_experiment(of.name);
    CHECK_THROWS_WITH(which.run(asked), has_text("--column needs --input FILE"));
    temporary_file const input("n\n1\n");
    asked.input = input.path();
    asked.parameters["format"] = std::string("int32");
    CHECK_THROWS_WITH(which.run(asked),
                      has_text("files of format int32 have no columns; leave out --column"));
  }
}

TEST_CASE("a sort that refuses a parameter has written nothing", "[sorting][rows]") {
  std::string const rows = "key\n3\n1\n2\n0\n";
  int refused = 0;
  for (auto const& of : all_sorts)
    for (auto const& parameter : lockstep::find_experiment(of.name)->parameters)
      for (auto const& value : edges_of(parameter)) {
        temporary_file const input(rows);
        temporary_file const output("as before");
        auto asked = row_request(of, "key");
        asked.parameters[parameter.name] = value;
        asked.input = input.path();
        asked.output = output.path();
        try {
          static_cast<void>(lockstep::find_experiment(of.name)->run(asked));
        } catch (lockstep::error const& problem) {
          ++refused;
          INFO(of.name << " with " << parameter.name << ": " << problem.what());
          CHECK(output.content() == "as before");
        }
      }
  CHECK(refused > 30);
}
