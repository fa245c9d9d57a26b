#include <algorithm>
#include <cstdint>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "papers/mayr_plaxton/sorting_steps.hpp"
#include "sorting/sort_requests.hpp"

namespace {

lockstep::experiment_result merged_rightly(std::string const& name, std::string const& on,
                                           given_parameters const& given = {}) {
  INFO(name << " on " << on);
  auto result = requests::run(name, on, given);
  check_right_sort(result);
  return result;
}

std::int64_t whole(lockstep::experiment_result const& of, std::string const& parameter) {
  return number_in(of.parameters, parameter);
}

}  // namespace

TEST_CASE("merge runs with both lists on all processors or each on half", "[sorting]") {
  for (std::string const on : {"hypercube:1", "hypercube:2", "hypercube:5"})
    for (std::string const lists : {"half", "whole"})
      for (std::string const prefix : {"fft", "halving"})
        for (bool const fused : {false, true})
          for (std::int64_t const k : {1, 6})
            merged_rightly("merge", on,
                           {{"k", k}, {"lists", lists}, {"fused", fused}, {"prefix", prefix}});
  merged_rightly("merge", "hypercube:0", {{"k", std::int64_t{3}}});
  CHECK_THAT(refusal_of_sort("merge", "hypercube:0", {{"lists", std::string("whole")}}),
             has_text("each list needs half of them; take hypercube:1"));
}

TEST_CASE("merges read lists from a file, one after the other, and write what they become",
          "[sorting]") {
  for (std::string const lists : {"half", "whole"})
    for (bool const fused : {false, true}) {
      auto const merged = [&](std::string const& content, given_parameters given = {}) {
        given.insert({{"lists", lists}, {"fused", fused}});
        return written_by_sort("merge", "hypercube:2", content, given);
      };
      CHECK(merged("").empty());
      CHECK(merged("7\n") == "7\n");
      CHECK(merged("1\n4\n9\n-2\n0\n") == "-2\n0\n1\n4\n9\n");
      CHECK(merged("0.5\n2\n1e3\n-inf\n1\n2") == "-inf\n0.5\n1\n2\n2\n1000\n");
      CHECK(merged("n,of\n1,x\n2,x\n2,x\n1,y\n2,y\n", {{"column", std::string("n")}}) ==
            "n,of\n1,x\n1,y\n2,x\n2,x\n2,y\n");
      CHECK_THAT(merged("1\n4\n9\n3\n2\n"),
                 Catch::Matchers::StartsWith(":5: 2, less than the key before it; the file has 2 "
                                             "lists of even sizes, one after the other, and each"));
      CHECK_THAT(merged("n\n2\n1\n3\n", {{"column", std::string("n")}}),
                 Catch::Matchers::StartsWith(":3: 1, less than the key before it"));
      CHECK_THAT(
          merged(std::string("\2\0\0\0\1\0\0\0\1\0\0\0", 12), {{"format", std::string("int32")}}),
          Catch::Matchers::StartsWith(": its key 2 is 1, less than the key before it"));
      CHECK_THAT(merged("1\nnan\n"), Catch::Matchers::StartsWith(":2: NaN"));
    }
  CHECK(written_by_sort("multiway-merge", "hypercube:5", "3\n5\n1\n9\n0\n4\n2\n",
                        {{"l", std::int64_t{2}}}) == "0\n1\n2\n3\n4\n5\n9\n");
  CHECK_THAT(
      written_by_sort("multiway-merge", "hypercube:3", "3\n2\n1\n0\n", {{"l", std::int64_t{0}}}),
      Catch::Matchers::StartsWith(":2: 2, less than the key before it; the file has 1 lists"));
}

TEST_CASE("the lists of a file tell k of a merge, and those that are generated have a type",
          "[sorting]") {
  temporary_file const input("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  for (std::string const name : {"merge", "multiway-merge"}) {
    auto asked = requests::make(name, "hypercube:3");
    asked.input = input.path();
    auto const result = requests::run(name, asked);
    CHECK(result.correct);
    CHECK(whole(result, "k") == (name == "merge" ? 1 : 3));  // lists of 5 in 8 sets, or in 2
    CHECK(std::get<std::int64_t>(result.figures.at("elements")) == 9);
    CHECK_FALSE(result.bounds.empty());
    asked.input.reset();
    temporary_file const output;
    asked.output = output.path();
    asked.parameters["keys"] = std::string("float32");
    CHECK(requests::run(name, asked).correct);
    auto const written = output.content();
    CHECK(std::ranges::count(written, '\n') == (name == "merge" ? 2 * 8 * 8 : 2 * 2 * 8));
    asked.parameters["column"] = std::string("n");
    CHECK(refusal_of_sort(name, asked) == "--column needs --input FILE");
  }
}

TEST_CASE("merges of more than one element need all ports", "[sorting]") {
  for (std::string const name : {"merge", "merge-sort", "multiway-merge", "multiway-merge-sort"}) {
    auto asked = requests::make(name, "hypercube:4", {{"k", std::int64_t{2}}});
    asked.options.ports = lockstep::ports::one;
    CHECK(refusal_of_sort(name, asked) ==
          "2 elements of a processor at once need all its ports; take --ports all, or --k 1");
    asked.parameters["k"] = std::int64_t{1};
    CHECK(requests::run(name, asked).correct);
  }
}

TEST_CASE("multiway-merge takes the rows that fit the hypercube", "[sorting]") {
  CHECK(whole(merged_rightly("multiway-merge", "hypercube:5", {{"l", std::int64_t{2}}}), "m") == 1);
  CHECK(whole(merged_rightly("multiway-merge", "hypercube:5",
                             {{"l", std::int64_t{1}}, {"m", std::string("3")}}),
              "m") == 3);
  CHECK_THAT(refusal_of_sort("multiway-merge", "hypercube:5", {{"m", std::string("2")}}),
             has_text("l = 1 and m = 2 need a hypercube of 2l + m dimensions"));
  CHECK(refusal_of_sort("multiway-merge", "hypercube:5", {{"m", std::string("1x")}}) ==
        "m: '1x' is not auto or a number of dimensions, 0 to 30");
  CHECK_THAT(refusal_of_sort("multiway-merge", "hypercube:1"), has_text("take hypercube:4"));
}

TEST_CASE("multiway-merge takes one list, which it leaves as it is", "[sorting]") {
  auto const one = merged_rightly("multiway-merge", "hypercube:3",
                                  {{"l", std::int64_t{0}}, {"k", std::int64_t{2}}});
  CHECK(whole(one, "m") == 3);
  CHECK(one.record.counts().steps == 0);
  CHECK(refusal_of_sort("multiway-merge", "hypercube:3", {{"l", std::int64_t{-1}}}) ==
        "l has to be at least 0, not -1");
}

TEST_CASE("fused sorts by several ways take the steps of the figure's formula", "[sorting]") {
  using lockstep::step_formulas;
  for (int d = 1; d <= 7; ++d)
    for (int l = 0; l < d; ++l)
      for (std::int64_t const k : {1, 3})
        for (bool const fused : {false, true}) {
          auto const run = merged_rightly("multiway-merge-sort", "hypercube:" + std::to_string(d),
                                          {{"k", k}, {"l", std::to_string(l)}, {"fused", fused}});
          INFO("k = " << k << ", l = " << l << ", fused " << fused);
          auto const by = fused ? step_formulas::fused : step_formulas::exact;
          auto const values = static_cast<double>(k);
          CHECK(static_cast<double>(run.record.counts().steps) ==
                (l == 0 ? merge_sort_steps(by, d, values) : multiway_sort_steps(by, d, l, values)));
        }
  auto const merged =
      merged_rightly("multiway-merge", "hypercube:6", {{"l", std::int64_t{2}}, {"fused", true}});
  CHECK(merged.record.counts().steps == 10 * 8 + 5 * 2 + 6 * 2 - 10);
}

TEST_CASE("multiway-merge-sort of no keys takes no steps", "[sorting]") {
  for (bool const fused : {false, true})
    for (std::string const l : {"", "2"}) {
      auto const none = merged_rightly("multiway-merge-sort", "hypercube:4",
                                       {{"n", std::int64_t{0}}, {"l", l}, {"fused", fused}});
      CHECK(whole(none, "n") == 0);
      CHECK(none.record.counts().rounds == 0);
    }
  CHECK(refusal_of_sort("multiway-merge-sort", "hypercube:4",
                        {{"n", std::int64_t{0}}, {"k", std::int64_t{1}}}) ==
        "--n and --k both say how many keys to sort; leave out one");
}

TEST_CASE("multiway-merge-sort reads n, k and rows as they are given", "[sorting]") {
  std::string const name = "multiway-merge-sort";
  auto const given =
      merged_rightly(name, "hypercube:5", {{"k", std::int64_t{6}}, {"l", std::string("2")}});
  CHECK(whole(given, "n") == 48);
  CHECK(whole(given, "k") == 6);
  CHECK(whole(given, "l") == 2);
  auto const about_p = merged_rightly(name, "hypercube:5", {{"k", std::int64_t{6}}});
  CHECK(whole(about_p, "l") == 2);
  CHECK(whole(about_p, "n") == 48);
  auto const chosen = merged_rightly(name, "hypercube:6", {{"n", std::int64_t{64}}});
  CHECK(whole(chosen, "l") == 3);
  CHECK(whole(chosen, "k") == 8);
  CHECK(chosen.record.counts() == merged_rightly(name, "hypercube:6").record.counts());
  auto const many = merged_rightly(name, "hypercube:3", {{"n", std::int64_t{1000}}});
  CHECK(whole(many, "l") == 0);
  CHECK(whole(many, "k") == 125);
  CHECK(refusal_of_sort(name, "hypercube:5", {{"n", std::int64_t{9}}, {"k", std::int64_t{9}}}) ==
        "--n and --k both say how many keys to sort; leave out one");
  CHECK_THAT(refusal_of_sort(name, "hypercube:2", {{"l", std::string("3")}}),
             has_text("l = 3 is not in 0 to 2"));
  CHECK_THAT(
      refusal_of_sort(name, "hypercube:2", {{"k", std::int64_t{2}}, {"l", std::string("3")}}),
      has_text("l = 3 is not in 0 to 2"));
}

TEST_CASE("a long sort or merge of the hypercube is not stopped by the limit of steps",
          "[sorting]") {
  auto const steps = [](std::string const& name, given_parameters given) {
    given["k"] = std::int64_t{40};
    auto asked = requests::make(name, "hypercube:2", given);
    asked.options.max_steps = 10;
    auto const result = requests::run(name, asked);
    check_right_sort(result);
    return result.record.counts().steps;
  };
  CHECK(steps("merge-sort", {}) == 4 * 40 * 2 + 3 * 4 - 2);
  CHECK(steps("multiway-merge-sort", {{"l", std::string("0")}}) == 4 * 40 * 2 + 3 * 4 - 2);
  CHECK(steps("bitonic-sort", {}) == 120);
  CHECK(steps("merge", {}) == 4 * 40 + 8 * 2 - 4);
}

TEST_CASE("a merge refuses more elements than there is memory for", "[sorting][memory]") {
  CHECK_THROWS_AS(requests::run("merge", "hypercube:20", {{"k", std::int64_t{50'000}}}),
                  lockstep::out_of_memory);
}

TEST_CASE("Batcher's sorts take all distributions, d and k, and the keys of a file tell k",
          "[sorting]") {
  temporary_file const input("4\n3\n2\n1\n0\n");
  for (std::string const name : {"bitonic-sort", "odd-even-merge-sort"}) {
    for (int d = 0; d <= 7; ++d)
      for (std::int64_t const k : {1, 2, 5})
        for (std::string const keys : {"R", "S", "C", "N"}) {
          auto const result = merged_rightly(name, "hypercube:" + std::to_string(d),
                                             {{"k", k}, {"distribution", keys}});
          CHECK(whole(result, "n") == k << d);
          auto const steps = name == "bitonic-sort" ? d * (d + 1) / 2 : d > 0 ? d * d + d - 1 : 0;
          CHECK(result.record.counts().steps == static_cast<std::uint64_t>(k * steps));
        }
    auto asked = requests::make(name, "hypercube:1");
    asked.input = input.path();
    auto const result = requests::run(name, asked);
    CHECK(whole(result, "k") == 3);
    CHECK(whole(result, "n") == 5);
    CHECK(result.record.counts().steps == 3);
    CHECK_THAT(refusal_of_sort(name, "crossbar:8"),
               has_text("crossbar:8 is not a hypercube; take hypercube:4, for example"));
  }
}

TEST_CASE("nassimi-sahni-sort sorts as many keys as it has columns, or fewer", "[sorting]") {
  std::string const name = "nassimi-sahni-sort";
  for (int d = 1; d <= 7; ++d)
    for (std::int64_t l = 1; l <= d; ++l)
      for (std::string const keys : {"R", "S", "C", "N"})
        CHECK(whole(merged_rightly(name, "hypercube:" + std::to_string(d),
                                   {{"l", l}, {"distribution", keys}}),
                    "n") == std::int64_t{1} << (d - l));
  temporary_file const five("5\n4\n3\n2\n1\n");
  auto asked = requests::make(name, "hypercube:4");
  asked.input = five.path();
  CHECK_THAT(refusal_of_sort(name, asked),
             has_text("hypercube:4 sorts at most 4 keys with l = 2, and there are 5"));
  CHECK_THAT(refusal_of_sort(name, "crossbar:8"), has_text("crossbar:8 is not a hypercube"));
  CHECK_THAT(refusal_of_sort(name, "hypercube:1"),
             has_text("2^2 lists at a time cannot be merged on hypercube:1"));
  CHECK_THAT(refusal_of_sort(name, "hypercube:4", {{"l", std::int64_t{0}}}),
             has_text("l has to be at least 1, not 0"));
}

TEST_CASE("merge-split sorts count their comparisons", "[sorting]") {
  auto const counts = [](std::string const& name, std::string const& on, std::int64_t k) {
    return merged_rightly(name, on, {{"k", k}}).record.counts();
  };
  CHECK(counts("bitonic-sort", "hypercube:4", 1).work == 10);  // d(d + 1)/2
  CHECK(counts("bitonic-sort", "hypercube:4", 1).operations == 16 * 10);
  // k in each merge-split, and the local sort.
  auto const of_many = counts("bitonic-sort", "hypercube:4", 64);
  CHECK(of_many.work > 64 * 10);
  CHECK(of_many.work < 64 * 10 + 64 * 8);
  CHECK(counts("odd-even-transposition-sort", "mesh:6", 1).work == 6);
  CHECK(counts("shear-sort", "mesh:4x4", 1).work > 0);
  CHECK(counts("odd-even-merge-sort", "hypercube:3", 1).work > 0);
}
