#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/network_claims.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "harness/solve.hpp"
#include "network_kind.hpp"
#include "random_access/access_files.hpp"
#include "random_access/access_input.hpp"
#include "random_access/access_traffic.hpp"
#include "random_access/sequential_memory.hpp"

namespace lockstep {

/// The value of element i in generated input: D(i) = i + 1.
[[nodiscard]] inline std::uint64_t numbered_value(std::size_t i) { return i + 1; }

/// The read problem: a memory lies on the processors in blocks; each place of `readers` is to have the
/// values at the address of its pointer. It is solved by a random access read, and, where pointers are in
/// order, by what brings elements together, apart, or to all addresses up to the next one.
struct read_problem {
  bucket_layout memory;
  bucket_layout readers;
  std::vector<std::size_t> pointers;  ///< of the places; there are none behind these
  std::size_t words = 1;              ///< at each address
  std::function<std::uint64_t(std::size_t address, std::size_t word)> stored =
      [](std::size_t address, std::size_t /*word*/) { return numbered_value(address); };
  number_table const* table = nullptr;  ///< whose rows are read, and written to the output file

  /// The values at the addresses of a processor.
  [[nodiscard]] std::vector<std::uint64_t> part_of(processor const& me) const;
  [[nodiscard]] std::span<std::size_t const> pointers_of(int rank) const;
  [[nodiscard]] static std::uint64_t pieces_to_check() { return 0; }
  /// Whether each processor has what a sequential memory gives to its places.
  template <class Value>
  [[nodiscard]] bool is_solved_by(std::vector<std::vector<Value>> const& results) const {
    for (int rank = 0; rank < readers.processors(); ++rank)
      if (results[static_cast<std::size_t>(rank)] !=
          read_in_turn<Value>(pointers_of(rank), words, stored))
        return false;
    return true;
  }
  [[nodiscard]] std::uint64_t pieces_to_write() const { return pointers.size(); }
  /// Writes the names of the table's columns, and the rows that were read, as they stand there.
  template <class Results>
  void write(std::ostream& out, Results const& /*results*/) const {
    write_rows(out);
  }
  /// Says what any program needs: each value comes once to each processor that reads it elsewhere.
  template <class Results>
  [[nodiscard]] traffic_requirement least_traffic(Results const& /*results*/) const {
    return traffic_of(needed(), memory.processors(), words);
  }
  /// Adds n, and k where the experiment has buckets.
  void add_size_to(experiment_result& result) const { record_layout(result, memory); }

  /// Counts q, where values that one processor has for neighbouring places of another go in one message.
  [[nodiscard]] std::uint64_t most_messages_in_order() const;

 private:
  [[nodiscard]] std::vector<needed_value> needed() const;
  void write_rows(std::ostream& out) const;
};

/// Makes claims for p processors, n addresses, and q messages of a processor at most.
using claims_of_sends = std::vector<claim> (*)(int p, std::uint64_t n, std::uint64_t q);

/// Solves the problem by `program(me, values of its part)`, which sends in order: adds the counts and the
/// claims of such sends. `scans`: of an item, where sends go by way of all processors.
template <class Program>
[[nodiscard]] experiment_result solve_in_order(arguments const& given, read_problem const& problem,
                                               claims_of_sends claims, int scans,
                                               Program const& program) {
  auto result = solve(given, needs_of_access(), problem, program);
  auto const q = problem.most_messages_in_order();
  add_sends(result, q);
  bool const is_crossbar = is<crossbar>(given.network());
  if (!is_crossbar) add_sums(result, "sends", {"sends"});
  if (given.request().options.packet == 1)
    result.claims =
        is_crossbar ? claims(given.processors(), problem.memory.elements(), q)
                    : network_monotone_claims(given.network(), problem.memory.elements(), scans);
  return result;
}

}  // namespace lockstep
