#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/cost_model.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/detail/gathered.hpp>
#include <lockstep/detail/kept_message.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/options.hpp>
#include <lockstep/step_list.hpp>
#include <lockstep/topology.hpp>
#include <lockstep/view_notes.hpp>

namespace lockstep {

class machine;

namespace detail {
class event_record;

/// Checks the times whose quotient is a speed-up. Errors: invalid_argument where one of them is 0.
void check_speedup(std::string_view model, std::uint64_t operations, double sequential,
                   double parallel);
}  // namespace detail

/// The lengths of a run, each of one processor or of one path.
struct run_lengths {
  std::uint64_t makespan = 0;  ///< steps
  std::uint64_t span = 0;      ///< operations
};

/// The context by which a run explains its counts: the machine that it ran on, and its first
/// messages.
struct run_context {
  std::shared_ptr<topology const> network{};
  machine_options options{};
  std::uint64_t steps_kept = 0;  ///< messages of the steps up to this one are kept
  std::shared_ptr<std::vector<detail::kept_message> const> messages{};  ///< in no order
  /// Keeps the processors' memories, which what the program returned may have been taken from.
  std::shared_ptr<void const> memories{};
  std::shared_ptr<observer const> recording{};           ///< where the options asked for it
  std::shared_ptr<detail::event_record const> events{};  ///< where the options asked for them
  run_lengths lengths{};
  std::uint64_t choices = 0;  ///< run_record::choices
  std::vector<label_record> labels{};
};

/// The record of a run, without its results. A temporary record moves out the parts that it is
/// asked for, so that `for (auto const& step : machine.run(program).steps())` is all right.
class run_record {
 public:
  run_record() = default;
  run_record(lockstep::counts total, std::vector<phase_record> phases, step_list steps,
             std::vector<processor_record> processors, run_context evidence = {});

  [[nodiscard]] lockstep::counts const& counts() const noexcept { return m_counts; }
  /// One entry for each `phase` call of the whole machine, in order.
  [[nodiscard]] std::vector<phase_record> const& phases() const& noexcept { return m_phases; }
  [[nodiscard]] std::vector<phase_record> phases() && { return std::move(m_phases); }
  /// One entry for each label (`processor::label`), each before those inside of it; of one level, in
  /// the order of their first steps and names.
  [[nodiscard]] std::vector<label_record> const& labels() const& noexcept {
    return m_evidence.labels;
  }
  [[nodiscard]] std::vector<label_record> labels() && { return std::move(m_evidence.labels); }
  /// One entry for each step up to the last in which a message came in or a processor worked, idle ones
  /// included: step s is steps()[s - 1]. After 1,048,576 stretches of equal steps, which take more steps than
  /// `max_steps` is by default, none is recorded any more, while counts() and phases() go on.
  [[nodiscard]] step_list const& steps() const& noexcept { return m_steps; }
  [[nodiscard]] step_list steps() && { return std::move(m_steps); }
  /// Whether steps() has all steps, and was not cut off.
  [[nodiscard]] bool has_all_steps() const noexcept {
    return m_steps.empty() || m_steps.size() >= m_counts.rounds;
  }
  /// One entry for each processor, in rank order.
  [[nodiscard]] std::vector<processor_record> const& processors() const& noexcept {
    return m_processors;
  }
  [[nodiscard]] std::vector<processor_record> processors() && { return std::move(m_processors); }

  /// The steps until the last processor is done: a barrier at the end would let all go on in the step
  /// after (counting rule 8). More than counts().steps where processors idle at the end, or where a
  /// barrier of these steps would pass.
  [[nodiscard]] std::uint64_t makespan() const noexcept { return m_evidence.lengths.makespan; }
  /// The operations on the longest path through local work (`processor::work`) and messages. No path
  /// leads through a barrier (counting rule 14).
  [[nodiscard]] std::uint64_t span() const noexcept { return m_evidence.lengths.span; }

  /// The network that it ran on; nullptr for a record that no machine made.
  [[nodiscard]] std::shared_ptr<topology const> const& network() const noexcept {
    return m_evidence.network;
  }
  /// The options of the machine that it ran on.
  [[nodiscard]] machine_options const& options() const noexcept { return m_evidence.options; }

  /// The messages that came in during a step, empty ones included, in the order of (receiver,
  /// sender); none where they were not kept. The first steps' are, without any observer, as far as
  /// 8,192 messages go: `steps_kept` tells.
  [[nodiscard]] std::vector<message_record> messages_in(std::uint64_t step) const;
  /// Messages of the steps up to this one are kept: 8,192 / p steps on a machine with one port, on
  /// others fewer. An observer sees all.
  [[nodiscard]] std::uint64_t steps_kept() const noexcept { return m_evidence.steps_kept; }

  /// Counts the calls of `receive_any` in which the order of messages was a choice: another sender's
  /// oldest message was not sent after the one that was taken, as far as its program could know
  /// (counting rule 13). 0: the run is the same for every order of messages.
  [[nodiscard]] std::uint64_t choices() const noexcept { return m_evidence.choices; }

  /// steps() as rows of text, under a row of headings: step, phase, messages, largest message
  /// (words), volume (words), longest route (links), contention; where processors said what they
  /// work, also work and operations. More than 1,000 equal steps are one row, "3-2002". A last line
  /// says where steps() was cut off.
  [[nodiscard]] std::string table() const;

  /// labels() as rows of text, under a row of headings, those inside of others indented; empty without
  /// labels.
  [[nodiscard]] std::string label_table() const;

  /// The counts as rows of text: name, value, and what the value tells, with its unit; without those
  /// that are 0.
  [[nodiscard]] std::string summary() const;

  /// Writes a page for a browser that shows the run step by step (view_trace). It shows all of a run
  /// on a machine with `machine_options::recorded`; of others the messages that are kept without
  /// an observer, and says what is left out.
  /// A file of that name stays as it is until the page is complete. Needs lockstep::view: a program
  /// that calls it links that library, or `lockstep::lockstep`, which has it.
  /// Errors: incomplete_trace where the file cannot be written; invalid_argument for a record that no
  /// machine made, and notes with a member that the run itself has.
  void view(std::filesystem::path const& file, view_notes const& notes = {}) const;

  /// The run priced by a model, in the model's unit.
  template <cost_model Model>
  [[nodiscard]] double time(Model const& model) const {
    return model.time(m_counts, static_cast<int>(m_processors.size()));
  }
  /// The same where messages that share a link take turns (`with_turns_on_links`): time(model) if none
  /// do.
  template <cost_model Model>
  [[nodiscard]] double time_with_turns_on_links(Model const& model) const {
    return model.time(with_turns_on_links(m_counts), static_cast<int>(m_processors.size()));
  }
  /// time(model) for each phase, in the order of phases(). They need not add up to that of the run.
  template <cost_model Model>
  [[nodiscard]] std::vector<double> phase_times(Model const& model) const {
    std::vector<double> times;
    times.reserve(m_phases.size());
    for (auto const& phase : m_phases)
      times.push_back(model.time(phase, static_cast<int>(m_processors.size())));
    return times;
  }
  /// Computes time_with_turns_on_links(model) for each phase.
  template <cost_model Model>
  [[nodiscard]] std::vector<double> phase_times_with_turns_on_links(Model const& model) const {
    std::vector<double> times;
    times.reserve(m_phases.size());
    for (auto const& phase : m_phases)
      times.push_back(
          model.time(with_turns_on_links(phase), static_cast<int>(m_processors.size())));
    return times;
  }

  /// The times of the run by a clock model (clock_models.hpp): makespan, critical path, and what each
  /// processor does and waits for, as each goes on when it can. The run's machine has
  /// `machine_options::clocked`.
  /// Errors: invalid_argument of another machine, and where not all was kept.
  /// Example: `run.timeline(loggp_clock{.latency_us = 5, .overhead_us = 1}).makespan`, with
  /// <lockstep/timeline.hpp>.
  template <class Model>
  [[nodiscard]] auto timeline(Model const& model) const {
    return timeline_of(*this, model);
  }
  /// The events that are kept for that; nullptr without.
  [[nodiscard]] std::shared_ptr<detail::event_record const> const& events() const noexcept {
    return m_evidence.events;
  }

  /// The sequential time over that of the run: what one processor of the same model takes for as many
  /// operations as the sequential algorithm does, over time(model).
  /// Errors: invalid_argument where the model has no price of an operation, or the run takes no time.
  template <cost_model Model>
  [[nodiscard]] double speedup(Model const& model, std::uint64_t sequential_operations) const {
    auto const sequential = time_of_work(model, sequential_operations);
    auto const parallel = time(model);
    detail::check_speedup(model.name(), sequential_operations, sequential, parallel);
    return sequential / parallel;
  }
  /// speedup over the number of processors. Errors: those of `speedup`.
  template <cost_model Model>
  [[nodiscard]] double efficiency(Model const& model, std::uint64_t sequential_operations) const {
    return speedup(model, sequential_operations) / static_cast<double>(m_processors.size());
  }
  /// The sequential operations over counts().work: the speed-up if messages took no time.
  /// Errors: invalid_argument where the run did no work.
  [[nodiscard]] double speedup(std::uint64_t sequential_operations) const;
  /// The same over the number of processors. Errors: those of `speedup`.
  [[nodiscard]] double efficiency(std::uint64_t sequential_operations) const;

 private:
  friend class machine;
  lockstep::counts m_counts;
  std::vector<phase_record> m_phases;
  step_list m_steps;
  std::vector<processor_record> m_processors;
  run_context m_evidence;
};

/// A run and its results: what the program returned on each processor, in rank order. Where processes run a
/// machine together (`machine_options::cluster`), those of the processors that this one ran.
template <class Result>
class run_of : public run_record {
 public:
  run_of(run_record record, std::vector<Result> results, int first_rank = 0)
      : run_record(std::move(record)), m_results(std::move(results)), m_first_rank(first_rank) {}

  [[nodiscard]] std::vector<Result>& results() & noexcept { return m_results; }
  [[nodiscard]] std::vector<Result> const& results() const& noexcept { return m_results; }
  [[nodiscard]] std::vector<Result> results() && { return std::move(m_results); }

  /// The rank of the processor whose result is the first.
  [[nodiscard]] int first_rank() const noexcept { return m_first_rank; }

  /// Brings the results of all processors to process 0, in rank order, and none to the others. All processes
  /// call it. On a machine of one process, and where results are shared, they are results().
  /// Errors: process_lost.
  [[nodiscard]] std::vector<Result> gather_results() const
    requires detail::gatherable<Result>
  {
    auto* const processes = options().cluster;
    if (processes == nullptr || processes->shares_results()) return m_results;
    return detail::results_on_first(*processes, m_results);
  }

 private:
  std::vector<Result> m_results;
  int m_first_rank = 0;
};

/// The run of a program that returns nothing.
template <>
class run_of<void> : public run_record {
 public:
  explicit run_of(run_record record) : run_record(std::move(record)) {}
};

}  // namespace lockstep
