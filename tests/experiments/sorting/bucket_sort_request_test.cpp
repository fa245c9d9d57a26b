#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::experiment_request;
using lockstep::experiment_result;
using lockstep::parameter_value;

namespace {

using values = std::map<std::string, parameter_value>;

experiment_request bucket_sort_request(std::string const& name, std::string const& on,
                                       values const& given = {}) {
  experiment_request asked{.network = lockstep::parse(on)};
  for (auto const& taken : lockstep::find_experiment(name)->parameters)
    asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  for (auto const& [parameter, value] : given) asked.parameters[parameter] = value;
  return asked;
}

experiment_result bucket_sort(std::string const& name, std::string const& on,
                              values const& given = {}) {
  return lockstep::find_experiment(name)->run(bucket_sort_request(name, on, given));
}

std::int64_t figure_in(experiment_result const& result, std::string const& figure) {
  return std::get<std::int64_t>(result.figures.at(figure));
}

void check_bucket_sort(experiment_result const& result) {
  CHECK(result.correct);
  CHECK(result.claims.size() >= 4);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured_for(claimed, result));
    CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
  }
}

std::string refusal_of_bucket_sort(std::string const& name, experiment_request const& asked) {
  try {
    static_cast<void>(lockstep::find_experiment(name)->run(asked));
  } catch (lockstep::invalid_argument const& refused) {
    return refused.message();
  } catch (lockstep::bad_input const& bad) {
    std::string const text = bad.what();
    return text.substr(asked.input->string().size());
  }
  return "not refused";
}

/// The sort with its ways, each as parameters.
struct sort_and_ways {
  std::string name;
  std::vector<values> ways;
};

std::vector<sort_and_ways> const bucket_sorts{
    {"sample-sort", {{}, {{"even", true}}, {{"with-replacement", true}}}},
    {"median-sort", {{}, {{"way", "random"}}}}};

/// What the sort writes for a file's content.
std::string written_by(sort_and_ways const& sort, std::string const& content,
                       values const& format = {}) {
  std::string first;
  for (auto const& way : sort.ways) {
    temporary_file const input(content);
    temporary_file const output("as before");
    auto asked = bucket_sort_request(sort.name, "crossbar:3", way);
    for (auto const& [name, value] : format) asked.parameters[name] = value;
    asked.parameters["c"] = 9.0;
    asked.input = input.path();
    asked.output = output.path();
    auto const refused = refusal_of_bucket_sort(sort.name, asked);
    if (refused != "not refused") {
      CHECK(output.content() == "as before");
      return refused;
    }
    if (!first.empty()) CHECK(output.content() == first);
    first = output.content();
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
            check_bucket_sort(bucket_sort(sort.name, on, given));
          }
}

TEST_CASE("sample-sort sends what the theorem says, and tells its slots and buckets", "[sorting]") {
  auto const result = bucket_sort("sample-sort", "crossbar:16", {{"n", std::int64_t{16'384}}});
  check_bucket_sort(result);
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
    auto const result =
        bucket_sort("median-sort", "crossbar:8", {{"n", std::int64_t{4096}}, {"way", way}});
    check_bucket_sort(result);
    CHECK(result.record.counts().startups == 5);
    CHECK(figure_in(result, "largest_bucket") <= 1024);
    CHECK(result.figures.contains("slot") == (way == "random"));
    for (auto const& claimed : result.claims) CHECK(claimed.erratum.empty());
  }
}

TEST_CASE("the paper's bound on median sort fails with packets, and says why", "[sorting]") {
  auto const result = bucket_sort("median-sort", "crossbar:4",
                                  {{"n", std::int64_t{80}},
                                   {"way", "random"},
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
    auto asked = bucket_sort_request(sort.name, "crossbar:2");
    asked.input = file.path();
    asked.output = file.path();
    CHECK(lockstep::find_experiment(sort.name)->run(asked).correct);
    CHECK(file.content() == "1\n2\n3\n");
  }
}

TEST_CASE("sorts by buckets refuse what they cannot do, with a remedy", "[sorting]") {
  auto const refused = [](std::string const& name, std::string const& on, values const& given) {
    return refusal_of_bucket_sort(name, bucket_sort_request(name, on, given));
  };
  for (auto const& sort : bucket_sorts) {
    INFO(sort.name);
    CHECK_THAT(refused(sort.name, "hypercube:3", {}), has_text("crossbar:8"));
    CHECK_THAT(refused(sort.name, "crossbar:2", {{"format", "csv"}}), has_text("'csv'"));
    CHECK_THROWS_AS(bucket_sort(sort.name, "crossbar:1000000000"), lockstep::out_of_memory);
  }
  // Slots of so few keys overflow.
  for (auto const& [name, given] :
       {sort_and_ways{"sample-sort", {{{"n", std::int64_t{256}}}}},
        sort_and_ways{"median-sort", {{{"n", std::int64_t{256}}, {"way", "random"}}}}}) {
    CHECK_THAT(refused(name, "crossbar:16", given.front()),
               has_text("slots of 3 elements overflow in each of 20 draws; take a larger c"));
    auto more = given.front();
    more["c"] = 12.0;
    CHECK(refused(name, "crossbar:16", more) == "not refused");
    more["c"] = 0.0;
    CHECK_THAT(refused(name, "crossbar:16", more), has_text("c has to be positive"));
  }
}
