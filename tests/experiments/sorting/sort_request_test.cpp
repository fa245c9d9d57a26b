#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/experiment.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "sorting/sort_requests.hpp"

using lockstep::experiment_request;
using lockstep::experiment_result;
using lockstep::parameter_value;

namespace {

using parameters = std::map<std::string, parameter_value>;

/// A run of the algorithm on the file's content: what it wrote, or said.
std::string written(std::string const& name, std::string const& content,
                    parameters const& given = {}) {
  temporary_file const input(content);
  temporary_file const output("as before");
  auto asked = sort_request(name, "crossbar:3", given);
  asked.input = input.path();
  asked.output = output.path();
  try {
    bool const correct = run_sort(name, asked).correct;  // outside of CHECK, which would catch
    CHECK(correct);
  } catch (lockstep::bad_input const& bad) {
    CHECK(output.content() == "as before");
    std::string const text = bad.what();
    CHECK(text.starts_with(input.path().string()));
    return text.substr(input.path().string().size());
  }
  return output.content();
}

std::string refusal_of(std::string const& name, experiment_request const& asked) {
  try {
    static_cast<void>(run_sort(name, asked));
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.step() == 0);  // before anything ran
    return refused.message();
  }
  return "not refused";
}

void check_right(experiment_result const& result) {
  CHECK(result.claims.size() >= 4);
  check_right_sort(result);
}

std::string as_bytes(std::vector<std::int64_t> const& keys) {
  std::string bytes;
  for (auto const key : keys)
    for (unsigned at = 0; at < 64; at += 8)
      bytes += static_cast<char>(static_cast<std::uint64_t>(key) >> at & 0xFFU);
  return bytes;
}

}  // namespace

TEST_CASE("sorts of made keys are right and keep their claims", "[sorting]") {
  for (std::string const on : {"crossbar:1", "crossbar:2", "crossbar:5", "crossbar:16"})
    for (std::string const blocks : {"real", "padded"})
      for (std::int64_t const n : {0, 1, 5, 16, 1000, 4096}) {
        INFO(on << ", " << blocks << ", n = " << n);
        for (std::string const keys : {"R", "S", "C", "N"})
          check_right(run_sort("radix-sort", sort_request("radix-sort", on,
                                                          {{"n", n},
                                                           {"radix", std::int64_t{1024}},
                                                           {"distribution", keys},
                                                           {"blocks", blocks}})));
        check_right(
            run_sort("counting-sort",
                     sort_request("counting-sort", on,
                                  {{"n", n}, {"range", std::int64_t{100}}, {"blocks", blocks}})));
      }
}

TEST_CASE("radix-sort chooses a radix, and says how many passes it took", "[sorting]") {
  auto const chosen = run_sort(
      "radix-sort", sort_request("radix-sort", "crossbar:16", {{"n", std::int64_t{4096}}}));
  CHECK(chosen.parameters.at("radix") == parameter_value(std::int64_t{64}));
  CHECK(chosen.figures.at("passes") == parameter_value(std::int64_t{6}));
  CHECK(chosen.figures.at("key_bits") == parameter_value(std::int64_t{32}));
  auto const given = run_sort(
      "radix-sort",
      sort_request("radix-sort", "crossbar:4", {{"radix", std::int64_t{1024}}, {"keys", "int64"}}));
  CHECK(given.parameters.at("n") == parameter_value(std::int64_t{65'536}));
  CHECK(given.figures.at("passes") == parameter_value(std::int64_t{7}));
  CHECK(given.figures.at("key_bits") == parameter_value(std::int64_t{64}));
  CHECK(given.record.counts().rounds == 84);
}

TEST_CASE("radix-sort sorts files", "[sorting]") {
  CHECK(written("radix-sort", "").empty());
  CHECK(written("radix-sort", "5") == "5\n");
  CHECK(written("radix-sort", "3\n-1\n3\n0\n-7") == "-7\n-1\n0\n3\n3\n");
  CHECK(written("radix-sort", "9223372036854775807\n-9223372036854775808\n0\n") ==
        "-9223372036854775808\n0\n9223372036854775807\n");
  CHECK(written("radix-sort", "18446744073709551615\n0\n") == "0\n18446744073709551615\n");
  CHECK(written("radix-sort", "2\n1\n", {{"keys", "uint32"}}) == "1\n2\n");
  CHECK_THAT(written("radix-sort", "1\ntwo\n"),
             Catch::Matchers::StartsWith(":2: \"two\" is not a whole number"));
  CHECK_THAT(written("radix-sort", "1\n4294967296\n", {{"keys", "int32"}}),
             Catch::Matchers::StartsWith(":2: 4294967296 is out of the range of int32"));
  std::mt19937_64 random(5);
  std::vector<std::int64_t> keys(1000);
  for (auto& key : keys) key = static_cast<std::int64_t>(random());
  auto sorted = keys;
  std::ranges::sort(sorted);
  CHECK(written("radix-sort", as_bytes(keys), {{"format", "int64"}}) == as_bytes(sorted));
  std::ranges::sort(sorted, {}, [](auto key) { return static_cast<std::uint64_t>(key); });
  CHECK(written("radix-sort", as_bytes(keys), {{"format", "uint64"}}) == as_bytes(sorted));
  CHECK_THAT(written("radix-sort", "12345", {{"format", "uint32"}}),
             Catch::Matchers::StartsWith(": its 5 bytes are not a whole number of uint32 keys"));
}

TEST_CASE("a file may be sorted into itself", "[sorting]") {
  temporary_file const file("2\n3\n1");
  auto asked = sort_request("radix-sort", "crossbar:2");
  asked.input = file.path();
  asked.output = file.path();
  CHECK(run_sort("radix-sort", asked).correct);
  CHECK(file.content() == "1\n2\n3\n");
}

TEST_CASE("made keys are written, too", "[sorting]") {
  temporary_file const output;
  auto asked =
      sort_request("radix-sort", "crossbar:2", {{"n", std::int64_t{5}}, {"distribution", "C"}});
  asked.output = output.path();
  CHECK(run_sort("radix-sort", asked).correct);
  CHECK(output.content() == "0\n1\n2\n3\n4\n");
}

TEST_CASE("counting-sort sorts files of digits", "[sorting]") {
  CHECK(written("counting-sort", "3\n0\n3\n2\n", {{"range", std::int64_t{4}}}) == "0\n2\n3\n3\n");
  CHECK_THAT(written("counting-sort", "3\n4\n", {{"range", std::int64_t{4}}}),
             Catch::Matchers::StartsWith(":2: 4, which is not in 0 to 3; give a larger --range"));
  CHECK_THAT(written("counting-sort", "-1\n", {{"range", std::int64_t{4}}}),
             Catch::Matchers::StartsWith(":1: -1, which is not in 0 to 3"));
  CHECK_THAT(
      written("counting-sort", as_bytes({1, 4}), {{"range", std::int64_t{4}}, {"format", "int64"}}),
      Catch::Matchers::StartsWith(": its key 2 is 4, which is not in 0 to 3"));
}

TEST_CASE("sorts refuse bad requests", "[sorting]") {
  for (std::string const name : {"counting-sort", "radix-sort"}) {
    INFO(name);
    CHECK(refusal_of(name, sort_request(name, "hypercube:3")) ==
          "hypercube:3 is not a crossbar; this algorithm needs a link between every pair, for "
          "example "
          "crossbar:8");
    auto const refused = [&](parameters const& given) {
      return refusal_of(name, sort_request(name, "crossbar:2", given));
    };
    CHECK(refused({{"blocks", "large"}}) == "blocks: 'large' is not one of real, padded");
    CHECK_THAT(refused({{"format", "csv"}}), has_text("'csv' is not one of text, int32"));
    CHECK_THAT(refused({{"keys", "int16"}}), has_text("'int16' is not one of auto, int32"));
    CHECK_THAT(refused({{"format", "int32"}, {"keys", "int64"}}),
               has_text("format int32 has no keys of type int64"));
    CHECK(refused({{"n", std::int64_t{-1}}}) == "n has to be at least 0, not -1");
    CHECK_THROWS_AS(run_sort(name, sort_request(name, "crossbar:1000000000")),
                    lockstep::out_of_memory);
    CHECK_THROWS_AS(
        run_sort(name, sort_request(name, "crossbar:2", {{"n", std::int64_t{4'000'000'000}}})),
        lockstep::out_of_memory);
    auto asked = sort_request(name, "crossbar:2");
    asked.output = "/nonexistent/sorted";
    CHECK_THROWS_WITH(run_sort(name, asked), has_text("cannot be written"));
    asked.input = "/nonexistent/keys";
    CHECK_THROWS_WITH(run_sort(name, asked), has_text("/nonexistent/keys: cannot be read"));
  }
  auto const with_radix = [](std::int64_t radix) {
    return refusal_of("radix-sort", sort_request("radix-sort", "crossbar:2", {{"radix", radix}}));
  };
  CHECK_THAT(with_radix(1), has_text("a power of two, 2 to 16777216, not 1"));
  CHECK_THAT(with_radix(1000), has_text("a power of two, 2 to 16777216, not 1000"));
  CHECK_THAT(with_radix(1 << 25), has_text("at most 16777216"));
  CHECK_THAT(refusal_of("counting-sort",
                        sort_request("counting-sort", "crossbar:2", {{"range", std::int64_t{0}}})),
             has_text("range has to be at least 1, not 0"));
  CHECK_THROWS_AS(run_sort("counting-sort", sort_request("counting-sort", "crossbar:1000",
                                                         {{"range", std::int64_t{1} << 31U}})),
                  lockstep::out_of_memory);
}
