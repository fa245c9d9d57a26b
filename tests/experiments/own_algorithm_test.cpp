#include <cmath>
#include <cstdint>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/own_algorithm.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/parse.hpp>

#include "../catch.hpp"
#include "../cli/contains.hpp"
#include "core/cluster/thread_cluster.hpp"
#include "temporary_file.hpp"

// A user's algorithm as the value that a command line, tests and pages take.

using namespace lockstep;

namespace {

constexpr integer_parameter repeats{"m", "how often it is added up", 2, 1, 100};

long sum_of_all(processor& me) {
  long sum = me.rank();
  for (int bit = 1; bit < me.size(); bit *= 2) sum += me.exchange(me.rank() ^ bit, sum);
  return sum;
}

experiment_request on_cube() { return {.network = parse("hypercube:3")}; }

experiment_result run(experiment const& what, experiment_request const& asked = on_cube()) {
  return what.run(asked);
}

/// Says why `what` refuses the request.
std::string refusal(experiment const& what, experiment_request const& asked = on_cube()) {
  try {
    (void)what.run(asked);
  } catch (error const& refused) {
    return refused.message();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("own_algorithm: a name and a program are enough, and nothing is said to be checked") {
  experiment const sum = own_algorithm<long>{.name = "sum", .program = sum_of_all};
  CHECK(sum.topologies == "any network");
  CHECK(sum.examples == std::vector<std::string>{"crossbar:8"});
  CHECK(sum.teaching.on == "crossbar:8");
  CHECK_FALSE(sum.takes_files);
  CHECK(sum.writes_file);
  auto const result = run(sum);
  CHECK(result.record.counts().steps == 3);
  CHECK_FALSE(result.checked);
  CHECK_FALSE(result.correct);
  CHECK_FALSE(result.is_wrong());
}

TEST_CASE("own_algorithm: functions take as many arguments as they need") {
  own_algorithm<long, std::vector<long>> sum{.name = "sum"};
  sum.parameters = {repeats};
  sum.input = [](arguments const& given) {
    return std::vector<long>(static_cast<std::size_t>(given.processors()),
                             static_cast<long>(given[repeats]));
  };
  sum.program = [](processor& me, arguments const& given, std::vector<long> const& input) {
    return static_cast<long>(given[repeats]) * input[static_cast<std::size_t>(me.rank())] *
           sum_of_all(me);
  };
  sum.expected = [](arguments const& given, std::vector<long> const& input) {
    return std::vector<long>(input.size(), static_cast<long>(given[repeats]) * input.front() * 28);
  };
  sum.claims = [] { return std::vector<claim>{{.figure = "steps", .formula = "3", .value = 3}}; };
  auto asked = on_cube();
  asked.parameters["m"] = std::int64_t{5};
  auto const result = run(sum, asked);
  CHECK(result.correct);
  REQUIRE(result.claims.size() == 1);

  SECTION("and a program may ignore the input") {
    sum.program = [](processor& me) { return 25 * sum_of_all(me); };
    CHECK(run(sum, asked).correct);
    sum.program = [](processor& me, arguments const& given) {
      return static_cast<long>(given[repeats] * given[repeats]) * sum_of_all(me);
    };
    CHECK(run(sum, asked).correct);
  }
}

TEST_CASE("own_algorithm: a wrong result names the first processor that has one, and both values") {
  own_algorithm<long> sum{.name = "sum", .program = [](processor& me) {
                            return sum_of_all(me) + (me.rank() == 5 ? 1 : 0);
                          }};
  sum.expected = [] { return std::vector<long>(8, 28); };
  auto const wrong = run(sum);
  CHECK(wrong.is_wrong());
  CHECK(wrong.difference == "processor 5: 29, expected 28");

  sum.expected = [] { return std::vector<long>(7, 28); };
  CHECK(run(sum).difference == "7 results are expected, one from each of 8 processors");
}

TEST_CASE("own_algorithm: the text of a long value is cut off, and one that has no text left out") {
  own_algorithm<std::vector<int>> row{
      .name = "row", .program = [](processor&) { return std::vector<int>(1000, 7); }};
  row.expected = [] { return std::vector(8, std::vector<int>(1000, 8)); };
  auto const text = run(row).difference;
  CHECK(text.starts_with("processor 0: 7 7 7 "));
  CHECK(text.size() < 160);

  struct opaque {
    int value;
    bool operator==(opaque const&) const = default;
  };
  own_algorithm<opaque> hidden{.name = "hidden",
                               .program = [](processor& me) { return opaque{me.rank()}; }};
  hidden.expected = [] { return std::vector(8, opaque{0}); };
  CHECK(run(hidden).difference == "processor 1");
  CHECK_FALSE(experiment(hidden).writes_file);
}

TEST_CASE("own_algorithm: is_correct decides where == cannot, and values without == need it") {
  struct opaque {
    int value;
  };
  own_algorithm<opaque> hidden{.name = "hidden",
                               .program = [](processor& me) { return opaque{me.rank()}; }};
  hidden.expected = [] { return std::vector(8, opaque{0}); };
  CHECK(contains(refusal(hidden), "give is_correct"));
  hidden.expected = {};
  hidden.is_correct = [](std::vector<opaque> const& all) { return all[7].value == 7; };
  CHECK(run(hidden).correct);
  hidden.is_correct = [](std::vector<opaque> const& all) { return all[7].value == 8; };
  CHECK(run(hidden).is_wrong());
}

TEST_CASE("own_algorithm: formulas and claims are evaluated for the network and the parameters") {
  own_algorithm<long> sum{.name = "sum", .program = sum_of_all};
  sum.parameters = {repeats};
  sum.formulas = "from Grama and others 2003\n steps = log2 p\n words <= m log2 p";
  sum.claims = [] {
    return std::vector<claim>{
        {.figure = "volume",
         .formula = "p log2 p",
         .value = [](problem_instance const& at) { return at.p() * std::log2(at.p()); },
         .where = {{"m = 2", [](problem_instance const& at) { return at["m"] == 2; }}}}};
  };
  auto asked = on_cube();
  asked.parameters["m"] = std::int64_t{2};
  auto const result = run(sum, asked);
  REQUIRE(result.claims.size() == 3);
  CHECK(result.claims[0].value() == 3);
  CHECK(result.claims[0].source == "Grama and others 2003");
  CHECK(result.claims[1].value() == 6);
  CHECK(result.claims[1].bound == comparison::at_most);
  CHECK(result.claims[2].value() == 24);
  CHECK(result.claims[2].where[0].is_met());

  sum.formulas = "steps = how many";
  CHECK(contains(refusal(sum, asked), "how many"));
  CHECK(contains(refusal(sum, asked), "letters are p and the parameters that are numbers"));
  sum.formulas = "stepz = 3";
  CHECK(contains(refusal(sum, asked), "stepz"));
}

TEST_CASE("own_algorithm: bounds follow from the traffic, of results that are right") {
  own_algorithm<long> sum{.name = "sum", .program = sum_of_all};
  sum.traffic = [](arguments const& given) {
    return traffic_requirement{.taken_in = 2, .joined = std::uint64_t(given.processors())};
  };
  CHECK(run(sum).bounds.empty());
  sum.expected = [] { return std::vector<long>(8, 28); };
  auto const result = run(sum);
  auto const* const steps = strongest(result.bounds, "steps");
  REQUIRE(steps != nullptr);
  CHECK(steps->value == 3);
  CHECK(strongest(result.bounds, "words")->value == 2);
}

TEST_CASE("own_algorithm: a network that it does not support is refused before anything runs") {
  own_algorithm<long> sum{.name = "sum", .program = sum_of_all};
  bool was_made = false;
  sum.input = [&] {
    was_made = true;
    return no_input{};
  };
  sum.unsupported = [](topology const& on) -> std::string {
    if (dynamic_cast<hypercube const*>(&on) != nullptr) return {};
    return on.spec() + " is not a hypercube; take hypercube:3";
  };
  CHECK(run(sum).record.counts().steps == 3);
  was_made = false;
  CHECK(refusal(sum, {.network = parse("torus:8")}) ==
        "torus:8 is not a hypercube; take hypercube:3");
  CHECK_FALSE(was_made);
}

TEST_CASE("own_algorithm: what the program refuses is refused, other failures are the machine's") {
  own_algorithm<> picky{.name = "picky", .program = [](processor& me) {
                          if (me.rank() == 3) throw invalid_argument("m has to be even");
                        }};
  CHECK(refusal(picky) == "m has to be even");
  picky.program = [](processor& me) {
    if (me.rank() == 3) throw std::runtime_error("lost");
  };
  CHECK_THROWS_AS(run(picky), processor_failed);
}

TEST_CASE("own_algorithm: results are written, a line for each processor, or as write says") {
  temporary_file const file;
  own_algorithm<std::vector<long>> pairs{.name = "pairs", .program = [](processor& me) {
                                           return std::vector<long>{me.rank(), sum_of_all(me)};
                                         }};
  auto asked = on_cube();
  asked.output = file.path();
  (void)run(pairs, asked);
  CHECK(file.content() == "0 28\n1 28\n2 28\n3 28\n4 28\n5 28\n6 28\n7 28\n");

  pairs.write = [](std::ostream& out, std::vector<std::vector<long>> const& all) {
    out << all.size() << " pairs";
  };
  (void)run(pairs, asked);
  CHECK(file.content() == "8 pairs");

  SECTION("but those of a wrong result are not") {
    pairs.expected = [] { return std::vector<std::vector<long>>(8); };
    pairs.write = [](std::ostream& out) { out << "wrong"; };
    CHECK(run(pairs, asked).is_wrong());
    CHECK(file.content() == "8 pairs");
  }
}

TEST_CASE("own_algorithm: a file is read once, and one that cannot be used is refused") {
  temporary_file const file("3 4");
  int times = 0;
  own_algorithm<long, long> sum{.name = "sum"};
  sum.reads_file = true;
  sum.input = [&](arguments const& given) {
    ++times;
    std::ifstream in(given.request().input.value());
    long first = 0, second = 0;
    if (!(in >> first >> second))
      throw bad_input("two numbers are needed; give a file that has them");
    return first + second;
  };
  sum.program = [](processor& me, arguments const&, long input) {
    return input + 0 * sum_of_all(me);
  };
  sum.expected = [](arguments const&, long input) { return std::vector<long>(8, input); };
  auto asked = on_cube();
  asked.input = file.path();
  CHECK(run(sum, asked).correct);
  CHECK(times == 1);
  std::ofstream(file.path()) << "3";
  CHECK(refusal(sum, asked) == "two numbers are needed; give a file that has them");
}

TEST_CASE("own_algorithm: a parameter out of its range is refused, whether or not it is read") {
  own_algorithm<long> sum{.name = "sum", .program = sum_of_all};
  sum.parameters = {repeats};
  auto asked = on_cube();
  asked.parameters["m"] = std::int64_t{101};
  CHECK(refusal(sum, asked) == "m has to be at most 100, not 101");
}

TEST_CASE(
    "own_algorithm: a program that holds more than there is memory is refused before it runs") {
  own_algorithm<long> sum{.name = "sum", .program = sum_of_all};
  sum.bytes_each = [] { return std::uint64_t{1} << 50U; };
  CHECK_THROWS_AS(run(sum), out_of_memory);
}

TEST_CASE("own_algorithm: its stacks are copied only if that is asked for") {
  // Programs of this library run so on large machines; others may hand out pointers to their stacks.
  own_algorithm<int> const rank{.name = "rank", .program = [](processor& me) { return me.rank(); }};
  experiment_request asked{.network = parse("hypercube:17")};
  CHECK(run(rank, asked).record.options().stacks == stacks::own);
  asked.options.stacks = stacks::copied;
  asked.stacks_chosen = true;
  CHECK(run(rank, asked).record.options().stacks == stacks::copied);
}

TEST_CASE("own_algorithm: a value that cannot be written leaves no file that looks complete") {
  temporary_file const file("before");
  own_algorithm<int> rank{.name = "rank", .program = [](processor& me) { return me.rank(); }};
  rank.write = [](std::ostream& out) { out << "half" << static_cast<char const*>(nullptr); };
  auto asked = on_cube();
  asked.output = file.path();
  CHECK(contains(run(rank, asked).unwritten, "a value of the result cannot be written"));
  CHECK(file.content() == "before");
}

TEST_CASE("own_algorithm: values are told apart in what is said of them") {
  own_algorithm<double> tenth{.name = "tenth", .program = [](processor&) { return 0.1 + 0.2; }};
  tenth.expected = [] { return std::vector<double>(8, 0.3); };
  CHECK(run(tenth).difference == "processor 0: 0.30000000000000004, expected 0.29999999999999999");
  own_algorithm<std::string> text{.name = "text",
                                  .program = [](processor&) { return std::string("a\nb"); }};
  text.expected = [] { return std::vector<std::string>(8); };
  CHECK(run(text).difference == "processor 0: a b, expected nothing");
  CHECK(detail::value_text(static_cast<unsigned char>(7)) == "7");
}

TEST_CASE("own_algorithm: counts are the same on both engines") {
  own_algorithm<long> const sum{.name = "sum", .program = sum_of_all};
  auto asked = on_cube();
  auto const fibers = run(sum, asked).record.counts();
  asked.options.engine = engine::threads;
  CHECK(run(sum, asked).record.counts() == fibers);
}

TEST_CASE("own_algorithm: several processes compare the results of all processors") {
  experiment const right = own_algorithm<long>{
      .name = "sum", .program = sum_of_all, .expected = [](arguments const& given) {
        return std::vector<long>(static_cast<std::size_t>(given.processors()), 28);
      }};
  for (bool const share_results : {false, true}) {
    auto const said = reference::on_threads(
        3,
        [&](cluster& all) {
          auto asked = on_cube();
          asked.options.cluster = &all;
          auto const result = right.run(asked);
          return result.correct ? std::string("right") : result.difference;
        },
        share_results);
    CHECK(said == std::vector<std::string>(3, "right"));
  }
}
