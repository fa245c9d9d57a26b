#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/requests.hpp"
#include "experiments/temporary_file.hpp"
#include "sorting/dirty_rows.hpp"
#include "sorting/sort_requests.hpp"

// What is particular to requests for each of the sorts of a crossbar.

using Catch::Matchers::StartsWith;
using lockstep::experiment_result;

namespace {

std::string as_bytes(std::vector<std::int64_t> const& keys) {
  std::string bytes;
  for (auto const key : keys)
    for (unsigned at = 0; at < 64; at += 8)
      bytes += static_cast<char>(static_cast<std::uint64_t>(key) >> at & 0xFFU);
  return bytes;
}

/// Whether no claim has an erratum.
bool has_no_errata(experiment_result const& result) {
  return std::ranges::all_of(result.claims, [](auto const& one) { return one.erratum.empty(); });
}

std::int64_t figure_of_sort(experiment_result const& result, std::string const& name) {
  return number_in(result.figures, name);
}

/// Ways of sorts by buckets, each as parameters, with slots that have room for all.
std::vector<given_parameters> ways_of(std::string const& bucket_sort) {
  std::vector<given_parameters> ways{{{"c", 64.0}}};
  if (bucket_sort == "median-sort")
    ways.push_back({{"c", 64.0}, {"way", std::string("random")}});
  else
    ways.insert(ways.end(),
                {{{"c", 64.0}, {"even", true}}, {{"c", 64.0}, {"with-replacement", true}}});
  return ways;
}

}  // namespace

TEST_CASE("sorts by digits of made keys are right and keep their claims", "[sorting]") {
  for (std::string const on : {"crossbar:1", "crossbar:5", "crossbar:16"})
    for (std::string const blocks : {"real", "padded"})
      for (std::int64_t const n : {0, 1, 5, 16, 1000, 4096}) {
        INFO(on << ", " << blocks << ", n = " << n);
        for (std::string const keys : {"R", "S", "C", "N"}) {
          auto const result = requests::run("radix-sort", on,
                                            {{"n", n},
                                             {"radix", std::int64_t{1024}},
                                             {"distribution", keys},
                                             {"blocks", blocks}});
          check_right_sort(result);
          CHECK(has_no_errata(result));
        }
        auto const result = requests::run(
            "counting-sort", on, {{"n", n}, {"range", std::int64_t{100}}, {"blocks", blocks}});
        check_right_sort(result);
        CHECK(has_no_errata(result));
      }
}

TEST_CASE("radix-sort chooses a radix, and says how many passes it took", "[sorting]") {
  auto const chosen = requests::run("radix-sort", "crossbar:16", {{"n", std::int64_t{4096}}});
  CHECK(number_in(chosen.parameters, "radix") == 64);
  CHECK(figure_of_sort(chosen, "passes") == 6);
  CHECK(figure_of_sort(chosen, "key_bits") == 32);
  auto const given = requests::run("radix-sort", "crossbar:4",
                                   {{"radix", std::int64_t{1024}}, {"keys", std::string("int64")}});
  CHECK(number_in(given.parameters, "n") == 65'536);
  CHECK(figure_of_sort(given, "passes") == 7);
  CHECK(figure_of_sort(given, "key_bits") == 64);
  CHECK(given.record.counts().rounds == 84);
}

TEST_CASE("radix-sort sorts files of bytes", "[sorting]") {
  auto const sorted_as = [](std::string const& format, std::vector<std::int64_t> const& keys) {
    return written_by_sort("radix-sort", "crossbar:3", as_bytes(keys), {{"format", format}});
  };
  std::mt19937_64 random(5);
  std::vector<std::int64_t> keys(1000);
  for (auto& key : keys) key = static_cast<std::int64_t>(random());
  auto sorted = keys;
  std::ranges::sort(sorted);
  CHECK(sorted_as("int64", keys) == as_bytes(sorted));
  std::ranges::sort(sorted, {}, [](auto key) { return static_cast<std::uint64_t>(key); });
  CHECK(sorted_as("uint64", keys) == as_bytes(sorted));
}

TEST_CASE("counting-sort sorts files of digits", "[sorting]") {
  auto const written = [](std::string const& content, given_parameters given = {}) {
    given["range"] = std::int64_t{4};
    return written_by_sort("counting-sort", "crossbar:3", content, given);
  };
  CHECK(written("3\n0\n3\n2\n") == "0\n2\n3\n3\n");
  CHECK_THAT(written("3\n4\n"), StartsWith(":2: 4, which is not in 0 to 3; give a larger --range"));
  CHECK_THAT(written("-1\n"), StartsWith(":1: -1, which is not in 0 to 3"));
  CHECK_THAT(written(as_bytes({1, 4}), {{"format", std::string("int64")}}),
             StartsWith(": its key 2 is 4, which is not in 0 to 3"));
}

TEST_CASE("sorts by digits refuse other blocks, radices and ranges", "[sorting]") {
  for (std::string const name : {"counting-sort", "radix-sort"}) {
    CHECK(refusal_of_sort(name, "hypercube:3") ==
          "hypercube:3 is not a crossbar; this algorithm needs a link between every pair, for "
          "example crossbar:8");
    CHECK(refusal_of_sort(name, "crossbar:2", {{"blocks", std::string("large")}}) ==
          "blocks: 'large' is not one of real, padded");
    CHECK_THROWS_AS(requests::run(name, "crossbar:1000000000"), lockstep::out_of_memory);
  }
  auto const with_radix = [](std::int64_t radix) {
    return refusal_of_sort("radix-sort", "crossbar:2", {{"radix", radix}});
  };
  CHECK_THAT(with_radix(1), has_text("a power of two, 2 to 16777216, not 1"));
  CHECK_THAT(with_radix(1000), has_text("a power of two, 2 to 16777216, not 1000"));
  CHECK_THAT(with_radix(1 << 25), has_text("at most 16777216"));
  CHECK_THAT(refusal_of_sort("counting-sort", "crossbar:2", {{"range", std::int64_t{0}}}),
             has_text("range has to be at least 1, not 0"));
  CHECK_THROWS_AS(
      requests::run("counting-sort", "crossbar:1000", {{"range", std::int64_t{1} << 31U}}),
      lockstep::out_of_memory);
}

TEST_CASE("column-sort of made keys is right and keeps its claims in columns that are filled up",
          "[sorting]") {
  for (std::string const on : {"crossbar:1", "crossbar:2", "crossbar:3", "crossbar:5"})
    for (std::int64_t const n : {0, 1, 7, 40, 999, 1000})
      for (std::int64_t const packet : {1, 8})
        for (bool const stable : {false, true}) {
          INFO(on << ", n = " << n << ", m = " << packet);
          auto const result = requests::run("column-sort", on,
                                            {{"n", n},
                                             {"rows", std::int64_t{32}},
                                             {"packet", packet},
                                             {"stable", stable},
                                             {"distribution", std::string("S")}});
          check_right_sort(result);
          CHECK(number_in(result.parameters, "rows") >= 32);
        }
}

TEST_CASE("column-sort in short columns is refused, or shown to fail", "[sorting]") {
  std::string const counterexample = "0\n0\n1\n1\n1\n1\n0\n0\n1\n1\n1\n1\n0\n0\n0\n0\n0\n1\n";
  temporary_file const input(counterexample);
  temporary_file const output("as before");
  auto asked = requests::make("column-sort", "crossbar:3");
  asked.input = input.path();
  asked.output = output.path();
  CHECK(refusal_of_sort("column-sort", asked) ==
        "column_sort: columns of 6 elements on 3 processors may end unsorted; columns of 2(p - "
        "1)^2 = 8 never do; take 24 elements or fewer processors, fill columns up to that length, "
        "or allow shorter ones: --below-bound on the command line, below_bound in C++");
  asked.parameters["below-bound"] = true;
  CHECK_FALSE(requests::run("column-sort", asked).correct);
  CHECK(output.content() == "as before");
  asked.parameters["below-bound"] = false;
  asked.parameters["rows"] = std::int64_t{8};
  CHECK(requests::run("column-sort", asked).correct);
  CHECK(output.content() == "0\n0\n0\n0\n0\n0\n0\n0\n0\n1\n1\n1\n1\n1\n1\n1\n1\n1\n");
  CHECK_THROWS_AS(requests::run("column-sort", "crossbar:2", {{"rows", std::int64_t{1} << 30U}}),
                  lockstep::out_of_memory);
}

TEST_CASE("rotate-sort tells of shears, local sorts and dirty rows", "[sorting]") {
  auto const once = requests::run("rotate-sort", "crossbar:4", {{"n", std::int64_t{96}}});
  CHECK(figure_of_sort(once, "shears") == 1);
  CHECK(figure_of_sort(once, "local_sorts") == 10);
  auto const thrice = requests::run("rotate-sort", "crossbar:16", {{"n", std::int64_t{256}}});
  CHECK(figure_of_sort(thrice, "shears") == 3);
  CHECK(figure_of_sort(thrice, "local_sorts") == 14);
  CHECK(figure_of_sort(thrice, "dirty_rows") <= 3);
  CHECK(figure_of_sort(thrice, "dirty_rows_after_3") <= 4);
  CHECK(figure_of_sort(thrice, "dirty_rows_after_3") > 0);
  CHECK(thrice.record.counts().startups == 13);
  CHECK(thrice.record.counts().words == 192);
  auto const alone = requests::run("rotate-sort", "crossbar:1", {{"n", std::int64_t{9}}});
  CHECK(figure_of_sort(alone, "local_sorts") == 1);
}

TEST_CASE("rotate-sort keeps the paper's bound on 16 processors unless its slices are cut",
          "[sorting]") {
  given_parameters given{{"n", std::int64_t{256}}, {"tau", std::int64_t{1000}}};
  auto const cheapest = requests::run("rotate-sort", "crossbar:16", given);
  CHECK(std::get<std::string>(cheapest.figures.at("slices")) ==
        "copied (2075), not spread (3042) or whole (2120)");
  CHECK(cheapest.record.counts().startups == 12);
  CHECK(check_right_sort(cheapest) == 0);
  given["slices"] = std::string("spread");
  auto const spread = requests::run("rotate-sort", "crossbar:16", given);
  CHECK(std::get<std::string>(spread.figures.at("slices")) ==
        "spread (3042), not whole (2120) or copied (2075)");
  CHECK(check_right_sort(spread) == 2);  // start-ups and time: 13192 > 12384
  for (auto const& claimed : spread.claims)
    if (!holds(claimed, measured_for(claimed, spread)))
      CHECK_THAT(claimed.erratum, has_text("where a does not divide n/p^2"));
}

TEST_CASE(
    "rotate-sort without SHEAR comes out wrong, and sorts on 12 processors, not as the original",
    "[sorting]") {
  CHECK_FALSE(requests::run("rotate-sort", "crossbar:16",
                            {{"n", std::int64_t{256}}, {"shears", std::int64_t{0}}})
                  .correct);
  auto const on_12 = requests::run("rotate-sort", "crossbar:12", {{"n", std::int64_t{1440}}});
  CHECK(check_right_sort(on_12) == 0);
  CHECK(on_12.record.counts().startups == 6 + 2 * 4);
  auto const spread_on_12 = requests::run(
      "rotate-sort", "crossbar:12", {{"n", std::int64_t{1440}}, {"slices", std::string("spread")}});
  CHECK(spread_on_12.record.counts().startups == 6 + 2 * 4 + 1);
  CHECK_THAT(refusal_of_sort("rotate-sort", "crossbar:12", {{"original", true}}),
             has_text("12 processors are neither a square nor a power of two"));
}

TEST_CASE("rows are dirty between the fewest and the most zeros of a column", "[sorting]") {
  using lockstep::dirty_rows;
  CHECK(dirty_rows<int>({}) == 0);
  CHECK(dirty_rows<int>({{}, {}}) == 0);
  CHECK(dirty_rows<int>({{1, 1}, {1, 1}}) == 0);
  CHECK(dirty_rows<int>({{0, 1}, {0, 1}}) == 0);
  CHECK(dirty_rows<int>({{0, 0}, {0, 1}}) == 1);
  CHECK(dirty_rows<int>({{0, 0, 0, 1}, {0, 1, 1, 1}}) == 2);
  CHECK(dirty_rows<double>({{1, 2, 3, 4}, {1, 5, 6, 7}}) == 3);
}

TEST_CASE("sorts by buckets are right and keep their claims", "[sorting]") {
  for (std::string const name : {"sample-sort", "median-sort"})
    for (auto given : ways_of(name))
      for (std::string const on : {"crossbar:1", "crossbar:2", "crossbar:5", "crossbar:16"})
        for (std::int64_t const n : {0, 1, 5, 16, 1000, 4096}) {
          INFO(name << " on " << on << ", n = " << n);
          given["n"] = n;
          given["distribution"] = std::string(n % 2 == 0 ? "R" : "S");
          given["packet"] = std::int64_t{n == 1000 ? 16 : 1};
          check_right_sort(requests::run(name, on, given));
        }
}

TEST_CASE("sample-sort sends what the theorem says, and tells its slots and buckets", "[sorting]") {
  auto const result = requests::run("sample-sort", "crossbar:16", {{"n", std::int64_t{16'384}}});
  check_right_sort(result);
  CHECK(has_no_errata(result));
  CHECK(result.record.counts().startups == 3);
  CHECK(result.record.counts().words == 15 * 49 + 2 * 15 * 192);
  CHECK(figure_of_sort(result, "slot") == 192);
  CHECK(figure_of_sort(result, "samples") == 49);
  CHECK(figure_of_sort(result, "attempts") == 1);
  CHECK(figure_of_sort(result, "redrawn") == 0);
  CHECK(figure_of_sort(result, "largest_bucket") >= 1024);
  CHECK(figure_of_sort(result, "largest_bucket") <= 2048);
}

TEST_CASE("median-sort takes five start-ups on either way", "[sorting]") {
  for (std::string const way : {"direct", "random"}) {
    auto const result =
        requests::run("median-sort", "crossbar:8", {{"n", std::int64_t{4096}}, {"way", way}});
    check_right_sort(result);
    CHECK(has_no_errata(result));
    CHECK(result.record.counts().startups == 5);
    CHECK(figure_of_sort(result, "largest_bucket") <= 1024);
    CHECK(result.figures.contains("slot") == (way == "random"));
  }
}

TEST_CASE("the paper's bound on median sort fails with packets, and says why", "[sorting]") {
  auto const result = requests::run(
      "median-sort", "crossbar:4",
      {{"n", std::int64_t{80}}, {"tau", std::int64_t{64}}, {"packet", std::int64_t{64}}});
  bool fails = false;
  for (auto const& claimed : result.claims) {
    if (claimed.figure != "time") continue;
    CHECK(claimed.value() == 1076);
    fails = !holds(claimed, measured_for(claimed, result));
    CHECK_THAT(claimed.erratum, has_text("only where m = 1"));
  }
  CHECK(fails);
}

TEST_CASE("sorts by buckets refuse slots that overflow, with a remedy", "[sorting]") {
  for (std::string const name : {"sample-sort", "median-sort"}) {
    given_parameters given{{"n", std::int64_t{256}}};
    if (name == "median-sort") given["way"] = std::string("random");
    CHECK_THAT(refusal_of_sort(name, "crossbar:16", given),
               has_text("slots of 3 elements overflow in each of 20 draws; take a larger c"));
    given["c"] = 12.0;
    CHECK(refusal_of_sort(name, "crossbar:16", given) == "not refused");
    given["c"] = 0.0;
    CHECK_THAT(refusal_of_sort(name, "crossbar:16", given), has_text("c has to be positive"));
  }
}

TEST_CASE("the original rotate sort keeps its claims, wherever rows of slices lie") {
  for (auto const& [on, n] : {std::pair("crossbar:4", 32),
                              {"crossbar:4", 16},
                              {"crossbar:16", 256},
                              {"crossbar:16", 1024},
                              {"crossbar:8", 192},
                              {"crossbar:1", 5}})
    for (auto const* const slices : {"spread", "whole", "copied", "cheapest"})
      for (int const packet : {1, 5}) {
        INFO(on << ", n = " << n << ", " << slices << ", packet " << packet);
        auto asked =
            requests::make("rotate-sort", on,
                           {{"n", n}, {"slices", slices}, {"packet", packet}, {"original", true}});
        asked.options.packet = static_cast<std::uint64_t>(packet);
        auto const result = requests::run("rotate-sort", asked);
        requests::check(result, requests::errata::refused);
        if (n > 5) CHECK(requests::figure(result, "local_sorts") == 14);
      }
  CHECK_THAT(requests::refusal("rotate-sort", "crossbar:4", {{"n", 24}, {"original", true}}),
             has_text("4 does not divide 6; leave options.original out, or give rows 8"));
}
