#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "sorting/sort_requests.hpp"

// What every sort that takes files does with a request, whichever it is: files of any numbers, whole rows of
// a CSV file, and refusals. What is particular to a sort is in its own file.

using Catch::Matchers::StartsWith;

namespace {

/// The keys that a sort takes.
enum class keys_sorted : std::uint8_t { digits, whole_numbers, numbers };

/// A sort, on a network on which it sorts up to 16 keys.
struct sort_and_network {
  std::string name;
  std::string on;
  given_parameters given{};
  keys_sorted keys = keys_sorted::numbers;

  [[nodiscard]] lockstep::experiment_request request(given_parameters more = {}) const {
    more.insert(given.begin(), given.end());
    return requests::make(name, on, more);
  }
  [[nodiscard]] std::string written(std::string const& content, given_parameters more = {}) const {
    more.insert(given.begin(), given.end());
    return written_by_sort(name, on, content, more);
  }
  [[nodiscard]] std::string refusal(given_parameters const& more) const {
    return refusal_of_sort(name, request(more));
  }
};

std::vector<sort_and_network> const all_sorts{
    {"counting-sort", "crossbar:3", {}, keys_sorted::digits},
    {"radix-sort", "crossbar:3", {}, keys_sorted::whole_numbers},
    {"radix-sort", "crossbar:3", {{"textbook", true}}, keys_sorted::whole_numbers},
    {"sample-sort", "crossbar:4", {{"c", 16.0}}},
    {"sample-sort", "crossbar:3", {{"c", 9.0}, {"even", true}, {"with-replacement", true}}},
    {"median-sort", "crossbar:2"},
    {"median-sort", "crossbar:3", {{"c", 9.0}, {"way", std::string("random")}}},
    {"column-sort", "crossbar:3", {{"rows", std::int64_t{8}}}},
    {"rotate-sort", "crossbar:4"},
    {"merge-sort", "hypercube:0"},
    {"merge-sort", "hypercube:3", {{"fused", true}}},
    {"multiway-merge-sort", "hypercube:8"},
    {"multiway-merge-sort", "hypercube:4", {{"l", std::string("1")}}},
    {"multiway-merge-sort", "hypercube:2", {{"l", std::string("0")}}},
    {"bitonic-sort", "hypercube:2"},
    {"odd-even-merge-sort", "hypercube:3"},
    {"odd-even-transposition-sort", "mesh:5"},
    {"shear-sort", "mesh:2x3"},
    {"nassimi-sahni-sort", "hypercube:6"}};

/// Calls `check(sort)` for each of them.
template <class Check>
void for_each_sort(Check const& check) {
  for (auto const& of : all_sorts) {
    INFO(of.name << " on " << of.on);
    check(of);
  }
}

bool takes_many_keys(sort_and_network const& of) { return of.name != "nassimi-sahni-sort"; }

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

given_parameters by_column(std::string const& column) { return {{"column", column}}; }

}  // namespace

TEST_CASE("every sort that takes files is in the table of these tests", "[sorting]") {
  for (auto const& one : lockstep::experiments()) {
    INFO(one.name);
    bool const is_sort = one.takes_files && one.name.ends_with("-sort");
    CHECK(is_sort ==
          (std::ranges::find(all_sorts, one.name, &sort_and_network::name) != all_sorts.end()));
  }
}

TEST_CASE("every sort sorts files of any numbers that it takes", "[sorting]") {
  for_each_sort([](sort_and_network const& of) {
    CHECK(of.written("").empty());
    CHECK(of.written("5") == "5\n");
    CHECK(of.written("3\n1\n3\n0\n7\n") == "0\n1\n3\n3\n7\n");
    CHECK(of.written("2\n1\n", {{"keys", std::string("uint32")}}) == "1\n2\n");
    CHECK_THAT(of.written("1\ntwo\n"), StartsWith(":2: \"two\" is not a whole number of 64 bits"));
    CHECK_THAT(of.written("1\n4294967296\n", {{"keys", std::string("int32")}}),
               StartsWith(":2: 4294967296 is out of the range of int32"));
    CHECK_THAT(of.written("12345", {{"format", std::string("uint32")}}),
               StartsWith(": its 5 bytes are not a whole number of uint32 keys"));
    if (of.keys == keys_sorted::digits) return;
    CHECK(of.written("3\n-1\n3\n0\n-7") == "-7\n-1\n0\n3\n3\n");
    CHECK(of.written("9223372036854775807\n-9223372036854775808\n0\n") ==
          "-9223372036854775808\n0\n9223372036854775807\n");
    CHECK(of.written("18446744073709551615\n0\n") == "0\n18446744073709551615\n");
    if (of.keys == keys_sorted::whole_numbers) return;
    CHECK(of.written("3\n-1.5\n1e3\n-inf\n") == "-inf\n-1.5\n3\n1000\n");
    CHECK(of.written("2.5\n-1e300\n2\n") == "-1e+300\n2\n2.5\n");
    CHECK_THAT(of.written("1\n0.5\nnan\n"), StartsWith(":3: NaN is neither less than"));
    CHECK_THAT(of.written("0.5\ntwo\n"), StartsWith(":2: \"two\" is not a number"));
  });
}

TEST_CASE("every sort sorts files of many keys, and into themselves", "[sorting]") {
  std::mt19937 random(1);
  std::vector<int> keys(777);
  for (auto& key : keys) key = static_cast<int>(random() % 100);
  auto const text_of = [](std::vector<int> const& all) {
    std::string text;
    for (int const key : all) text += std::to_string(key) + '\n';
    return text;
  };
  auto const unsorted = text_of(keys);
  std::ranges::sort(keys);
  for_each_sort([&](sort_and_network const& of) {
    auto asked = of.request();
    temporary_file const file(takes_many_keys(of) ? unsorted : "2\n3\n1");
    asked.input = file.path();
    asked.output = file.path();
    CHECK(requests::run(of.name, asked).correct);
    CHECK(file.content() == (takes_many_keys(of) ? text_of(keys) : "1\n2\n3\n"));
  });
}

TEST_CASE("every sort writes keys that are generated, too", "[sorting]") {
  for_each_sort([](sort_and_network const& of) {
    temporary_file const output;
    auto asked = of.request();
    for (auto const& [name, value] : given_parameters{
             {"n", std::int64_t{5}}, {"k", std::int64_t{1}}, {"distribution", std::string("C")}})
      if (asked.parameters.contains(name) && (name != "k" || !asked.parameters.contains("n")))
        asked.parameters[name] = value;
    asked.output = output.path();
    auto const result = requests::run(of.name, asked);
    check_right_sort(result);
    CHECK(std::ranges::count(output.content(), '\n') == number_in(result.parameters, "n"));
    if (of.name == "radix-sort") CHECK(output.content() == "0\n1\n2\n3\n4\n");
  });
}

TEST_CASE("every sort refuses bad requests", "[sorting]") {
  for_each_sort([](sort_and_network const& of) {
    CHECK_THAT(refusal_of_sort(of.name, "tree:3"), has_text("tree:3 is not a"));
    CHECK_THAT(of.refusal({{"format", std::string("csv")}}),
               has_text("'csv' is not one of text, int32"));
    CHECK_THAT(of.refusal({{"keys", std::string("half")}}),
               has_text("'half' is not one of auto, int32"));
    CHECK_THAT(of.refusal({{"format", std::string("int32")}, {"keys", std::string("int64")}}),
               has_text("format int32 has no keys of type int64"));
    if (of.keys != keys_sorted::digits)
      CHECK_THAT(of.refusal({{"distribution", std::string("T")}}),
                 has_text("'T' is not one of R, S, C, N"));
    auto asked = of.request();
    bool const takes_n = asked.parameters.contains("n");
    asked.parameters[takes_n ? "n" : "k"] = std::int64_t{-2};
    if (takes_many_keys(of))
      CHECK_THAT(refusal_of_sort(of.name, asked),
                 has_text(takes_n ? "n has to be at least" : "k has to be at least 1, not"));
    if (asked.parameters.contains("packet"))
      CHECK(of.refusal({{"packet", std::int64_t{0}}}) == "packet has to be at least 1, not 0");
    auto files = of.request();
    files.output = "/nonexistent/sorted";
    CHECK_THROWS_WITH(requests::run(of.name, files), has_text("cannot be written"));
    files.input = "/nonexistent/keys";
    CHECK_THROWS_WITH(requests::run(of.name, files), has_text("/nonexistent/keys: cannot be read"));
  });
}

TEST_CASE("every sort refuses more keys than there is memory for", "[sorting][memory]") {
  for_each_sort([](sort_and_network const& of) {
    auto asked = of.request();
    if (asked.parameters.contains("n")) {
      asked.parameters["n"] = std::int64_t{4'000'000'000};
    } else if (takes_many_keys(of)) {
      auto const on_processors = [&](std::int64_t k, int cube, char const* mesh, char const* line) {
        auto const on = of.on[0] == 'h'           ? fmt::format("hypercube:{}", cube)
                        : of.name == "shear-sort" ? mesh
                                                  : line;
        return requests::make(of.name, on, {{"k", k}});
      };
      CHECK_THAT(
          refusal_of_sort(of.name, on_processors(50'000, 25, "mesh:8192x4096", "mesh:33554432")),
          has_text("are more than can be numbered"));
      asked = on_processors(4'000, 20, "mesh:1024x1024", "mesh:1048576");
    } else {
      return;
    }
    CHECK_THROWS_AS(requests::run(of.name, asked), lockstep::out_of_memory);
  });
}

TEST_CASE("every sort sorts whole rows by a column, stably", "[sorting]") {
  for_each_sort([](sort_and_network const& of) {
    auto const sorted = [&](std::string const& column, std::string const& content) {
      return of.written(content, by_column(column));
    };
    CHECK(sorted("n",
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
    CHECK(sorted("n", "n\n") == "n\n");
    CHECK(sorted("n", "n,b\n7,x") == "n,b\n7,x\n");
    CHECK(sorted("b", "n,b\n1,2\n2,1\n3,2\n4,1\n5,2\n6,1\n7,2\n8,1\n9,2\n") ==
          "n,b\n2,1\n4,1\n6,1\n8,1\n1,2\n3,2\n5,2\n7,2\n9,2\n");
    CHECK_THAT(sorted("b", "n,b\n1,2\nx,y\n"), StartsWith(":3: \"y\" in column \"b\" is not a"));
  });
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
  for_each_sort([&](sort_and_network const& of) {
    if (takes_many_keys(of)) CHECK(of.written(text, by_column("key")) == sorted);
  });
}

TEST_CASE("rows are sorted by any numbers, and by whole ones where these have digits",
          "[sorting]") {
  auto const* const text = "x\n1e3\n-0.5\ninf\n";
  for_each_sort([&](sort_and_network const& of) {
    if (of.keys == keys_sorted::numbers)
      CHECK(of.written(text, by_column("x")) == "x\n-0.5\n1e3\ninf\n");
    else
      CHECK_THAT(of.written(text, by_column("x")),
                 StartsWith(":2: \"1e3\" in column \"x\" is not a whole number"));
  });
  CHECK(written_by_sort("counting-sort", "crossbar:2", "y,x\n\"1\n\",1\n2,-3\n", by_column("x")) ==
        ":4: -3, which is not in 0 to 255; give a larger --range, or take radix-sort");
}

TEST_CASE("a column needs an input file, and one that is a text", "[sorting]") {
  for_each_sort([](sort_and_network const& of) {
    auto asked = of.request(by_column("n"));
    CHECK_THROWS_WITH(requests::run(of.name, asked), has_text("--column needs --input FILE"));
    temporary_file const input("n\n1\n");
    asked.input = input.path();
    asked.parameters["format"] = std::string("int32");
    CHECK_THROWS_WITH(requests::run(of.name, asked),
                      has_text("files of format int32 have no columns; leave out --column"));
  });
}

TEST_CASE("a sort that refuses a parameter has written nothing", "[sorting][rows]") {
  int refused = 0;
  for_each_sort([&](sort_and_network const& of) {
    for (auto const& parameter : lockstep::find_experiment(of.name)->parameters)
      for (auto const& value : edges_of(parameter)) {
        temporary_file const input("key\n3\n1\n2\n0\n");
        temporary_file const output("as before");
        auto asked = of.request(by_column("key"));
        asked.parameters[parameter.name] = value;
        asked.input = input.path();
        asked.output = output.path();
        try {
          static_cast<void>(requests::run(of.name, asked));
        } catch (lockstep::error const& problem) {
          ++refused;
          INFO(parameter.name << ": " << problem.what());
          CHECK(output.content() == "as before");
        }
      }
  });
  CHECK(refused > 30);
}
