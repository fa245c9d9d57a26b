#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "algorithms/prefix/prefix_samples.hpp"
#include "catch.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::experiment_request;
using lockstep::experiment_result;
using lockstep::parameter_value;
using lockstep::prefix_kind;

namespace {

constexpr auto largest_number = std::numeric_limits<std::int64_t>::max();
constexpr auto smallest_number = std::numeric_limits<std::int64_t>::min();

std::string name_of(prefix_kind kind) {
  switch (kind) {
    case prefix_kind::inclusive:
      return "inclusive";
    case prefix_kind::exclusive:
      return "exclusive";
    case prefix_kind::backward:
      return "backward";
    case prefix_kind::backward_exclusive:
      break;
  }
  return "backward-exclusive";
}

/// What is asked of the command line without a file, or with one.
experiment_request request_for(std::string const& on, std::string const& operation = "add",
                               prefix_kind kind = prefix_kind::inclusive) {
  experiment_request asked{.network = lockstep::parse(on)};
  asked.parameters = {{"seed", std::int64_t{1}},
                      {"kind", name_of(kind)},
                      {"operator", operation},
                      {"column", std::string()}};
  return asked;
}

experiment_result run(experiment_request const& asked) {
  return lockstep::find_experiment("prefix")->run(asked);
}

std::string complaint_about(experiment_request const& asked) {
  try {
    (void)run(asked);
  } catch (std::exception const& bad) {
    return bad.what();
  }
  return "nothing";
}

/// The second of the numbers in each line after the first.
template <class Number>
std::vector<Number> second_column(std::string const& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  std::vector<Number> column;
  while (std::getline(in, line)) {
    Number number{};
    std::istringstream(line.substr(line.find(',') + 1)) >> number;
    column.push_back(number);
  }
  return column;
}

template <class Number>
struct sample_operator {
  std::string name;
  Number (*plus)(Number, Number);
  Number identity{};
  bool has_identity = true;
};

template <class Number>
std::vector<sample_operator<Number>> operators() {
  using limits = std::numeric_limits<Number>;
  return {{"add", [](Number a, Number b) { return a + b; }, Number{0}},
          {"min", [](Number a, Number b) { return std::min(a, b); }, limits::max()},
          {"max", [](Number a, Number b) { return std::max(a, b); }, limits::lowest()},
          {"first", [](Number a, Number) { return a; }, Number{}, false},
          {"last", [](Number, Number b) { return b; }, Number{}, false}};
}

template <class Number>
std::string as_csv(std::vector<Number> const& numbers) {
  std::string text = "id,\"x, y\"\n";
  for (std::size_t row = 0; row < numbers.size(); ++row)
    text += fmt::format("{},{}\n", row, numbers[row]);
  return text;
}

void check_claims(experiment_result const& result, std::size_t rows, std::size_t processors) {
  CHECK(result.correct);
  int exact = 0;
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " = " << claimed.formula << " = " << claimed.value());
    CHECK(holds(claimed, result.record.counts()));
    if (claimed.bound == lockstep::comparison::equal) ++exact;
  }
  CHECK(exact == 5);  // steps, start-ups, words, messages, volume
  CHECK(result.figures.at("rows") == parameter_value(static_cast<std::int64_t>(rows)));
  auto const block = (rows + processors - 1) / processors;
  CHECK(result.figures.at("block") == parameter_value(static_cast<std::int64_t>(block)));
}

/// All operators and kinds on a column of these numbers; sums must be exact, in any order.
template <class Number>
void check_all_prefixes(std::string const& on, lockstep::engine engine,
                        std::vector<Number> const& numbers) {
  temporary_file const input(as_csv(numbers));
  temporary_file const output;
  for (auto const& [name, plus, identity, has_identity] : operators<Number>())
    for (auto const kind : all_prefix_kinds) {
      if (!has_identity && !lockstep::is_inclusive(kind)) continue;
      auto asked = request_for(on, name, kind);
      asked.parameters["column"] = std::string("x, y");
      asked.options.engine = engine;
      asked.input = input.path();
      asked.output = output.path();
      INFO(on << ", " << numbers.size() << " rows, " << name << ", " << name_of(kind));
      auto const result = run(asked);
      check_claims(result, numbers.size(), static_cast<std::size_t>(asked.network->size()));
      CHECK(result.parameters.at("column") == parameter_value(std::string("x, y")));
      auto const text = output.content();
      CHECK(text.starts_with("\"x, y\",prefix\n"));
      CHECK((second_column<Number>(text) == scanned(numbers, kind, identity, plus)));
    }
}

std::vector<std::int64_t> random_numbers(std::size_t count) {
  std::mt19937_64 random(61);
  std::vector<std::int64_t> numbers(count);
  for (auto& each : numbers) each = static_cast<std::int64_t>(random() >> 12U) - (1LL << 51U);
  return numbers;
}

void check_network(std::string const& on, lockstep::engine engine) {
  auto const p = static_cast<std::size_t>(lockstep::parse(on)->size());
  for (auto const count : {std::size_t{0}, std::size_t{1}, p - 1, p, p + 1, std::size_t{1000}})
    check_all_prefixes(on, engine, random_numbers(count));
}

void check_networks(std::string const& network) {
  for (int d = 1; d <= 6; ++d)
    check_network(fmt::format("{}:{}", network, d), lockstep::engine::fibers);
}

}  // namespace

TEST_CASE("prefixes of a column of whole numbers, on trees", "[prefix_request]") {
  check_networks("tree");
}

TEST_CASE("prefixes of a column of whole numbers, on hypercubes", "[prefix_request]") {
  check_networks("hypercube");
}

TEST_CASE("prefixes of a column of whole numbers, on shuffle-exchanges", "[prefix_request]") {
  check_networks("shuffle-exchange");
}

TEST_CASE("prefixes of a column on processors that are threads", "[prefix_request]") {
  for (auto const* const on : {"tree:1", "tree:4", "hypercube:3", "shuffle-exchange:4"})
    check_network(on, lockstep::engine::threads);
}

TEST_CASE("prefixes of a short column", "[prefix_request][sanitize]") {
  for (auto const* const on : {"tree:2", "hypercube:2", "shuffle-exchange:2"})
    check_all_prefixes(on, lockstep::engine::fibers, random_numbers(7));
}

TEST_CASE("prefixes of a short column on processors that are threads",
          "[prefix_request][threads]") {
  for (auto const* const on : {"tree:2", "hypercube:2", "shuffle-exchange:2"})
    check_all_prefixes(on, lockstep::engine::threads, random_numbers(7));
}

TEST_CASE("prefixes of a column in double precision", "[prefix_request]") {
  std::vector<double> eighths;  // their sums are exact
  for (auto const number : random_numbers(333))
    eighths.push_back(static_cast<double>(number % 100'000) / 8);
  eighths[0] = 0.125;
  temporary_file const input(as_csv(eighths));
  temporary_file const output;
  for (auto const* const on : {"tree:3", "hypercube:4", "shuffle-exchange:3"})
    for (auto const kind : all_prefix_kinds) {
      auto asked = request_for(on, "add", kind);
      asked.parameters["column"] = std::string("x, y");
      asked.input = input.path();
      asked.output = output.path();
      INFO(on << ", " << name_of(kind));
      check_claims(run(asked), 333, static_cast<std::size_t>(asked.network->size()));
      CHECK((second_column<double>(output.content()) ==
             scanned(eighths, kind, 0.0, std::plus<double>{})));
    }
}

TEST_CASE("sums in double precision that depend on the order of additions", "[prefix_request]") {
  std::mt19937_64 random(67);
  std::normal_distribution<double> normal(0, 1);
  std::string text = "x\n";
  for (int row = 0; row < 5000; ++row) text += fmt::format("{}\n", normal(random));
  temporary_file const input(text);
  for (auto const* const on : {"tree:6", "hypercube:6", "shuffle-exchange:6"})
    for (auto const kind : all_prefix_kinds) {
      auto asked = request_for(on, "add", kind);
      asked.input = input.path();
      INFO(on << ", " << name_of(kind));
      CHECK(run(asked).correct);
    }
}

TEST_CASE("the identity in double precision is infinite", "[prefix_request]") {
  temporary_file const input("x\n1.5\n-2\n");
  temporary_file const output;
  auto const written = [&](std::string const& operation) {
    auto asked = request_for("hypercube:2", operation, prefix_kind::exclusive);
    asked.input = input.path();
    asked.output = output.path();
    CHECK(run(asked).correct);
    return output.content();
  };
  CHECK(written("min") == "x,prefix\n1.5,inf\n-2,1.5\n");
  CHECK(written("max") == "x,prefix\n1.5,-inf\n-2,1.5\n");
  CHECK(written("add") == "x,prefix\n1.5,0\n-2,1.5\n");
}

TEST_CASE("prefixes that fit are right even where sums of blocks do not fit",
          "[prefix_request][sanitize]") {
  temporary_file const input(
      "x\n-9000000000000000000\n0\n9000000000000000000\n9000000000000000000\n");
  temporary_file const output;
  for (auto const* const on : {"hypercube:1", "tree:2", "shuffle-exchange:1"}) {
    auto asked = request_for(on);
    asked.input = input.path();
    asked.output = output.path();
    INFO(on);
    CHECK(run(asked).correct);
    CHECK(second_column<std::int64_t>(output.content()) ==
          std::vector<std::int64_t>{-9000000000000000000, -9000000000000000000, 0,
                                    9000000000000000000});
  }
}

TEST_CASE("the result has the column and its prefixes, under names of their own",
          "[prefix_request]") {
  temporary_file const file("x\n1\n2\n");
  auto asked = request_for("tree:2");
  asked.input = asked.output = file.path();  // in place
  auto const result = run(asked);
  CHECK(result.parameters.at("column") == parameter_value(std::string("x")));
  CHECK(file.content() == "x,prefix\n1,1\n2,3\n");
  asked.parameters["column"] = std::string("prefix");
  CHECK(run(asked).correct);
  CHECK(file.content() == "prefix,prefix of prefix\n1,1\n3,4\n");
  temporary_file const link;
  std::filesystem::create_symlink(file.path(), link.path());
  asked.output = link.path();  // in place, too, and written there
  CHECK(run(asked).correct);
  CHECK(std::filesystem::is_symlink(link.path()));
  CHECK(file.content() == "prefix,prefix of prefix\n1,1\n3,4\n");
}

TEST_CASE("no rows have no prefixes", "[prefix_request]") {
  temporary_file const input("x,y\n");
  temporary_file const output;
  auto asked = request_for("hypercube:3", "last", prefix_kind::backward);
  asked.parameters["column"] = std::string("y");
  asked.input = input.path();
  asked.output = output.path();
  check_claims(run(asked), 0, 8);
  CHECK(output.content() == "y,prefix\n");
}

TEST_CASE("prefixes of made numbers are written, too", "[prefix_request]") {
  temporary_file const output;
  for (auto const kind : all_prefix_kinds) {
    auto asked = request_for("hypercube:3", "add", kind);
    asked.parameters["seed"] = std::int64_t{5};
    asked.output = output.path();
    auto const result = run(asked);
    CHECK(result.correct);
    CHECK(result.figures.empty());
    std::mt19937_64 random(5);
    std::vector<std::int64_t> numbers(8);
    for (auto& each : numbers) each = static_cast<std::int64_t>(random() % 2001) - 1000;
    std::string expected = "prefix\n";
    for (auto const each : scanned(numbers, kind, std::int64_t{0}, std::plus<std::int64_t>{}))
      expected += fmt::format("{}\n", each);
    CHECK(output.content() == expected);
  }
}

TEST_CASE("requests that cannot be served leave the output file as it is", "[prefix_request]") {
  temporary_file const input(fmt::format("x\n{}\n1\n{}\n", largest_number, smallest_number));
  temporary_file const output("as it was");
  temporary_file const link;
  std::filesystem::create_symlink(output.path(), link.path());
  auto const check = [&](experiment_request asked, std::string const& complaint) {
    for (auto const& to : {output.path(), link.path()}) {
      asked.output = to;
      CHECK(complaint_about(asked) == complaint);
      CHECK(output.content() == "as it was");
    }
  };
  auto with_file = request_for("hypercube:2");
  with_file.input = input.path();
  auto asked = with_file;
  auto const name = input.path().string();
  check(asked,
        name +
            ": rows 1 to 2 have a sum that does not fit into 64 bits; write the numbers with "
            "\".0\" behind them, and all are added in double precision");
  asked.parameters["column"] = std::string("y");
  check(asked, name + R"(: has no column "y"; there are: "x")");
  asked.input.reset();
  check(asked, "--column needs --input FILE");
  asked = with_file;
  asked.network = lockstep::parse("torus:4");
  check(asked,
        "prefix: torus:4 is not a tree, hypercube or shuffle-exchange; take tree:4, hypercube:4 or "
        "shuffle-exchange:4, for example");
  asked.input.reset();
  check(asked,
        "prefix: torus:4 is not a tree, hypercube or shuffle-exchange; take tree:4, hypercube:4 or "
        "shuffle-exchange:4, for example");
  for (auto const* const operation : {"first", "last"}) {
    asked = request_for("hypercube:2", operation, prefix_kind::backward_exclusive);
    asked.input = input.path();
    check(asked, "prefix: " + std::string(operation) +
                     " has no identity, which an exclusive prefix begins with; take --kind "
                     "inclusive or backward, or --operator add, min or max");
  }
}

TEST_CASE("an output file that cannot be written is found before anything runs",
          "[prefix_request]") {
  struct counter : lockstep::observer {
    void message(lockstep::message_record const&) override { ++messages; }
    int messages = 0;
  } watching;
  std::vector<lockstep::observer*> const observers{&watching};
  temporary_file const input("x\n1\n");
  auto asked = request_for("hypercube:2");
  asked.observers = observers;
  asked.output = "/nowhere/prefixes.csv";
  auto const complaint =
      "/nowhere/prefixes.csv: cannot be written: No such file or directory; name a file that can "
      "be";
  CHECK(complaint_about(asked) == complaint);
  asked.input = input.path();
  CHECK(complaint_about(asked) == complaint);
  CHECK(watching.messages == 0);
  asked.output.reset();
  CHECK(run(asked).correct);
  CHECK(watching.messages == 8);
}
