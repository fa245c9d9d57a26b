#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/cost_model.hpp>
#include <lockstep/counts.hpp>

namespace lockstep {

/// What is kept of a run besides its results. What a run that is about to end is asked for is moved
/// out of it, so that `for (auto const& step : machine.run(program).steps())` is all right.
class run_record {
 public:
  run_record() = default;
  run_record(lockstep::counts total, std::vector<phase_record> phases,
             std::vector<step_record> steps, std::vector<processor_record> processors);

  [[nodiscard]] lockstep::counts const& counts() const noexcept { return m_counts; }
  /// One entry for each `phase` call of the whole machine, in order.
  [[nodiscard]] std::vector<phase_record> const& phases() const& noexcept { return m_phases; }
  [[nodiscard]] std::vector<phase_record> phases() && { return std::move(m_phases); }
  /// One entry for each step up to the last in which a message came in, idle ones included: step s
  /// is steps()[s - 1].
  [[nodiscard]] std::vector<step_record> const& steps() const& noexcept { return m_steps; }
  [[nodiscard]] std::vector<step_record> steps() && { return std::move(m_steps); }
  /// One entry for each processor, in rank order.
  [[nodiscard]] std::vector<processor_record> const& processors() const& noexcept {
    return m_processors;
  }
  [[nodiscard]] std::vector<processor_record> processors() && { return std::move(m_processors); }

  /// steps() as rows of text, under a row of headings: step, phase, messages, largest message
  /// (words), volume (words), longest route (links), contention.
  [[nodiscard]] std::string table() const;

  /// The run priced by a model, in the model's unit.
  template <cost_model Model>
  [[nodiscard]] double time(Model const& model) const {
    return model.time(m_counts, static_cast<int>(m_processors.size()));
  }
  /// The same for each phase, in the order of phases(). They need not add up to time(model).
  template <cost_model Model>
  [[nodiscard]] std::vector<double> phase_times(Model const& model) const {
    std::vector<double> times;
    times.reserve(m_phases.size());
    for (auto const& phase : m_phases)
      times.push_back(model.time(phase, static_cast<int>(m_processors.size())));
    return times;
  }

 private:
  lockstep::counts m_counts;
  std::vector<phase_record> m_phases;
  std::vector<step_record> m_steps;
  std::vector<processor_record> m_processors;
};

/// A run and its results: what the program returned on each processor, in rank order.
template <class Result>
class run_of : public run_record {
 public:
  run_of(run_record record, std::vector<Result> results)
      : run_record(std::move(record)), m_results(std::move(results)) {}

  [[nodiscard]] std::vector<Result>& results() & noexcept { return m_results; }
  [[nodiscard]] std::vector<Result> const& results() const& noexcept { return m_results; }
  [[nodiscard]] std::vector<Result> results() && { return std::move(m_results); }

 private:
  std::vector<Result> m_results;
};

/// The run of a program that returns nothing.
template <>
class run_of<void> : public run_record {
 public:
  explicit run_of(run_record record) : run_record(std::move(record)) {}
};

}  // namespace lockstep
