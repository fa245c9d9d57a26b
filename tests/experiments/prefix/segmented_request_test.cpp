#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "catch.hpp"
#include "check_claims.hpp"
#include "complaint_of.hpp"
#include "experiments/requests.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::experiment_request;
using lockstep::parameter_value;

namespace {

using parameters = std::map<std::string, parameter_value>;

/// The numbers of Mayr and Plaxton's section 1, of which the third and the last begin intervals.
constexpr auto example = "begins,x\n0,5\n0,2\n1,6\n0,4\n1,9\n";

experiment_request request_for(std::string const& name, std::string const& on,
                               temporary_file const& input, temporary_file const* output,
                               parameters values = {}) {
  values.emplace("column", "x");
  values.emplace("begins", "begins");
  auto asked = requests::make(name, on, std::move(values));
  asked.input = input.path();
  if (output != nullptr) asked.output = output->path();
  return asked;
}

/// What a run on this text writes.
std::string written(std::string const& name, std::string const& on, std::string const& text,
                    parameters values = {}) {
  temporary_file const input(text);
  temporary_file const output;
  auto const result = lockstep::find_experiment(name)->run(
      request_for(name, on, input, &output, std::move(values)));
  reference::check_result(result);
  return output.content();
}

std::string complaint(std::string const& text, parameters values = {}) {
  temporary_file const input(text);
  auto const said = reference::complaint_of([&] {
    return lockstep::find_experiment("segmented-prefix")
        ->run(request_for("segmented-prefix", "hypercube:2", input, nullptr, std::move(values)));
  });
  return said.starts_with(input.path().string()) ? said.substr(input.path().string().size()) : said;
}

}  // namespace

TEST_CASE("the paper's example of section 1, typed in", "[segmented_request][sanitize]") {
  for (auto const* const on :
       {"hypercube:3", "hypercube:1", "tree:2", "tree:4", "shuffle-exchange:3"}) {
    INFO(on);
    CHECK(written("segmented-prefix", on, example) == "x,prefix\n5,5\n2,7\n6,6\n4,10\n9,9\n");
    CHECK(written("data-distribution", on, example) == "x,prefix\n5,5\n2,5\n6,6\n4,6\n9,9\n");
    CHECK(written("segmented-prefix", on, example, {{"operator", "min"}}) ==
          "x,prefix\n5,5\n2,2\n6,6\n4,4\n9,9\n");
  }
}

TEST_CASE("intervals of a file in double precision, over blocks", "[segmented_request]") {
  std::string text = "begins,x\n";
  std::string expected = "x,prefix\n";
  for (int row = 0; row < 400; ++row) {
    text += fmt::format("{},{}.5\n", row % 7 == 0 ? 1 : 0, row);
    double sum = 0;
    for (int each = row / 7 * 7; each <= row; ++each) sum += each + 0.5;
    expected += fmt::format("{}.5,{}\n", row, sum);
  }
  for (auto const* const on : {"hypercube:4", "tree:3", "shuffle-exchange:2"})
    CHECK(written("segmented-prefix", on, text) == expected);
  CHECK(written("segmented-prefix", "tree:2", "begins,x\n") == "x,prefix\n");
}

TEST_CASE("only sums of intervals have to fit", "[segmented_request]") {
  constexpr auto largest = "9223372036854775807";
  CHECK(written("segmented-prefix", "hypercube:1",
                fmt::format("begins,x\n0,{0}\n1,{0}\n1,1\n", largest)) ==
        fmt::format("x,prefix\n{0},{0}\n{0},{0}\n1,1\n", largest));
  CHECK(complaint(fmt::format("begins,x\n0,1\n1,{}\n0,1\n", largest)) ==
        ": rows 2 to 3 have a sum that does not fit into 64 bits; write the numbers with \".0\" "
        "behind them, and all are added in double precision");
}

TEST_CASE("files of intervals that cannot be used", "[segmented_request]") {
  CHECK(complaint(example, {{"begins", ""}}) ==
        "segmented-prefix: --input needs --begins COLUMN, whose numbers are 1 where an interval "
        "begins, and else 0");
  CHECK(complaint(example, {{"begins", "x"}}) ==
        ": \"x\" has 5 in row 1; write 1 where an interval begins, and else 0");
  CHECK(complaint("begins,x\n0.5,1\n") ==
        ": \"begins\" has 0.5 in row 1; write 1 where an interval begins, and else 0");
  CHECK(complaint(example, {{"scheme", "halving"}}) ==
        "segmented-prefix: --scheme is for k at once; leave it out, or the input file");
  CHECK(requests::refusal("segmented-prefix", "hypercube:2", {{"begins", "x"}}) ==
        "--begins needs --input FILE");
  CHECK(requests::refusal("data-distribution", "hypercube:2", {{"column", "x"}}) ==
        "--column needs --input FILE");
}

TEST_CASE("k at once, with the paper's counts, on all three networks", "[segmented_request]") {
  using lockstep::ports;
  for (auto const* const name : {"segmented-prefix", "data-distribution"})
    for (auto const* const on : {"tree:5", "hypercube:5", "shuffle-exchange:5"})
      for (auto const with : {ports::one, ports::all})
        for (int const k : {2, 9, 40}) {
          auto asked = requests::make(name, on, {{"k", k}});
          asked.options.ports = with;
          auto const result = lockstep::find_experiment(name)->run(asked);
          INFO(name << " on " << on << ", k = " << k);
          reference::check_result(result);
          auto const& figures = result.record.counts();
          CHECK(figures.steps >= static_cast<unsigned>(k) / 5);
          bool is_claimed = false;
          for (auto const& each : result.claims)
            is_claimed = is_claimed ||
                         (each.source.starts_with("Mayr and Plaxton") && each.figure == "steps");
          CHECK(is_claimed);
        }
}

TEST_CASE("prefixes at once of every kind and operator", "[segmented_request]") {
  for (auto const* const on : {"tree:4", "hypercube:4", "shuffle-exchange:3"})
    for (auto const* const kind : {"inclusive", "exclusive", "backward", "backward-exclusive"})
      for (auto const* const operation : {"add", "min", "max", "first", "last"}) {
        parameters const values{{"k", 5}, {"kind", kind}, {"operator", operation}};
        bool const has_identity =
            std::string(operation) != "first" && std::string(operation) != "last";
        INFO(on << ", " << kind << ", " << operation);
        if (!has_identity && std::string(kind).ends_with("exclusive")) {
          CHECK(
              requests::refusal("pipelined-prefix", on, values)
                  .starts_with("pipelined-prefix: " + std::string(operation) + " has no identity"));
          continue;
        }
        auto const result = lockstep::find_experiment("pipelined-prefix")
                                ->run(requests::make("pipelined-prefix", on, values));
        reference::check_result(result);
      }
}

TEST_CASE("an operator that drops values refutes nothing", "[segmented_request]") {
  auto const evidence_of = [](std::string const& name, char const* operation) {
    auto const result = lockstep::find_experiment(name)->run(
        requests::make(name, "tree:4", {{"k", 64}, {"operator", operation}}));
    std::string evidence;
    for (auto const& each : result.claims) evidence += each.evidence;
    return evidence;
  };
  for (auto const* const name : {"pipelined-prefix", "segmented-prefix"}) {
    CHECK_FALSE(evidence_of(name, "add").empty());
    CHECK(evidence_of(name, "first").empty());
    CHECK(evidence_of(name, "last").empty());
  }
}
