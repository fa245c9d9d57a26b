#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "sorting/sort_requests.hpp"

using lockstep::parameter_value;

namespace {

constexpr char const* sorts_of_hypercubes[] = {"bitonic-sort", "odd-even-merge-sort"};

/// A run on the file's content: what it wrote, or said.
std::string written_on_cube(std::string const& name, std::string const& on,
                            std::string const& content,
                            std::map<std::string, parameter_value> const& given = {}) {
  temporary_file const input(content);
  temporary_file const output("as before");
  auto asked = sort_request(name, on, given);
  asked.input = input.path();
  asked.output = output.path();
  try {
    auto const result = run_sort(name, asked);  // outside of CHECK, which would catch
    check_right_sort(result);
  } catch (lockstep::bad_input const& bad) {
    CHECK(output.content() == "as before");
    std::string const text = bad.what();
    return text.substr(input.path().string().size());
  }
  return output.content();
}

}  // namespace

TEST_CASE("sorts of the hypercube take all distributions, d and k", "[sorting]") {
  for (std::string const name : sorts_of_hypercubes)
    for (int d = 0; d <= 7; ++d)
      for (std::int64_t const k : {1, 2, 5})
        for (std::string const keys : {"R", "S", "C", "N"}) {
          INFO(name << ", d = " << d << ", k = " << k << ", " << keys);
          auto const result = run_sort(name, sort_request(name, fmt::format("hypercube:{}", d),
                                                          {{"k", k}, {"distribution", keys}}));
          check_right_sort(result);
          CHECK(result.parameters.at("n") == parameter_value(k << d));
          auto const steps = name == sorts_of_hypercubes[0] ? d * (d + 1) / 2
                             : d > 0                        ? d * d + d - 1
                                                            : 0;
          CHECK(result.record.counts().steps == static_cast<std::uint64_t>(k * steps));
        }
}

TEST_CASE("sorts of the hypercube sort files of any length", "[sorting]") {
  for (std::string const name : sorts_of_hypercubes) {
    CHECK(written_on_cube(name, "hypercube:3", "").empty());
    CHECK(written_on_cube(name, "hypercube:3", "5") == "5\n");
    CHECK(written_on_cube(name, "hypercube:2", "3\n-1\n3\n0\n-7") == "-7\n-1\n0\n3\n3\n");
    CHECK(written_on_cube(name, "hypercube:2", "9223372036854775807\n-9223372036854775808\n0\n") ==
          "-9223372036854775808\n0\n9223372036854775807\n");
    CHECK(written_on_cube(name, "hypercube:1", "2.5\n-1e300\n2\n") == "-1e+300\n2\n2.5\n");
    CHECK_THAT(written_on_cube(name, "hypercube:1", "1\ntwo\n"),
               Catch::Matchers::StartsWith(":2: \"two\" is not a"));
    std::string falling;
    std::string rising;
    for (int i = 0; i < 100; ++i) {
      falling = fmt::format("{}\n{}", i, falling);
      rising += fmt::format("{}\n", i);
    }
    CHECK(written_on_cube(name, "hypercube:5", falling) == rising);
  }
}

TEST_CASE("the keys of a file tell k", "[sorting]") {
  temporary_file const input("4\n3\n2\n1\n0\n");
  for (std::string const name : sorts_of_hypercubes) {
    auto asked = sort_request(name, "hypercube:1");
    asked.input = input.path();
    auto const result = run_sort(name, asked);
    CHECK(result.parameters.at("k") == parameter_value(std::int64_t{3}));
    CHECK(result.parameters.at("n") == parameter_value(std::int64_t{5}));
    CHECK(result.record.counts().steps == 3);
  }
}

TEST_CASE("a long sort of the hypercube is not stopped by the limit of steps", "[sorting]") {
  auto asked = sort_request("bitonic-sort", "hypercube:2", {{"k", std::int64_t{40}}});
  asked.options.max_steps = 10;
  auto const result = run_sort("bitonic-sort", asked);
  check_right_sort(result);
  CHECK(result.record.counts().steps == 120);
}

TEST_CASE("sorts of the hypercube refuse bad requests", "[sorting]") {
  for (std::string const name : sorts_of_hypercubes) {
    CHECK_THROWS_WITH(run_sort(name, sort_request(name, "crossbar:8")),
                      has_text("crossbar:8 is not a hypercube; take hypercube:4, for example"));
    CHECK_THROWS_WITH(run_sort(name, sort_request(name, "hypercube:2", {{"k", std::int64_t{0}}})),
                      has_text("k has to be at least 1, not 0"));
    CHECK_THROWS_WITH(run_sort(name, sort_request(name, "hypercube:2", {{"distribution", "T"}})),
                      has_text("'T' is not one of R, S, C, N"));
    CHECK_THROWS_WITH(
        run_sort(name, sort_request(name, "hypercube:20", {{"k", std::int64_t{50'000}}})),
        has_text("are more than can be numbered"));
    CHECK_THROWS_AS(
        run_sort(name, sort_request(name, "hypercube:20", {{"k", std::int64_t{4'000}}})),
        lockstep::out_of_memory);
    auto asked = sort_request(name, "hypercube:2");
    asked.output = "/nonexistent/sorted";
    CHECK_THROWS_WITH(run_sort(name, asked), has_text("cannot be written"));
    asked.input = "/nonexistent/keys";
    CHECK_THROWS_WITH(run_sort(name, asked), has_text("/nonexistent/keys: cannot be read"));
  }
}

TEST_CASE("nassimi-sahni-sort sorts as many keys as it has columns, or fewer", "[sorting]") {
  std::string const name = "nassimi-sahni-sort";
  for (int d = 1; d <= 7; ++d)
    for (std::int64_t l = 1; l <= d; ++l)
      for (std::string const keys : {"R", "S", "C", "N"}) {
        INFO("d = " << d << ", l = " << l << ", " << keys);
        auto const result = run_sort(name, sort_request(name, fmt::format("hypercube:{}", d),
                                                        {{"l", l}, {"distribution", keys}}));
        check_right_sort(result);
        CHECK(result.parameters.at("n") == parameter_value(std::int64_t{1} << (d - l)));
      }
  CHECK(written_on_cube(name, "hypercube:4", "3\n-1\n2.5\n") == "-1\n2.5\n3\n");
  CHECK(written_on_cube(name, "hypercube:4", "").empty());
  temporary_file const five("5\n4\n3\n2\n1\n");
  auto asked = sort_request(name, "hypercube:4");
  asked.input = five.path();
  CHECK_THROWS_WITH(run_sort(name, asked),
                    has_text("hypercube:4 sorts at most 4 keys with l = 2, and there are 5"));
}

TEST_CASE("nassimi-sahni-sort refuses bad requests", "[sorting]") {
  std::string const name = "nassimi-sahni-sort";
  CHECK_THROWS_WITH(run_sort(name, sort_request(name, "crossbar:8")),
                    has_text("crossbar:8 is not a hypercube"));
  CHECK_THROWS_WITH(run_sort(name, sort_request(name, "hypercube:1")),
                    has_text("2^2 lists at a time cannot be merged on hypercube:1"));
  CHECK_THROWS_WITH(run_sort(name, sort_request(name, "hypercube:4", {{"l", std::int64_t{0}}})),
                    has_text("l has to be at least 1, not 0"));
}
