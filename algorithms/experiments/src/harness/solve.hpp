#pragma once

#include <concepts>
#include <cstdint>
#include <ostream>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/detail/gathered.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/processor.hpp>

#include "files/write_result.hpp"
#include "harness/arguments.hpp"
#include "harness/harness.hpp"
#include "harness/stages.hpp"

namespace lockstep {

/// An instance of a problem, whichever algorithm solves it: what each processor has of the input, the
/// sequential computation that judges a result, and the traffic that every program needs. Where it has
/// more, it says so: the pieces of work of judging, a file, bounds beside those of the traffic, sizes that
/// are not among the parameters and what judging has found.
template <class Problem, class Results>
concept problem_with = requires(Problem& of, processor const& me, Results const& results) {
  of.part_of(me);
  { of.is_solved_by(results) } -> std::same_as<bool>;
  { of.least_traffic(results) } -> std::same_as<traffic_requirement>;
};

/// A problem whose results several processes judge together, each those of its own processors. Others are judged
/// where all results are.
template <class Problem>
concept judged_by_shares = requires { requires std::remove_cvref_t<Problem>::is_judged_by_shares; };

/// Runs `program(me, part of the input)` on every processor, judges and writes what it came to, and
/// finds the lower bounds of every program for the same problem.
/// Errors: those of run_program; bad_input for a file that cannot be written.
template <class Problem, class Program>
[[nodiscard]] experiment_result solve(arguments const& given, machine_needs const& needs,
                                      Problem&& of, Program const& program) {
  asked_output out(given);
  auto const run = [&] {
    auto const of_processor = [&](processor& me) { return program(me, of.part_of(me)); };
    if constexpr (judged_by_shares<Problem>)
      return run_shares(given, needs, of_processor);
    else
      return run_program(given, needs, of_processor);
  }();
  auto const& results = run.results();
  static_assert(problem_with<Problem, std::remove_cvref_t<decltype(results)>>);
  if constexpr (requires { of.pieces_to_check(); }) begin_check(of.pieces_to_check());
  auto result = result_of(given, run, of.is_solved_by(results));
  if constexpr (requires { of.pieces_to_write(); }) {
    auto const write = [&](auto const& all) {
      out.take(result, of.pieces_to_write(), [&](std::ostream& file) { of.write(file, all); });
    };
    bool const has_all = !judged_by_shares<Problem> || given.request().options.cluster == nullptr;
    if (has_all || !out.takes(result))
      write(results);
    else
      write(detail::results_on_first(*given.request().options.cluster, results));
  }
  if (result.correct) {
    result.bounds = lower_bounds(run, of.least_traffic(results));
    if constexpr (requires { of.add_bounds_to(result.bounds); }) of.add_bounds_to(result.bounds);
  }
  if constexpr (requires { of.add_size_to(result); }) of.add_size_to(result);
  return result;
}

/// The same, with claims that are known before it runs: they tell, too, how many steps it is to take.
template <class Problem, class Program>
[[nodiscard]] experiment_result solve(arguments const& given, machine_needs const& needs,
                                      std::vector<claim> claims, Problem&& of,
                                      Program const& program) {
  expect_steps(claims);
  auto result = solve(given, needs, of, program);
  result.claims = std::move(claims);
  return result;
}

}  // namespace lockstep
