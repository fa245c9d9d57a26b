#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/expectation.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/options.hpp>
#include <lockstep/problem_instance.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// first, first + 1, ..., last.
[[nodiscard]] std::vector<int> integers(int first, int last);
/// first, 2 first, 4 first, ... up to last. Errors: invalid_argument for first < 1.
[[nodiscard]] std::vector<int> powers_of_two(int first, int last);
/// Former names of these two.
[[nodiscard]] inline std::vector<int> between(int first, int last) { return integers(first, last); }
[[nodiscard]] inline std::vector<int> doubling(int first, int last) {
  return powers_of_two(first, last);
}

/// A run of a sweep.
struct sweep_point {
  problem_instance at;
  lockstep::counts counts{};  ///< what it cost; nothing where it ended in an error
  /// The measured values of the claims' subjects, in the order of the claims.
  std::vector<double> measured{};
  /// On the figures of every program for the problem, where `sweep::traffic` says what that moves.
  std::vector<lower_bound> bounds{};
  std::uint64_t makespan = 0;  ///< steps until the last processor was done
  std::uint64_t span = 0;      ///< operations on the longest path; 0 without work
  std::string error{};         ///< what the run ended in, or which processor had a wrong result
  std::string report{};        ///< why it is not as claimed; empty where it is
  bool has_ended = false;      ///< whether it came to its end, with a right result or a wrong one
};

/// Keeps the finished runs of a sweep, so that an interrupted one goes on from them; `runs_in_file`
/// (lockstep/sweep_output.hpp) does in a file.
class run_store {
 public:
  run_store() = default;
  run_store(run_store const&) = delete;
  run_store& operator=(run_store const&) = delete;
  virtual ~run_store() = default;
  /// Begins with a sweep, and gives its runs that are finished, by their places in it. Their `at` and
  /// `measured` may be empty. `text`: differs between sweeps of other networks, parameters, options, claims or
  /// traffic, and other values of these two; programs it does not tell from each other.
  [[nodiscard]] virtual std::map<std::size_t, sweep_point> begin(std::string const& text) = 0;
  /// Keeps a run. Several threads may do so at the same time.
  virtual void keep(std::size_t place, sweep_point const& run) = 0;
};

/// The result of a sweep.
class sweep_result {
 public:
  sweep_result(std::vector<claim> claims, std::vector<sweep_point> points)
      : m_claims(std::move(claims)), m_points(std::move(points)) {}

  [[nodiscard]] std::vector<sweep_point> const& points() const noexcept { return m_points; }
  [[nodiscard]] std::vector<claim> const& claims() const noexcept { return m_claims; }
  /// Whether every run ended without an error, had the right result, and cost as much as claimed,
  /// and whether the runs decide each claim.
  [[nodiscard]] bool holds() const { return first_mismatch() == nullptr && undecided().empty(); }
  /// The first run that did not, or nullptr.
  [[nodiscard]] sweep_point const* first_mismatch() const;
  /// Judges the claim of that number by all runs: an order of growth, and what is claimed about, by
  /// `judge_order`, along each size that varies while the others stay: the processors of networks
  /// of a kind, and each parameter. Runs outside its hypotheses do not count.
  /// Errors: those of the formulas.
  [[nodiscard]] judgement judged(std::size_t claim) const;
  /// Writes a row for each run: its instance, and the claims beside the measured values; where
  /// messages of any run share links, also the steps and words in turns; below it the least and the
  /// largest constant of each order of growth, and the verdict.
  [[nodiscard]] std::string table() const;
  /// Writes the first mismatch, with the first step where it went wrong, or the claims that all
  /// runs together do not confirm; then the table.
  [[nodiscard]] std::string report() const;

 private:
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool has_turns() const;
  [[nodiscard]] std::vector<std::string> headings() const;
  [[nodiscard]] std::vector<std::string> row_of(sweep_point const& point) const;
  [[nodiscard]] std::string constants() const;
  [[nodiscard]] std::string undecided() const;

  std::vector<claim> m_claims;
  std::vector<sweep_point> m_points;
};

/// Runs a program on many networks and for many values of its parameters, and compares what it
/// costs with claims: one run for each network and each choice of values.
///
///   auto const result = sweep()
///                           .on(integers(1, 6), [](int d) { return hypercube{d}; })
///                           .over("m", {1, 4, 16})
///                           .run(program, {{"words", "m log p", formula}});
///   CHECK_THAT(result, holds_everywhere());   // or: CHECK(result.holds()) << result.report();
///
/// For long sweeps: `.parallel()` uses all cores, `.resume(runs_in_file("runs"))` goes on after an
/// interruption.
class sweep {
 public:
  /// Adds a network.
  template <std::derived_from<topology> Network>
  [[nodiscard]] sweep on(Network network) const {
    return on(std::make_shared<Network const>(std::move(network)));
  }
  [[nodiscard]] sweep on(std::shared_ptr<topology const> network) const;
  /// Adds a network for each number: dimensions, processors, ...
  /// Errors: what `make` throws.
  template <std::invocable<int> Factory>
  [[nodiscard]] sweep on(std::vector<int> const& sizes, Factory const& make) const {
    auto more = *this;
    for (int const size : sizes) more = more.on(make(size));
    return more;
  }
  /// Adds a parameter and its values. Errors: invalid_argument without values, or if it has some.
  [[nodiscard]] sweep over(std::string name, std::vector<double> values) const;
  template <std::ranges::input_range Values>
  [[nodiscard]] sweep over(std::string name, Values const& values) const {
    std::vector<double> numbers;
    for (auto const value : values) numbers.push_back(static_cast<double>(value));
    return over(std::move(name), std::move(numbers));
  }
  /// Leaves out the combinations for which the predicate is false.
  [[nodiscard]] sweep where(std::function<bool(problem_instance const&)> is_wanted) const;
  /// Sets the options of the machines. With a cluster all its processes make each run together, so the sweep goes
  /// without `parallel` and `resume`, which `run` refuses.
  [[nodiscard]] sweep with(machine_options const& options) const;
  /// Says what every program for the problem has to move, from which the lower bounds of each run follow. A
  /// run below one of them is a mismatch.
  [[nodiscard]] sweep traffic(std::function<traffic_requirement(problem_instance const&)> of) const;
  /// Makes several runs at a time, 1 to 256, by default one on each core; without it one after the other. The
  /// program is called by several machines at the same time then, each with one worker unless the options name a
  /// number, and so are the formulas and hypotheses of claims and the function of `traffic`: what they share with
  /// each other they may only read, or have to guard. The result is the same.
  /// Errors: invalid_argument for another number.
  [[nodiscard]] sweep parallel(int runs = 0) const;
  /// Keeps the finished runs, and takes over those that the store has of this sweep. A store that was begun with
  /// other claims, other values of theirs, or other traffic is of another sweep.
  /// Errors: invalid_argument for no store.
  [[nodiscard]] sweep resume(std::shared_ptr<run_store> store) const;

  /// Runs `program(me, at)`, where `at` is a problem_instance. If it returns bool, false means that
  /// a processor has a wrong result, which is a mismatch. So is a run that ends in an error; the
  /// sweep goes on. While a `progress_scope` lives, its board has the number of runs that are done.
  /// Errors: those of the claims' formulas, of the traffic and of the store, after which no more runs begin;
  /// invalid_argument without anything to run, and for a cluster with `parallel` or `resume`.
  template <class Program>
    requires std::invocable<Program const&, processor&, problem_instance const&>
  [[nodiscard]] sweep_result run(Program const& program,
                                 std::vector<claim> const& claims = {}) const {
    return run_all(
        [&](machine const& on, problem_instance const& at) {
          return run_once(on, [&](processor& me) { return program(me, at); });
        },
        claims);
  }

 private:
  struct finished_run {
    run_record record;
    int wrong_rank = -1;  ///< whose result is wrong, if any
  };
  using one_run = std::function<finished_run(machine const&, problem_instance const&)>;

  template <class Program>
  [[nodiscard]] static finished_run run_once(machine const& on, Program const& program) {
    using result = std::invoke_result_t<Program const&, processor&>;
    if constexpr (std::is_same_v<result, bool>) {
      auto run = on.run([&](processor& me) -> int { return program(me) ? 1 : 0; });
      finished_run done{run, -1};
      for (int rank = on.size() - 1; rank >= 0; --rank)
        if (run.results()[static_cast<std::size_t>(rank)] == 0) done.wrong_rank = rank;
      return done;
    } else {
      return {on.run([&](processor& me) { static_cast<void>(program(me)); })};
    }
  }
  [[nodiscard]] sweep_result run_all(one_run const& run, std::vector<claim> const& claims) const;
  [[nodiscard]] std::vector<problem_instance> settings() const;
  [[nodiscard]] sweep_point measured(one_run const& run, problem_instance const& at,
                                     std::vector<claim> const& claims) const;
  [[nodiscard]] std::string text_of(std::vector<problem_instance> const& all,
                                    std::vector<claim> const& claims) const;

  std::vector<std::shared_ptr<topology const>> m_networks;
  std::vector<std::pair<std::string, std::vector<double>>> m_parameters;
  std::vector<std::function<bool(problem_instance const&)>> m_filters;
  machine_options m_options{};
  std::function<traffic_requirement(problem_instance const&)> m_traffic;
  int m_parallel = 1;
  std::shared_ptr<run_store> m_store;
};

/// A matcher for Catch2's CHECK_THAT: whether a sweep holds.
class holds_everywhere {
 public:
  [[nodiscard]] bool match(sweep_result const& result) const;
  [[nodiscard]] std::string toString() const;  // NOLINT(readability-identifier-naming)

 private:
  mutable std::string m_last_report;
};

/// Checks a sweep in a test without a framework.
/// Errors: expectation_failed, with the report.
void require(sweep_result const& result);

}  // namespace lockstep
