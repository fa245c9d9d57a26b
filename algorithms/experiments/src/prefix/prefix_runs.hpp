#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/topologies/binary_tree.hpp>

#include "harness/arguments.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "network_kind.hpp"
#include "prefix/prefix_problem.hpp"

namespace lockstep {

inline constexpr text_parameter input_column{
    "column", "column of numbers in the input file; needed if it has several"};

/// Finds how many bytes a prefix has on a processor's stack while it waits.
[[nodiscard]] inline std::size_t waiting_for_prefix(topology const& network) {
  return is<binary_tree>(network) ? 1000 : 1300;
}

/// Requires memory for the prefixes of blocks of a file's rows, of that many bytes each, which are
/// kept once more one after the other.
/// Errors: out_of_memory.
inline void require_memory_for_rows(arguments const& given, std::size_t rows, std::size_t bytes) {
  auto const all = 2 * static_cast<double>(bytes) * static_cast<double>(rows);
  require_memory(given, {.bytes_each = all / given.processors(),
                         .waiting = waiting_for_prefix(given.network()),
                         .held = fmt::format("the prefixes of {} rows", rows),
                         .remedy = "a shorter file"});
}

/// Generates a number for each processor.
/// Errors: invalid_argument for a network without prefixes; out_of_memory.
[[nodiscard]] inline std::vector<std::int64_t> generated_for_all(arguments const& given) {
  require_prefix_network(given.network());
  require_memory(given, {.bytes_each = 192,
                         .waiting = waiting_for_prefix(given.network()),
                         .held = "numbers and their prefixes",
                         .remedy = {}});
  return generated_numbers(given, static_cast<std::size_t>(given.processors()));
}

/// Has every processor make the prefixes of its block by `program(me, block)`, which is one prefix on
/// the machine.
template <class Number, class Program>
[[nodiscard]] experiment_result solve_prefix(prefix_problem<Number> const& of,
                                             Program const& program) {
  auto const& given = of.given;
  return solve(given, {}, prefix_claims(given.network(), 1, given.request().options.ports), of,
               program);
}

/// Completes an experiment: all of one prefix run on the same networks, first `shown`.
[[nodiscard]] inline experiment prefix_experiment_on(std::string const& shown, experiment of) {
  of.topologies = "tree, hypercube, shuffle-exchange";
  of.source = mayr_plaxton_1989;
  of.examples = {shown};
  for (auto const* const kind : {"tree:", "hypercube:", "shuffle-exchange:"})
    for (auto const* const d : {"3", "4", "6", "8"})
      if (kind + std::string(d) != shown) of.examples.push_back(kind + std::string(d));
  return of;
}

}  // namespace lockstep
