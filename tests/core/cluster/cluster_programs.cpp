#include "cluster_programs.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/cluster.hpp>

namespace reference {

namespace {

std::string place(std::source_location const& line,
                  std::optional<lockstep::library_place> const& inside) {
  auto text = fmt::format("{}:{}", line.line() == 0 ? "" : line.file_name(), line.line());
  if (inside) text += " " + lockstep::to_string(*inside);
  return text;
}

}  // namespace

std::string account_of_record(lockstep::run_record const& run) {
  auto text = "counts " + lockstep::to_string(run.counts()) + "\n";
  text += fmt::format("makespan {}, span {}, choices {}, kept {}\n", run.makespan(), run.span(),
                      run.choices(), run.steps_kept());
  for (auto const& one : run.phases())
    text +=
        fmt::format("phase {}: first {}, port words {}, {}\n", one.name, one.first_step,
                    one.port_words, lockstep::to_string(static_cast<lockstep::counts const&>(one)));
  for (auto const& one : run.labels())
    text += fmt::format(
        "label {} inside {}: first step {}, steps {}, words {}, volume {}, messages {}, hops {}, "
        "operations {}\n",
        one.name, one.inside, one.first_step, one.steps, one.words, one.volume, one.messages,
        one.hops, one.operations);
  for (auto const& one : run.steps())
    text += fmt::format("step {}: phase {}, largest {}, rounds {}, {}\n", one.step, one.phase,
                        one.largest, one.rounds,
                        lockstep::to_string(static_cast<lockstep::counts const&>(one)));
  for (auto const& one : run.processors())
    text += fmt::format("processor: sent {}, received {}, memory {}, operations {}\n",
                        one.words_sent, one.words_received, one.memory, one.operations);
  for (std::uint64_t step = 1;
       step <= std::min<std::uint64_t>(run.steps().size(), run.steps_kept()); ++step)
    for (auto const& one : run.messages_in(step))
      text += fmt::format(
          "message in {}: {} -> {}, sent {}, words {}, hops {}, pass {}, phase {}, way {} {}\n",
          one.step, one.from, one.to, one.sent, one.words, one.hops, one.pass, one.phase,
          one.way.dimension, one.way.offset);
  return text;
}

std::string account_of_error(lockstep::error const& thrown) {
  auto text = fmt::format("{}: {}\nprocessor {}, step {}, phase {}, {}\n",
                          lockstep::class_name(thrown), thrown.what(), thrown.rank(), thrown.step(),
                          thrown.phase(), place(thrown.where(), thrown.inside()));
  try {
    std::rethrow_if_nested(thrown);
  } catch (std::exception const& nested) {
    auto const* const of_lockstep = dynamic_cast<lockstep::error const*>(&nested);
    text += fmt::format("nested {}: {}\n",
                        of_lockstep == nullptr ? "" : lockstep::class_name(*of_lockstep),
                        nested.what());
  }
  auto const* const details = thrown.details();
  if (details == nullptr) return text;
  for (auto const& one : details->waits)
    text += fmt::format("{} waits for {} since {} in {} at {}\n", one.rank, one.waits_for,
                        one.since, one.in, place(one.where, one.inside));
  text += fmt::format("cycle {}\n", fmt::join(details->cycle, " "));
  for (auto const& one : details->messages)
    text += fmt::format("{} -> {}, words {}, step {}, route {}, at {}\n", one.from, one.to,
                        one.words.value_or(0), one.step, fmt::join(one.route, " "),
                        place(one.where, one.inside));
  return text;
}

std::string account_of(experiment const& of, lockstep::machine_options options) {
  lockstep::machine const machine(of.network, options);
  try {
    auto const run = machine.run([&](lockstep::processor& me) {
      return play(of.calls[static_cast<std::size_t>(me.rank())], me);
    });
    auto text = account_of_record(run);
    auto const results = options.cluster == nullptr
                             ? run.results()
                             : lockstep::detail::results_of_all(*options.cluster, run.results());
    for (auto const& one : results) text += fmt::format("result {}\n", fmt::join(one, " "));
    return text;
  } catch (lockstep::error const& thrown) {
    return account_of_error(thrown);
  }
}

std::string first_other_line(std::string const& expected, std::string const& observed) {
  if (expected == observed) return {};
  std::istringstream left(expected);
  std::istringstream right(observed);
  std::string of_left;
  std::string of_right;
  while (true) {
    bool const more_left = static_cast<bool>(std::getline(left, of_left));
    bool const more_right = static_cast<bool>(std::getline(right, of_right));
    if (!more_left) of_left = "(no more)";
    if (!more_right) of_right = "(no more)";
    if (of_left != of_right || !more_left)
      return "expected: " + of_left + "\nobserved: " + of_right + "\n";
  }
}

}  // namespace reference
