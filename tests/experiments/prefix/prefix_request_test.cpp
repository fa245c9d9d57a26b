#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "algorithms/prefix/prefix_samples.hpp"
#include "catch.hpp"
#include "check_claims.hpp"
#include "complaint_of.hpp"
#include "experiments/requests.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::experiment_request;
using lockstep::experiment_result;
using lockstep::parameter_value;
using lockstep::prefix_kind;

namespace {

/// What is asked of the command line, without files or with them.
experiment_request request_for(std::string const& on, std::string const& operation = "add",
                               prefix_kind kind = prefix_kind::inclusive,
                               temporary_file const* input = nullptr,
                               temporary_file const* output = nullptr) {
  constexpr std::array kinds{"inclusive", "exclusive", "backward", "backward-exclusive"};
  auto asked = requests::make(
      "prefix", on, {{"kind", kinds.at(static_cast<std::size_t>(kind))}, {"operator", operation}});
  if (input != nullptr) asked.input = input->path();
  if (output != nullptr) asked.output = output->path();
  return asked;
}

experiment_result run(experiment_request const& asked) {
  return lockstep::find_experiment("prefix")->run(asked);
}

/// The second of the numbers in each line after the first.
template <class Number>
std::vector<Number> second_column(std::string const& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  std::vector<Number> column;
  while (std::getline(in, line))
    std::istringstream(line.substr(line.find(',') + 1)) >> column.emplace_back();
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
sample_operator<Number> const sum_operator{"add", [](Number a, Number b) { return a + b; }};

std::vector<sample_operator<std::int64_t>> whole_operators() {
  using number = std::int64_t;
  using limits = std::numeric_limits<number>;
  return {sum_operator<number>,
          {"min", [](number a, number b) { return std::min(a, b); }, limits::max()},
          {"max", [](number a, number b) { return std::max(a, b); }, limits::lowest()},
          {"first", [](number a, number) { return a; }, 0, false},
          {"last", [](number, number b) { return b; }, 0, false}};
}

void check_rows(experiment_result const& result, std::size_t rows, std::size_t processors) {
  reference::check_result(result);
  // Steps, start-ups, words, messages, volume.
  CHECK(std::ranges::count(result.claims, lockstep::comparison::equal, &lockstep::claim::bound) ==
        5);
  CHECK(result.figures.at("rows") == parameter_value(static_cast<std::int64_t>(rows)));
  auto const block = (rows + processors - 1) / processors;
  CHECK(result.figures.at("block") == parameter_value(static_cast<std::int64_t>(block)));
}

/// All kinds by each operator on a column of these numbers; sums must be exact, in any order.
template <class Number>
void check_all_prefixes(std::string const& on, lockstep::engine engine,
                        std::vector<Number> const& numbers,
                        std::vector<sample_operator<Number>> const& operators) {
  std::string csv = "id,\"x, y\"\n";
  for (std::size_t row = 0; row < numbers.size(); ++row)
    csv += fmt::format("{},{}\n", row, numbers[row]);
  temporary_file const input(csv);
  temporary_file const output;
  for (auto const& [name, plus, identity, has_identity] : operators)
    for (auto const kind : all_prefix_kinds) {
      if (!has_identity && !lockstep::is_inclusive(kind)) continue;
      auto asked = request_for(on, name, kind, &input, &output);
      asked.parameters["column"] = "x, y";
      asked.options.engine = engine;
      INFO(on << ", " << numbers.size() << " rows, " << name << ", " << static_cast<int>(kind));
      auto const result = run(asked);
      check_rows(result, numbers.size(), static_cast<std::size_t>(asked.network->size()));
      CHECK(result.parameters.at("column") == parameter_value("x, y"));
      CHECK(output.content().starts_with("\"x, y\",prefix\n"));
      CHECK((second_column<Number>(output.content()) == scanned(numbers, kind, identity, plus)));
    }
}

std::vector<std::int64_t> random_numbers(std::size_t count) {
  std::mt19937_64 random(61);
  std::vector<std::int64_t> numbers(count);
  for (auto& each : numbers) each = static_cast<std::int64_t>(random() >> 12U) - (1LL << 51U);
  return numbers;
}

}  // namespace

TEST_CASE("prefixes of a column of whole numbers", "[prefix_request]") {
  using lockstep::engine;
  std::string const network = GENERATE("tree", "hypercube", "shuffle-exchange");
  for (int d = 1; d <= 6; ++d)
    for (auto const by : d == 1 || d == 4 ? std::vector{engine::fibers, engine::threads}
                                          : std::vector{engine::fibers}) {
      auto const on = fmt::format("{}:{}", network, d);
      auto const p = static_cast<std::size_t>(lockstep::parse(on)->size());
      for (auto const count : std::set<std::size_t>{0, 1, p - 1, p, p + 1, 1000})
        check_all_prefixes(on, by, random_numbers(count), whole_operators());
    }
}

TEST_CASE("prefixes of a short column", "[prefix_request][sanitize][threads]") {
  for (auto const* const on : {"tree:2", "hypercube:2", "shuffle-exchange:2"})
    for (auto const by : {lockstep::engine::fibers, lockstep::engine::threads})
      check_all_prefixes(on, by, random_numbers(7), whole_operators());
}

TEST_CASE("prefixes of a column in double precision", "[prefix_request]") {
  std::vector<double> eighths;  // their sums are exact
  for (auto const number : random_numbers(333))
    eighths.push_back(static_cast<double>(number % 100'000) / 8);
  eighths[0] = 0.125;
  for (auto const* const on : {"tree:3", "hypercube:4", "shuffle-exchange:3"})
    check_all_prefixes(on, lockstep::engine::fibers, eighths, {sum_operator<double>});
  std::mt19937_64 random(67);
  std::normal_distribution<double> normal(0, 1);
  std::string text = "x\n";  // sums of these depend on the order of additions
  for (int row = 0; row < 5000; ++row) text += fmt::format("{}\n", normal(random));
  temporary_file const input(text);
  for (auto const* const on : {"tree:6", "hypercube:6", "shuffle-exchange:6"})
    for (auto const kind : all_prefix_kinds)
      CHECK(run(request_for(on, "add", kind, &input)).correct);
}

TEST_CASE("the identity in double precision is infinite", "[prefix_request]") {
  temporary_file const input("x\n1.5\n-2\n");
  temporary_file const output;
  auto const [operation, identity] =
      GENERATE(table<std::string, std::string>({{"min", "inf"}, {"max", "-inf"}, {"add", "0"}}));
  CHECK(
      run(request_for("hypercube:2", operation, prefix_kind::exclusive, &input, &output)).correct);
  CHECK(output.content() == "x,prefix\n1.5," + identity + "\n-2,1.5\n");
}

TEST_CASE("prefixes that fit are right even where sums of blocks do not fit",
          "[prefix_request][sanitize]") {
  temporary_file const input(
      "x\n-9000000000000000000\n0\n9000000000000000000\n9000000000000000000\n");
  temporary_file const output;
  for (auto const* const on : {"hypercube:1", "tree:2", "shuffle-exchange:1"}) {
    INFO(on);
    CHECK(run(request_for(on, "add", prefix_kind::inclusive, &input, &output)).correct);
    CHECK(second_column<std::int64_t>(output.content()) ==
          std::vector<std::int64_t>{-9000000000000000000, -9000000000000000000, 0,
                                    9000000000000000000});
  }
}

TEST_CASE("the result has the column and its prefixes, under names of their own",
          "[prefix_request]") {
  temporary_file const file("x\n1\n2\n");
  auto asked = request_for("tree:2", "add", prefix_kind::inclusive, &file, &file);  // in place
  CHECK(run(asked).parameters.at("column") == parameter_value("x"));
  CHECK(file.content() == "x,prefix\n1,1\n2,3\n");
  asked.parameters["column"] = "prefix";
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
  auto asked = request_for("hypercube:3", "last", prefix_kind::backward, &input, &output);
  asked.parameters["column"] = "y";
  check_rows(run(asked), 0, 8);
  CHECK(output.content() == "y,prefix\n");
}

TEST_CASE("prefixes of made numbers are written, too", "[prefix_request]") {
  temporary_file const output;
  for (auto const kind : all_prefix_kinds) {
    auto asked = request_for("hypercube:3", "add", kind, nullptr, &output);
    asked.parameters["seed"] = 5;
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
  temporary_file const input("x\n9223372036854775807\n1\n-9223372036854775808\n");
  temporary_file const output("as it was");
  temporary_file const link;
  std::filesystem::create_symlink(output.path(), link.path());
  auto const check = [&](experiment_request asked, std::string const& complaint) {
    for (auto const& to : {output.path(), link.path()}) {
      asked.output = to;
      CHECK(reference::complaint_of([&] { return run(asked); }) == complaint);
      CHECK(output.content() == "as it was");
    }
  };
  auto const name = input.path().string();
  auto asked = request_for("hypercube:2", "add", prefix_kind::inclusive, &input);
  check(asked,
        name +
            ": rows 1 to 2 have a sum that does not fit into 64 bits; write the numbers with "
            "\".0\" behind them, and all are added in double precision");
  asked.parameters["column"] = "y";
  check(asked, name + R"(: has no column "y"; there are: "x")");
  asked.input.reset();
  check(asked, "--column needs --input FILE");
  for (auto const* const file : {&input, static_cast<temporary_file const*>(nullptr)})
    check(request_for("torus:4", "add", prefix_kind::inclusive, file),
          "prefix: torus:4 is not a tree, hypercube or shuffle-exchange; take tree:4, hypercube:4 "
          "or shuffle-exchange:4, for example");
  for (auto const* const operation : {"first", "last"})
    check(request_for("hypercube:2", operation, prefix_kind::backward_exclusive, &input),
          "prefix: " + std::string(operation) +
              " has no identity, which an exclusive prefix begins with; take --kind inclusive or "
              "backward, or --operator add, min or max");
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
  CHECK(reference::complaint_of([&] { return run(asked); }) == complaint);
  asked.input = input.path();
  CHECK(reference::complaint_of([&] { return run(asked); }) == complaint);
  CHECK(watching.messages == 0);
  asked.output.reset();
  CHECK(run(asked).correct);
  CHECK(watching.messages == 8);
}
