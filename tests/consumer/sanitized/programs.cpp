// Programs that leave their stacks in every way, and some with mistakes: programs NAME runs one.
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/core.hpp>
#include <lockstep/topologies.hpp>

namespace {

using lockstep::processor;

constexpr int dimensions = 4;

lockstep::machine cube() { return lockstep::machine{lockstep::hypercube{dimensions}}; }

/// Whether the run throws an error of this class.
template <class Expected, class Body>
bool fails_with(lockstep::machine const& on, Body const& body) {
  try {
    on.run(body);
  } catch (Expected const&) {
    return true;
  }
  return false;
}

/// Sums over the cube, with an array on the stack whose borders AddressSanitizer watches.
int sum_over_cube(processor& me) {
  std::array<int, dimensions + 1> sums{};
  sums[0] = me.rank();
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension)
    sums[dimension + 1] =
        sums[dimension] + me.exchange(me.rank() ^ (1 << dimension), sums[dimension]);
  return sums[dimensions];
}

int fall_down(processor& me, int depth) {
  std::array<int, 16> room{};
  room[static_cast<std::size_t>(depth % 16)] = me.exchange(me.rank() ^ 1, depth);
  if (depth == 0)
    throw std::runtime_error("at the bottom of processor " + std::to_string(me.rank()));
  return fall_down(me, depth - 1) + room[static_cast<std::size_t>(depth % 16)];
}

int deep(processor& me, int depth) {
  std::array<int, 64> room{};
  room[static_cast<std::size_t>(depth % 64)] = depth;
  if (depth % 16 == 0) me.barrier();
  return depth == 0 ? 0 : deep(me, depth - 1) + room[static_cast<std::size_t>(depth % 64)];
}

bool throws() {
  auto const machine = cube();
  for (int round = 0; round < 3; ++round)
    if (!fails_with<lockstep::processor_failed>(machine, [](processor& me) { fall_down(me, 10); }))
      return false;
  return cube().run(sum_over_cube).results()[0] == 120;
}

bool catches_across_a_wait() {
  auto const run = cube().run([](processor& me) {
    int caught = 0;
    for (int round = 0; round < 5; ++round) {
      try {
        fall_down(me, me.rank() % 2 + round - me.rank() % 2);
      } catch (std::runtime_error const& problem) {
        caught += me.exchange(me.rank() ^ 2, static_cast<int>(std::string(problem.what()).size()));
        sum_over_cube(me);
      }
    }
    return caught > 0;
  });
  for (bool const caught : run.results())
    if (!caught) return false;
  return true;
}

bool deadlocks() {
  return fails_with<lockstep::deadlock>(cube(), [](processor& me) {
    std::vector<int> const held(100, me.rank());
    sum_over_cube(me);
    static_cast<void>(me.receive_value<int>(me.rank() ^ 1));
  });
}

bool breaks_a_rule() {
  return fails_with<lockstep::not_adjacent>(cube(), [](processor& me) {
    sum_over_cube(me);
    if (me.rank() == 3) me.send(0, 1);
    me.barrier();
  });
}

bool nests() {
  auto const run = cube().run([](processor& me) {
    auto const inner = cube().run([](processor& other) { return sum_over_cube(other); });
    return me.exchange(me.rank() ^ 1, inner.results()[0]);
  });
  return run.results()[5] == 120;
}

bool throws_in_a_nested_machine() {
  auto const run = cube().run([](processor& me) {
    bool const failed = fails_with<lockstep::processor_failed>(
        cube(), [](processor& other) { fall_down(other, 5); });
    sum_over_cube(me);
    return failed;
  });
  return run.results()[5] && fails_with<lockstep::processor_failed>(cube(), [](processor&) {
           cube().run([](processor& other) { fall_down(other, 5); });
         });
}

bool goes_deep() {
  lockstep::machine const large{lockstep::hypercube{dimensions}, {.stack = std::size_t{1} << 20}};
  return large.run([](processor& me) { return deep(me, 800); }).results()[1] == 800 * 801 / 2;
}

bool overflows() {
  auto const endless = [](processor& me) { return deep(me, 1 << 20); };
  return fails_with<lockstep::stack_overflow>(cube(), endless) && nests() && throws();
}

bool throws_on_threads() {
  lockstep::machine const threads{lockstep::hypercube{dimensions},
                                  {.engine = lockstep::engine::threads}};
  for (int round = 0; round < 20; ++round)  // which processors wait differs
    if (!fails_with<lockstep::processor_failed>(threads, [](processor& me) { fall_down(me, 10); }))
      return false;
  return true;
}

bool writes_beyond_an_array() {
  auto const run = cube().run([](processor& me) {
    std::array<int, 4> values{};
    sum_over_cube(me);
    auto* volatile last = values.data() + 3;  // or one too far
    last[me.rank() / 15] = 1;
    return values[3];
  });
  return !run.results().empty();
}

bool uses_what_is_gone() {
  auto const run = cube().run([](processor& me) {
    int const* volatile gone = nullptr;
    {
      int inner = me.rank();
      gone = &inner;
      sum_over_cube(me);
    }
    return *gone;
  });
  return !run.results().empty();
}

bool shares_a_variable() {
  lockstep::machine const threads{lockstep::hypercube{dimensions},
                                  {.engine = lockstep::engine::threads}};
  int shared = 0;
  threads.run([&](processor&) {
    ++shared;
    std::this_thread::sleep_for(
        std::chrono::milliseconds(50));  // nobody ends before all have begun
  });
  return shared > 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::map<std::string, std::function<bool()>> const programs = {
      {"throws", throws},
      {"catches_across_a_wait", catches_across_a_wait},
      {"deadlocks", deadlocks},
      {"breaks_a_rule", breaks_a_rule},
      {"nests", nests},
      {"throws_in_a_nested_machine", throws_in_a_nested_machine},
      {"goes_deep", goes_deep},
      {"overflows", overflows},
      {"throws_on_threads", throws_on_threads},
      {"writes_beyond_an_array", writes_beyond_an_array},
      {"uses_what_is_gone", uses_what_is_gone},
      {"shares_a_variable", shares_a_variable}};
  auto const found = programs.find(count == 2 ? arguments[1] : "");
  if (found == programs.end()) return 2;
  bool const right = found->second();
  std::printf("%s: %s\n", found->first.c_str(), right ? "as expected" : "something else");
  return right ? 0 : 1;
}
