#include <lockstep/step_list.hpp>

#include <algorithm>
#include <iterator>
#include <random>
#include <ranges>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/json.hpp>
#include <lockstep/run.hpp>

#include "catch.hpp"

namespace {

using lockstep::run_record;
using lockstep::step_list;
using lockstep::step_record;

step_record step_of(std::uint64_t number, std::uint64_t words) {
  step_record step;
  step.step = number;
  step.phase = 0;
  step.rounds = step.steps = step.messages = words > 0 ? 1 : 0;
  step.words = step.volume = step.largest = words;
  return step;
}

/// Steps with 0, 1 or 2 words, in stretches of random lengths.
std::vector<step_record> random_steps(std::size_t count) {
  std::mt19937 random(20'260'101);
  std::vector<step_record> steps;
  while (steps.size() < count) {
    auto const words = random() % 3;
    for (auto left = 1 + random() % 9; left > 0 && steps.size() < count; --left)
      steps.push_back(step_of(steps.size() + 1, words));
  }
  return steps;
}

}  // namespace

TEST_CASE("a list of steps is the vector that it was made of", "[core][steps][sanitize]") {
  auto const steps = random_steps(5'000);
  step_list const list = steps;
  CHECK(list.stretches().size() < steps.size() / 2);
  REQUIRE(list.size() == steps.size());
  CHECK_FALSE(list.empty());
  CHECK(std::vector<step_record>(list) == steps);
  CHECK(list == steps);
  CHECK(std::ranges::equal(list, steps));
  CHECK(std::equal(std::make_reverse_iterator(list.end()), std::make_reverse_iterator(list.begin()),
                   steps.rbegin()));
  CHECK(list.front() == steps.front());
  CHECK(list.back() == steps.back());
  CHECK(list.begin()->step == 1);
  bool all = true;
  for (std::size_t at = 0; at < steps.size(); ++at) all = all && list[at] == steps[at];
  CHECK(all);
}

TEST_CASE("iterators over steps jump", "[core][steps][sanitize]") {
  auto const steps = random_steps(1'000);
  step_list const list = steps;
  std::mt19937 random(7);
  bool all = true;
  for (int i = 0; i < 1'000; ++i) {
    auto const from = static_cast<std::ptrdiff_t>(random() % 1'000);
    auto const to = static_cast<std::ptrdiff_t>(random() % 1'000);
    auto at = list.begin() + from;
    all = all && *at == steps[static_cast<std::size_t>(from)];
    all = all && at[to - from] == steps[static_cast<std::size_t>(to)];
    at += to - from;
    all = all && at - list.begin() == to && (at++)->step == static_cast<std::uint64_t>(to) + 1;
    all = all && (at == list.end() || at->step == static_cast<std::uint64_t>(to) + 2);
    all = all && (--at)->step == static_cast<std::uint64_t>(to) + 1;
    all = all && (to < from) == (list.begin() + to < list.begin() + from);
  }
  CHECK(all);
  CHECK(std::ranges::lower_bound(list, 500U, {}, &step_record::step)->step == 500);
  CHECK(std::find_if(list.begin(), list.end(), [](auto const& one) {
          return one.step == 77;
        })->step == 77);
}

TEST_CASE("lists of steps are equal where their steps are", "[core][steps]") {
  step_list in_one;
  in_one.append(step_of(1, 0), 4);
  step_list one_by_one;
  for (std::uint64_t step = 1; step <= 4; ++step) one_by_one.append(step_of(step, 0));
  CHECK(in_one == one_by_one);
  CHECK(in_one.stretches().size() == 1);
  one_by_one.append(step_of(5, 1));
  CHECK(in_one != one_by_one);
  CHECK(step_list{} == step_list(std::vector<step_record>{}));
  CHECK(step_list{}.begin() == step_list{}.end());
}

TEST_CASE("a table shows many equal steps as one row, and where it ends early", "[core][steps]") {
  step_list steps{step_of(1, 2)};
  steps.append(step_of(2, 0), 1'000);
  steps.append(step_of(1'002, 3), std::uint64_t{1} << 40U);
  run_record const whole({.rounds = 1'001 + (std::uint64_t{1} << 40U)}, {}, steps, {});
  CHECK(whole.has_all_steps());
  auto const table = whole.table();
  CHECK(std::ranges::count(table, '\n') == 1 + 1 + 1'000 + 1);
  CHECK(table.find("\n              1001  -") != std::string::npos);
  CHECK(table.find("\n1002-1099511628777  -             1                3       3") !=
        std::string::npos);
  run_record const cut_off({.rounds = 5}, {}, step_list{step_of(1, 2), step_of(2, 0)}, {});
  CHECK_FALSE(cut_off.has_all_steps());
  CHECK(cut_off.table().ends_with(
      "steps 3 to 5 are not shown: steps are recorded until 2 stretches of equal ones have come; "
      "counts and phases have them all\n"));
}

TEST_CASE("JSON has equal steps as one entry, and reports steps that are not recorded",
          "[core][steps][json]") {
  step_list steps{step_of(1, 2)};
  steps.append(step_of(2, 0), std::uint64_t{1} << 40U);
  nlohmann::ordered_json const json = run_record({.rounds = 1}, {}, steps, {});
  REQUIRE(json.at("steps").size() == 2);
  CHECK_FALSE(json.at("steps").at(0).contains("last_step"));
  CHECK(json.at("steps").at(1).at("step") == 2);
  CHECK(json.at("steps").at(1).at("last_step") == (std::uint64_t{1} << 40U) + 1);
  CHECK_FALSE(json.contains("steps_cut_off"));
  nlohmann::ordered_json const cut_off =
      run_record({.rounds = 9}, {}, step_list{step_of(1, 2)}, {});
  CHECK(cut_off.at("steps_cut_off") == true);
}
