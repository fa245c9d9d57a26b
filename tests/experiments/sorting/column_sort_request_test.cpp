#include <cstdint>
#include <map>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "comparison_sort_requests.hpp"

TEST_CASE("column-sort of made keys is right and keeps its claims", "[sorting]") {
  for (std::string const on : {"crossbar:1", "crossbar:2", "crossbar:3", "crossbar:5"})
    for (std::int64_t const n : {0, 1, 7, 40, 999, 1000})
      for (std::int64_t const packet : {1, 8})
        for (bool const stable : {false, true}) {
          INFO(on << ", n = " << n << ", m = " << packet);
          auto const result = comparison_sorts::run("column-sort", on,
                                                    {{"n", n},
                                                     {"rows", std::int64_t{32}},
                                                     {"packet", packet},
                                                     {"stable", stable},
                                                     {"distribution", std::string("S")}});
          comparison_sorts::check_right(result);
          CHECK(std::get<std::int64_t>(result.parameters.at("rows")) >= 32);
        }
}

TEST_CASE("column-sort sorts files of any numbers", "[sorting]") {
  std::map<std::string, lockstep::parameter_value> const long_enough{{"rows", std::int64_t{8}}};
  auto const sorted = [&](std::string const& lines) {
    return comparison_sorts::written("column-sort", lines, long_enough);
  };
  CHECK(sorted("").empty());
  CHECK(sorted("5") == "5\n");
  CHECK(sorted("3\n-1\n3\n0\n-7") == "-7\n-1\n0\n3\n3\n");
  CHECK(sorted("3\n-1.5\n1e3\n-inf\n") == "-inf\n-1.5\n3\n1000\n");
  CHECK(sorted("18446744073709551615\n0\n") == "0\n18446744073709551615\n");
  CHECK_THAT(sorted("1\n0.5\nnan\n"), Catch::Matchers::StartsWith(":3: NaN is neither less than"));
  CHECK_THAT(sorted("1\ntwo\n"),
             Catch::Matchers::StartsWith(":2: \"two\" is not a whole number of 64 bits"));
  CHECK_THAT(sorted("0.5\ntwo\n"), Catch::Matchers::StartsWith(":2: \"two\" is not a number"));
}

TEST_CASE("column-sort in short columns is refused, or shown to fail", "[sorting]") {
  std::string const counterexample = "0\n0\n1\n1\n1\n1\n0\n0\n1\n1\n1\n1\n0\n0\n0\n0\n0\n1\n";
  temporary_file const input(counterexample);
  temporary_file const output("as before");
  auto asked = sort_request("column-sort", "crossbar:3", {});
  asked.input = input.path();
  asked.output = output.path();
  CHECK(comparison_sorts::refusal("column-sort", asked) ==
        "column_sort: columns of 6 elements on 3 processors may end unsorted; columns of 2(p - "
        "1)^2 = 8 never do; take 24 elements or fewer processors, fill columns up to that length, "
        "or allow shorter ones: --below-bound on the command line, below_bound in C++");
  asked.parameters["below-bound"] = true;
  CHECK_FALSE(lockstep::find_experiment("column-sort")->run(asked).correct);
  CHECK(output.content() == "as before");
  asked.parameters["below-bound"] = false;
  asked.parameters["rows"] = std::int64_t{8};
  CHECK(lockstep::find_experiment("column-sort")->run(asked).correct);
  CHECK(output.content() == "0\n0\n0\n0\n0\n0\n0\n0\n0\n1\n1\n1\n1\n1\n1\n1\n1\n1\n");
}

TEST_CASE("column-sort refuses bad requests", "[sorting]") {
  comparison_sorts::check_refusals("column-sort");
  CHECK_THROWS_AS(
      comparison_sorts::run("column-sort", "crossbar:2", {{"rows", std::int64_t{1} << 30U}}),
      lockstep::out_of_memory);
}
