// Random programs on every engine and on the model of the counting rules: results, counts, records,
// observed messages and errors must be equal.

#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "catch.hpp"
#include "core/machines.hpp"
#include "random_check.hpp"
#include "random_generator.hpp"
#include "reference_model.hpp"

namespace {

using namespace reference;

void check_on(std::uint64_t seed, experiment const& made, outcome const& expected,
              engine_choice const& choice) {
  auto const found = first_difference(run_on(made, choice), expected);
  if (!found) return;
  INFO(report(seed, made, choice) << "at first:\n" << found->text);
  CHECK(found->about == "nothing");
}

/// Runs the program of that seed on two of the engines.
void check_program(std::uint64_t seed) {
  auto const made = random_program(seed);
  auto const expected = interpret(made);
  auto const engines = all_engines();
  auto const first = (seed / program_kinds) % engines.size();
  auto const second = (first + engines.size() / 2) % engines.size();
  check_on(seed, made, expected, engines[first]);
  if (second != first) check_on(seed, made, expected, engines[second]);
}

std::uint64_t from_environment(char const* name, std::uint64_t otherwise) {
  char const* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

/// The programs of this tenth. LOCKSTEP_RANDOM_PROGRAMS: how many there are in all ten, 10,000 if
/// not given. LOCKSTEP_RANDOM_SEED: the first seed of all, 1 if not given; by itself, the only one.
void check_part(std::uint64_t part) {
  bool const one_seed = std::getenv("LOCKSTEP_RANDOM_SEED") != nullptr;
  auto const all = from_environment("LOCKSTEP_RANDOM_PROGRAMS", one_seed ? 10 : 10'000);
  REQUIRE(all >= 10);
  auto const first = from_environment("LOCKSTEP_RANDOM_SEED", 1) + part * (all / 10);
  for (auto seed = first; seed < first + all / 10; ++seed) check_program(seed);
  SUCCEED("no difference was found, or each was reported");
}

/// The first program whose outcome the wrong rule changes.
std::optional<std::uint64_t> first_seed_that_finds(wrong_rule wrong, std::uint64_t most) {
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    auto const made = random_program(seed);
    auto got_wrong = interpret(made, wrong);
    if (got_wrong.error) got_wrong.error->kinds.resize(1);  // that of a run
    if (first_difference(got_wrong, interpret(made))) return seed;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("random programs: a few on all engines", "[core][random][sanitize][threads]") {
  std::map<std::string, int> endings;
  for (std::uint64_t seed = 20'001; seed <= 20'100; ++seed) {
    auto const made = random_program(seed);
    auto const expected = interpret(made);
    ++endings[expected.error ? expected.error->kinds.front() : "no error"];
    for (auto const& choice : all_engines()) check_on(seed, made, expected, choice);
  }
  CHECK(endings["no error"] >= 50);
  CHECK(endings.size() > 5);  // otherwise the programs fail in too few ways
}

TEST_CASE("random programs: part 0", "[core][random]") { check_part(0); }
TEST_CASE("random programs: part 1", "[core][random]") { check_part(1); }
TEST_CASE("random programs: part 2", "[core][random]") { check_part(2); }
TEST_CASE("random programs: part 3", "[core][random]") { check_part(3); }
TEST_CASE("random programs: part 4", "[core][random]") { check_part(4); }
TEST_CASE("random programs: part 5", "[core][random]") { check_part(5); }
TEST_CASE("random programs: part 6", "[core][random]") { check_part(6); }
TEST_CASE("random programs: part 7", "[core][random]") { check_part(7); }
TEST_CASE("random programs: part 8", "[core][random]") { check_part(8); }
TEST_CASE("random programs: part 9", "[core][random]") { check_part(9); }

TEST_CASE("random programs make every call, and end in every way", "[core][random]") {
  std::set<action> calls;
  std::map<std::string, int> endings;
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    auto const made = random_program(seed);
    for (auto const& of_processor : made.calls)
      for (auto const& call : of_processor) calls.insert(call.what);
    auto const expected = interpret(made);
    ++endings[expected.error ? expected.error->kinds.front() : "no error"];
  }
  CHECK(calls.size() == static_cast<std::size_t>(action::fail) + 1);
  CHECK(endings["no error"] > 1'500);
  for (auto const* kind :
       {"not_adjacent", "port_conflict", "link_contention", "type_mismatch", "size_mismatch",
        "deadlock", "barrier_mismatch", "unreceived_message", "step_limit", "invalid_rank",
        "invalid_argument", "invalid_topology", "processor_failed"}) {
    INFO(kind);
    CHECK(endings[kind] >= 10);
  }
}

TEST_CASE("random programs without a mistake run to their end", "[core][random]") {
  std::uint64_t queued = 0;
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    auto const made = free_program(seed);
    auto const expected = interpret(made);
    INFO("seed " << seed << "\n" << to_string(made));
    REQUIRE_FALSE(expected.error);
    queued += expected.total.queued;
  }
  CHECK(queued > 1'000);
}

TEST_CASE("random lock-step programs run on strict machines to their end", "[core][random]") {
  std::uint64_t messages = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    auto const made = lockstep_program(seed);
    auto const expected = interpret(made);
    INFO("seed " << seed << "\n" << to_string(made));
    REQUIRE_FALSE(expected.error);
    CHECK(expected.total.contention <= 1);
    CHECK(expected.total.queued == 0);
    messages += expected.total.messages;
  }
  CHECK(messages > 1'000);
}

TEST_CASE("random programs find out each rule that is got wrong", "[core][random]") {
  for (auto wrong = 1; wrong < static_cast<int>(wrong_rule::count); ++wrong) {
    INFO("wrong rule " << wrong);
    CHECK(first_seed_that_finds(static_cast<wrong_rule>(wrong), 10'000).has_value());
  }
}

TEST_CASE("a failing random program is shrunk to a few calls", "[core][random]") {
  for (auto number = 1; number < static_cast<int>(wrong_rule::count); ++number) {
    auto const wrong = static_cast<wrong_rule>(number);
    auto const seed = first_seed_that_finds(wrong, 10'000);
    REQUIRE(seed);
    auto const examine = [&](experiment const& of) {
      return first_difference(run_on(of, all_engines().front()), interpret(of, wrong));
    };
    auto const made = random_program(*seed);
    auto const before = examine(made);
    REQUIRE(before);
    auto const smallest = shrink(made, examine);
    INFO("wrong rule " << number << ", seed " << *seed << "\n" << to_string(smallest));
    auto const after = examine(smallest);
    REQUIRE(after);
    CHECK(after->about == before->about);
    CHECK(length(smallest.calls) <= 12);
    CHECK(length(smallest.calls) <= length(made.calls));
  }
}
