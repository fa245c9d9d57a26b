// A program with a command line of its own, for tests of lockstep::main: its algorithms do what a
// user's may do.
#include <fstream>
#include <string>
#include <vector>

#include <lockstep/main.hpp>

namespace {

long sum_of_all(lockstep::processor& me) {
  long sum = me.rank();
  for (int bit = 1; bit < me.size(); bit *= 2) sum += me.exchange(me.rank() ^ bit, sum);
  return sum;
}

std::vector<long> expected_sums(lockstep::arguments const& given) {
  long const p = given.processors();
  return std::vector<long>(static_cast<std::size_t>(p), p * (p - 1) / 2);
}

lockstep::own_algorithm<long> sum_named(std::string name) {
  return {.name = std::move(name), .program = sum_of_all, .examples = {"hypercube:3"}};
}

}  // namespace

int main(int argc, char** argv) {
  // A single program, and nothing else.
  if (std::string(argv[0]).ends_with("plain")) return lockstep::main(argc, argv, "sum", sum_of_all);
  // What a user may get wrong.
  std::string const mistake = argc > 1 ? argv[1] : "";
  if (mistake == "none") return lockstep::main(argc, argv, std::vector<lockstep::experiment>());
  if (mistake == "twice") return lockstep::main(argc, argv, {sum_named("sum"), sum_named("sum")});
  if (mistake == "blank") return lockstep::main(argc, argv, {sum_named("my sum")});
  if (mistake == "kinds") {
    auto flag = sum_named("flag");
    flag.parameters = {lockstep::flag_parameter{"x", "a flag"}};
    auto number = sum_named("number");
    number.parameters = {lockstep::integer_parameter{"x", "a number"}};
    return lockstep::main(argc, argv, {flag, number});
  }
  if (mistake == "letter") {
    auto sum = sum_named("sum");
    sum.parameters = {lockstep::integer_parameter{"p", "a number"}};
    return lockstep::main(argc, argv, {sum});
  }
  if (mistake == "nothing") return lockstep::main(0, argv, {sum_named("sum")});
  if (mistake == "option") {
    auto sum = sum_named("sum");
    sum.parameters = {lockstep::integer_parameter{"json", "a number"}};
    return lockstep::main(argc, argv, {sum});
  }

  auto right = sum_named("right");
  right.expected = expected_sums;
  right.formulas = "steps = log2 p";
  auto wrong = right;
  wrong.name = "wrong";
  wrong.program = [](lockstep::processor& me) { return sum_of_all(me) + me.rank() / 6; };
  auto too_slow = right;
  too_slow.name = "too-slow";
  too_slow.formulas = "steps <= 2";
  lockstep::own_algorithm<int> stuck{.name = "stuck"};
  stuck.program = [](lockstep::processor& me) {
    return me.receive_value<int>((me.rank() + 1) % me.size());
  };
  lockstep::own_algorithm<int> throws{.name = "throws"};
  throws.program = [](lockstep::processor& me) -> int { throw me.rank(); };
  lockstep::own_algorithm<int> no_oracle{.name = "no-oracle"};
  no_oracle.program = [](lockstep::processor& me) { return me.rank(); };
  no_oracle.expected = []() -> std::vector<int> { throw 7; };
  lockstep::own_algorithm<long, long> file{.name = "file"};
  file.reads_file = true;
  file.input = [](lockstep::arguments const& given) -> long {
    if (!given.request().input) return 1;
    std::ifstream in(*given.request().input);
    long number = 0;
    if (!(in >> number)) throw lockstep::bad_input("the file has no number; write one into it");
    return number;
  };
  file.program = [](lockstep::processor& me, lockstep::arguments const&, long number) {
    return me.rank() * number;
  };
  return lockstep::main(
      argc, argv, {right, wrong, too_slow, stuck, throws, no_oracle, file, sum_named("unchecked")});
}
