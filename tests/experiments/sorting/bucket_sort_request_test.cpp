#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/sorting/comparison_sort_requests.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::experiment_result;

namespace {

std::int64_t figure_in(experiment_result const& result, std::string const& figure) {
  return std::get<std::int64_t>(result.figures.at(figure));
}

/// The sort with its ways, each as parameters.
struct sort_and_ways {
  std::string name;
  std::vector<comparison_sorts::parameters> ways;
};

std::vector<sort_and_ways> const bucket_sorts{
    {"sample-sort", {{}, {{"even", true}}, {{"with-replacement", true}}}},
    {"median-sort", {{}, {{"way", std::string("random")}}}}};

/// What the sort writes for a file's content on any of its ways, or says of it.
std::string written_by(sort_and_ways const& sort, std::string const& content,
                       comparison_sorts::parameters const& format = {}) {
  std::string first;
  for (auto const& way : sort.ways) {
    auto given = way;
    given.insert(format.begin(), format.end());
    given["c"] = 9.0;
    auto const text = comparison_sorts::written(sort.name, content, given);
    if (&way != &sort.ways.front()) CHECK(text == first);
    first = text;
  }
  return first;
}

}  // namespace

TEST_CASE("sorts by buckets are right and keep their claims", "[sorting]") {
  for (auto const& sort : bucket_sorts)
    for (auto const& way : sort.ways)
      for (std::string const on : {"crossbar:1", "crossbar:2", "crossbar:5", "crossbar:16"})
        for (std::int64_t const n : {0, 1, 5, 16, 1000, 4096})
          for (std::string const keys : {"R", "S"}) {
            INFO(sort.name << " on " << on << ", n = " << n << ", keys " << keys);
            auto given = way;
            given["n"] = n;
            given["c"] = 64.0;
            given["distribution"] = keys;
            given["packet"] = std::int64_t{n == 1000 ? 16 : 1};
            comparison_sorts::check_right(comparison_sorts::run(sort.name, on, given));
          }
}

TEST_CASE("sample-sort sends what the theorem says, and tells its slots and buckets", "[sorting]") {
  auto const result =
      comparison_sorts::run("sample-sort", "crossbar:16", {{"n", std::int64_t{16'384}}});
  comparison_sorts::check_right(result);
  CHECK(result.record.counts().startups == 3);
  CHECK(result.record.counts().words == 15 * 49 + 2 * 15 * 192);
  CHECK(figure_in(result, "slot") == 192);
  CHECK(figure_in(result, "samples") == 49);
  CHECK(figure_in(result, "attempts") == 1);
  CHECK(figure_in(result, "redrawn") == 0);
  CHECK(figure_in(result, "largest_bucket") >= 1024);
  CHECK(figure_in(result, "largest_bucket") <= 2048);
  for (auto const& claimed : result.claims) CHECK(claimed.erratum.empty());
}

TEST_CASE("median-sort takes five start-ups on either way", "[sorting]") {
  for (std::string const way : {"direct", "random"}) {
    auto const result = comparison_sorts::run("median-sort", "crossbar:8",
                                              {{"n", std::int64_t{4096}}, {"way", way}});
    comparison_sorts::check_right(result);
    CHECK(result.record.counts().startups == 5);
    CHECK(figure_in(result, "largest_bucket") <= 1024);
    CHECK(result.figures.contains("slot") == (way == "random"));
    for (auto const& claimed : result.claims) CHECK(claimed.erratum.empty());
  }
}

TEST_CASE("the paper's bound on median sort fails with packets, and says why", "[sorting]") {
  auto const result = comparison_sorts::run("median-sort", "crossbar:4",
                                            {{"n", std::int64_t{80}},
                                             {"way", std::string("random")},
                                             {"tau", std::int64_t{50}},
                                             {"packet", std::int64_t{16}}});
  bool fails = false;
  for (auto const& claimed : result.claims) {
    if (claimed.figure != "time") continue;
    CHECK(claimed.value() == 426);
    fails = !holds(claimed, measured_for(claimed, result));
    CHECK_THAT(claimed.erratum, has_text("only where m = 1"));
  }
  CHECK(fails);
}

TEST_CASE("sorts by buckets sort files of any numbers", "[sorting]") {
  for (auto const& sort : bucket_sorts) {
    INFO(sort.name);
    CHECK(written_by(sort, "").empty());
    CHECK(written_by(sort, "5") == "5\n");
    CHECK(written_by(sort, "3\n-1\n3\n0\n-7") == "-7\n-1\n0\n3\n3\n");
    CHECK(written_by(sort, "2.5\n-1e3\n0.125\n") == "-1000\n0.125\n2.5\n");
    CHECK(written_by(sort, "18446744073709551615\n0\n") == "0\n18446744073709551615\n");
    CHECK_THAT(written_by(sort, "1\nnan\n"), has_text(":2"));
    CHECK_THAT(written_by(sort, "1\ntwo\n"), has_text(":2: \"two\""));
    CHECK_THAT(written_by(sort, "12345", {{"format", "float32"}}), has_text("5 bytes"));
  }
}

TEST_CASE("a file may be sorted by buckets into itself", "[sorting]") {
  for (auto const& sort : bucket_sorts) {
    temporary_file const file("2\n3\n1");
    auto request = sort_request(sort.name, "crossbar:2", {});
    request.input = file.path();
    request.output = file.path();
    CHECK(lockstep::find_experiment(sort.name)->run(request).correct);
    CHECK(file.content() == "1\n2\n3\n");
  }
}

TEST_CASE("sorts by buckets refuse what they cannot do, with a remedy", "[sorting]") {
  for (auto const& sort : bucket_sorts) comparison_sorts::check_refusals(sort.name);
  auto const refused = [](std::string const& name, comparison_sorts::parameters const& given) {
    return comparison_sorts::refusal(name, sort_request(name, "crossbar:16", given));
  };
  // Slots of so few keys overflow.
  for (std::string const name : {"sample-sort", "median-sort"}) {
    comparison_sorts::parameters given{{"n", std::int64_t{256}}};
    if (name == "median-sort") given["way"] = std::string("random");
    CHECK_THAT(refused(name, given),
               has_text("slots of 3 elements overflow in each of 20 draws; take a larger c"));
    given["c"] = 12.0;
    CHECK(refused(name, given) == "not refused");
    given["c"] = 0.0;
    CHECK_THAT(refused(name, given), has_text("c has to be positive"));
  }
}
