#include "random_check.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>
#include <tuple>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/timeline.hpp>

namespace reference {
namespace {

class message_list : public lockstep::observer {
 public:
  void message(lockstep::message_record const& seen) override { messages.push_back(seen); }
  void step(lockstep::step_record const& seen) override { steps.push_back(seen); }

  std::vector<lockstep::message_record> messages;
  std::vector<lockstep::step_record> steps;
};

auto place_of(lockstep::message_record const& one) {
  return std::tuple{one.step,  one.to,   one.from,          one.pass,       one.sent,
                    one.words, one.hops, one.way.dimension, one.way.offset, one.receiver_call};
}

/// Whether what the run keeps is what an observer saw of its first steps, but for the programs' order.
bool keeps(lockstep::run_record const& run, std::vector<lockstep::message_record> seen) {
  for (auto& one : seen) one.sender_call = one.receiver_call = 0;
  auto next = seen.begin();
  for (std::uint64_t step = 1; step <= run.steps().size(); ++step) {
    auto const end =
        std::find_if(next, seen.end(), [&](auto const& one) { return one.step > step; });
    std::vector<lockstep::message_record> of_step(next, end);
    if (step > run.steps_kept()) of_step.clear();
    if (run.messages_in(step) != of_step) return false;
    next = end;
  }
  return true;
}

std::string in_words(std::optional<failure> const& error) {
  if (!error) return "no error";
  std::string text;
  for (auto const& kind : error->kinds) text += kind + " ";
  return text + fmt::format("in step {} of processor {}", error->step, error->rank);
}

bool allows(std::optional<failure> const& expected, std::optional<failure> const& observed) {
  if (!expected || !observed) return expected.has_value() == observed.has_value();
  return std::ranges::count(expected->kinds, observed->kinds.front()) > 0 &&
         expected->step == observed->step && expected->rank == observed->rank;
}

std::string kind_in_words(std::optional<failure> const& error) {
  return error ? error->kinds.front() : "no error";
}

std::string to_text(std::uint64_t of) { return std::to_string(of) + "\n"; }

std::string to_text(lockstep::counts const& of) { return lockstep::to_string(of) + "\n"; }

std::string to_text(double time) { return fmt::format("{}\n", time); }

std::string to_text(std::vector<lockstep::step_record> const& steps) {
  std::string text;
  for (auto const& one : steps)
    text += fmt::format("step {}: phase {}, largest {}, {}", one.step, one.phase, one.largest,
                        to_text(static_cast<lockstep::counts const&>(one)));
  return text;
}

std::string to_text(std::vector<lockstep::phase_record> const& phases) {
  std::string text;
  for (auto const& one : phases)
    text += fmt::format("{}: first step {}, port words {}, {}", one.name, one.first_step,
                        one.port_words, to_text(static_cast<lockstep::counts const&>(one)));
  return text;
}

std::string to_text(std::vector<lockstep::processor_record> const& processors) {
  std::string text;
  for (auto const& one : processors)
    text += fmt::format("{} sent, {} received, memory {}, operations {}\n", one.words_sent,
                        one.words_received, one.memory, one.operations);
  return text;
}

std::string to_text(std::vector<lockstep::label_record> const& labels) {
  std::string text;
  for (auto const& one : labels) {
    text += fmt::format("\"{}\" inside {}, first step {}", one.name, one.inside, one.first_step);
    for_each_figure(one, [&](std::string_view figure, std::uint64_t value) {
      text += fmt::format(", {} {}", figure, value);
    });
    text += "\n";
  }
  return text;
}

std::string to_text(std::vector<lockstep::message_record> const& messages) {
  std::string text;
  for (auto const& one : messages)
    text += fmt::format(
        "step {}: {} -> {}, sent {}, words {}, hops {}, pass {}, phase {}, way {} {}, calls {} and "
        "{}\n",
        one.step, one.from, one.to, one.sent, one.words, one.hops, one.pass, one.phase,
        one.way.dimension, one.way.offset, one.sender_call, one.receiver_call);
  return text;
}

std::string to_text(std::vector<std::vector<std::uint64_t>> const& results) {
  std::string text;
  for (auto const& one : results) {
    for (auto const value : one) text += fmt::format("{} ", value);
    text += "\n";
  }
  return text;
}

template <class Figures>
void compare(std::string const& about, Figures const& observed, Figures const& expected,
             std::optional<difference>& found) {
  if (found || observed == expected) return;
  found = difference{
      about, fmt::format("expected:\n{}observed:\n{}", to_text(expected), to_text(observed))};
}

}  // namespace

namespace {

bool has_unkept_pass(experiment const& of) {
  return std::ranges::any_of(of.calls, [](auto const& calls) {
    return std::ranges::any_of(calls, [](operation const& call) {
      return call.what == action::read || call.what == action::write ||
             call.what == action::serve || call.what == action::deliver;
    });
  });
}

/// Says where a run counts otherwise that nobody observes.
std::string other_without_observers(lockstep::run_record const& seen,
                                    lockstep::run_record const& unseen) {
  bool const same = seen.counts() == unseen.counts() && seen.steps() == unseen.steps() &&
                    seen.phases() == unseen.phases() && seen.processors() == unseen.processors() &&
                    seen.labels() == unseen.labels() && seen.makespan() == unseen.makespan() &&
                    seen.span() == unseen.span();
  return same ? "" : "without observers the counts are others\n";
}

/// Times the run, and says where the clock of unit messages is not that of the steps.
void time_run(experiment const& of, lockstep::machine_options options, outcome& observed) {
  if (of.options.ports == lockstep::ports::per_pass && has_unkept_pass(of)) {
    observed.clock.reset();
    return;
  }
  options.clocked = true;
  auto const run = lockstep::machine(of.network, options).run([&](lockstep::processor& me) {
    return play(of.calls[static_cast<std::size_t>(me.rank())], me);
  });
  observed.clock = run.timeline(loggp_of_model()).makespan;
  auto const in_steps =
      run.timeline(lockstep::hockney_clock{.alpha_us = 1, .idle_us = 1, .empty = true}).makespan;
  if (in_steps != static_cast<double>(run.makespan()))
    observed.contradiction += fmt::format(
        "the clock of unit messages comes to {}, the steps to {}\n", in_steps, run.makespan());
}

outcome run_once(experiment const& of, engine_choice const& choice) {
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
    observed.labels = run.labels();
    observed.makespan = run.makespan();
    observed.span = run.span();
    observed.choices = run.choices();
    bool const in_order = std::ranges::is_sorted(watching.messages, lockstep::seen_before);
    if (!in_order) observed.contradiction += "observers see messages in another order\n";
    if (watching.steps != observed.steps) observed.contradiction += "observers see other steps\n";
    if (!keeps(run, watching.messages)) observed.contradiction += "other messages are kept\n";
    observed.contradiction += other_without_observers(run, machine.run(body));
    time_run(of, on(choice, of.options), observed);
  } catch (lockstep::error const& thrown) {
    observed.error = failure{{kind_of(thrown)}, thrown.step(), thrown.rank()};
    return observed;
  }
  observed.messages = watching.messages;
  std::ranges::sort(observed.messages, {}, place_of);
  return observed;
}

}  // namespace

outcome run_on(experiment const& of, engine_choice const& choice) {
  auto observed = run_once(of, choice);
  // Whether there is memory just now does not depend on the program.
  for (int again = 0; again < 100 && kind_in_words(observed.error) == "out_of_memory"; ++again) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    observed = run_once(of, choice);
  }
  return observed;
}

std::optional<difference> first_difference(outcome const& observed, outcome const& expected) {
  if (!allows(expected.error, observed.error)) {
    auto const about = fmt::format("error: {}, not {}", kind_in_words(observed.error),
                                   kind_in_words(expected.error));
    return difference{about, fmt::format("expected: {}\nobserved: {}\n", in_words(expected.error),
                                         in_words(observed.error))};
  }
  std::optional<difference> found;
  if (!observed.contradiction.empty())
    found = difference{"what is observed", observed.contradiction};
  if (expected.error) return found;
  compare("results", observed.results, expected.results, found);
  compare("totals", observed.total, expected.total, found);
  compare("steps", observed.steps, expected.steps, found);
  compare("phases", observed.phases, expected.phases, found);
  compare("choices", observed.choices, expected.choices, found);
  compare("processors", observed.processors, expected.processors, found);
  compare("labels", observed.labels, expected.labels, found);
  compare("makespan", observed.makespan, expected.makespan, found);
  compare("span", observed.span, expected.span, found);
  if (observed.clock) compare("clock", *observed.clock, *expected.clock, found);
  compare("messages", observed.messages, expected.messages, found);
  return found;
}

std::string report(std::uint64_t seed, experiment const& of, engine_choice const& choice) {
  auto const examine = [&](experiment const& smaller) {
    return first_difference(run_on(smaller, choice), interpret(smaller));
  };
  auto const found = examine(of);
  std::ostringstream text;
  text << "the program of seed " << seed << " on " << choice << " differs in "
       << (found ? found->about : std::string("nothing when it is run again"))
       << "\nto repeat it: LOCKSTEP_RANDOM_SEED=" << seed
       << ", and the executable of this test case with \"random programs: part 0\"\n";
  if (!found) return text.str() + to_string(of);
  auto const smallest = shrink(of, examine);
  auto const still = examine(smallest);
  text << "the smallest that differs so:\n"
       << to_string(smallest) << (still ? still->text : std::string());
  return text.str();
}

}  // namespace reference
