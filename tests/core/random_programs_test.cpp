// Random programs on every engine and on the model of the counting rules: results, counts, records
// and errors must be equal.

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

#include <lockstep/machine.hpp>

#include "../catch.hpp"
#include "machines.hpp"
#include "random_generator.hpp"
#include "reference_model.hpp"

namespace {

using namespace reference;

class message_list : public lockstep::observer {
 public:
  void message(lockstep::message_record const& seen) override { messages.push_back(seen); }
  void step(lockstep::step_record const& seen) override { steps.push_back(seen); }

  std::vector<lockstep::message_record> messages;
  std::vector<lockstep::step_record> steps;
};

/// What the run keeps is what an observer saw of its first steps, but for the programs' order.
void check_kept(lockstep::run_record const& run, std::vector<lockstep::message_record> seen) {
  for (auto& one : seen) one.sender_call = one.receiver_call = 0;
  auto next = seen.begin();
  for (std::uint64_t step = 1; step <= run.steps().size(); ++step) {
    auto const end =
        std::find_if(next, seen.end(), [&](auto const& one) { return one.step > step; });
    if (step <= run.steps_kept())
      CHECK(run.messages_in(step) == std::vector<lockstep::message_record>(next, end));
    else
      CHECK(run.messages_in(step).empty());
    next = end;
  }
}

outcome run_on(experiment const& of, engine_choice const& choice) {
  lockstep::machine const machine(of.network, on(choice, of.options));
  auto const body = [&](lockstep::processor& me) {
    return play(of.calls[static_cast<std::size_t>(me.rank())], me);
  };
  outcome observed;
  message_list watching;
  try {
    auto run = machine.run(body, watching);
    observed.results = run.results();
    observed.total = run.counts();
    observed.steps = run.steps();
    observed.phases = run.phases();
    observed.processors = run.processors();
    check_kept(run, watching.messages);
  } catch (lockstep::error const& thrown) {
    observed.error = failure{{kind_of(thrown)}, thrown.step(), thrown.rank()};
    return observed;
  }
  CHECK(watching.steps == observed.steps);
  auto const place = [](auto const& one) { return std::tuple{one.step, one.to, one.from}; };
  CHECK(std::ranges::is_sorted(watching.messages, {}, place));
  observed.messages = watching.messages;
  std::ranges::sort(observed.messages, {}, [](auto const& one) {
    return std::tuple{one.step, one.to, one.from, one.pass, one.sent, one.words, one.hops};
  });
  return observed;
}

std::string in_words(std::optional<failure> const& error) {
  if (!error) return "no error";
  std::string text;
  for (auto const& kind : error->kinds) text += kind + " ";
  return text + "in step " + std::to_string(error->step) + " of processor " +
         std::to_string(error->rank);
}

bool allows(std::optional<failure> const& expected, std::optional<failure> const& observed) {
  if (!expected || !observed) return expected.has_value() == observed.has_value();
  return std::ranges::count(expected->kinds, observed->kinds.front()) == 1 &&
         expected->step == observed->step && expected->rank == observed->rank;
}

/// All figures of a list of records as text, so that a failure shows which one differs.
template <class Record>
std::string figures(std::vector<Record> const& records) {
  std::ostringstream text;
  for (auto const& one : records) {
    if constexpr (std::is_same_v<Record, lockstep::processor_record>)
      text << one.words_sent << " sent, " << one.words_received << " received\n";
    else
      text << static_cast<lockstep::counts const&>(one);
    if constexpr (std::is_same_v<Record, lockstep::step_record>)
      text << ", step " << one.step << ", phase " << one.phase << ", largest " << one.largest
           << "\n";
    if constexpr (std::is_same_v<Record, lockstep::phase_record>)
      text << ", name " << one.name << ", first step " << one.first_step << ", port words "
           << one.port_words << "\n";
  }
  return text.str();
}

void compare(outcome const& observed, outcome const& expected) {
  INFO("expected: " << in_words(expected.error) << "\nobserved: " << in_words(observed.error));
  CHECK(allows(expected.error, observed.error));
  if (expected.error || observed.error) return;
  CHECK(observed.results == expected.results);
  CHECK(observed.total == expected.total);
  CHECK(figures(observed.steps) == figures(expected.steps));
  CHECK(observed.steps == expected.steps);
  CHECK(figures(observed.phases) == figures(expected.phases));
  CHECK(observed.phases == expected.phases);
  CHECK(figures(observed.processors) == figures(expected.processors));
  CHECK(observed.processors == expected.processors);
  CHECK(observed.messages == expected.messages);
}

void run_everywhere(std::uint64_t seed, experiment const& of, outcome const& expected) {
  for (auto const& choice : all_engines()) {
    INFO("seed " << seed << " on " << choice << ", " << to_string(of));
    compare(run_on(of, choice), expected);
  }
}

}  // namespace

TEST_CASE("a few random programs of each kind", "[core][random][sanitize][threads]") {
  std::map<std::string, int> endings;
  for (auto const& [make, first] : {std::pair{&free_program, std::uint64_t{3001}},
                                    std::pair{&lockstep_program, std::uint64_t{3101}},
                                    std::pair{&broken_program, std::uint64_t{3201}}})
    for (auto seed = first; seed < first + 15; ++seed) {
      auto const made = make(seed);
      auto const expected = interpret(made);
      ++endings[expected.error ? expected.error->kinds.front() : "no error"];
      run_everywhere(seed, made, expected);
    }
  CHECK(endings["no error"] >= 30);
  CHECK(endings.size() > 3);  // otherwise the programs fail in too few ways
}

TEST_CASE("random programs give the model's results and counts", "[core][random][threads]") {
  std::uint64_t queued = 0;
  for (std::uint64_t seed = 1; seed <= 180; ++seed) {
    auto const made = free_program(seed);
    auto const expected = interpret(made);
    INFO("seed " << seed << ", " << to_string(made));
    REQUIRE_FALSE(expected.error);
    queued += expected.total.queued;
    run_everywhere(seed, made, expected);
  }
  CHECK(queued > 100);  // otherwise the programs are too tame
}

TEST_CASE("random lock-step programs run on a strict machine", "[core][random][threads]") {
  std::uint64_t messages = 0;
  for (std::uint64_t seed = 1001; seed <= 1120; ++seed) {
    auto const made = lockstep_program(seed);
    auto const expected = interpret(made);
    INFO("seed " << seed << ", " << to_string(made));
    REQUIRE_FALSE(expected.error);
    CHECK(expected.total.contention <= 1);
    CHECK(expected.total.queued == 0);
    messages += expected.total.messages;
    run_everywhere(seed, made, expected);
  }
  CHECK(messages > 1000);
}

TEST_CASE("random programs with mistakes fail alike everywhere", "[core][random][threads]") {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 2001; seed <= 2300; ++seed) {
    auto const made = broken_program(seed);
    auto const expected = interpret(made);
    if (expected.error) ++seen[expected.error->kinds.front()];
    run_everywhere(seed, made, expected);
  }
  for (auto const* kind : {"not_adjacent", "port_conflict", "link_contention", "type_mismatch",
                           "size_mismatch", "deadlock", "barrier_mismatch", "unreceived_message",
                           "step_limit", "invalid_rank", "invalid_argument", "processor_failed"}) {
    INFO(kind);
    CHECK(seen[kind] > 0);
  }
}
