#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "index.hpp"

// Shared by tests of collectives.

namespace reference {

using int_list = std::vector<int>;

inline lockstep::machine strict_crossbar(int p, std::uint64_t packet = 1,
                                         lockstep::engine engine = lockstep::engine::fibers) {
  return lockstep::machine(lockstep::crossbar{p},
                           {.strict = true, .packet = packet, .engine = engine, .workers = 1});
}

/// Elements that a processor begins with.
inline int_list made(std::size_t n, int from = 0) {
  int_list numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = 1000 * from + 7 * static_cast<int>(i) + 1;
  return numbers;
}

/// The elements of all processors, added up.
inline int_list sums_of_all(int p, std::size_t n) {
  int_list sums(n);
  for (int rank = 0; rank < p; ++rank)
    std::ranges::transform(sums, made(n, rank), sums.begin(), std::plus<>{});
  return sums;
}

/// Elements [jn/p, (j+1)n/p).
inline int_list piece(int_list const& all, int j, int p) {
  auto const at = [&](int i) {
    return all.begin() + static_cast<std::ptrdiff_t>(index(i) * all.size() / index(p));
  };
  return {at(j), at(j + 1)};
}

/// Runs the program on a strict crossbar, and checks what each processor has. `expected`: by rank.
template <class Program, class Expected>
auto check_results(lockstep::machine const& on, Program const& program, Expected const& expected) {
  auto run = on.run(program);
  for (int rank = 0; rank < on.size(); ++rank) CHECK(run.results()[index(rank)] == expected(rank));
  return run;
}

/// Checks counts, but for messages.
inline void check_counts(lockstep::counts const& all, lockstep::schedule_counts const& expected) {
  CHECK(all.words == expected.words);
  CHECK(all.startups == expected.startups);
  CHECK(all.rounds == expected.rounds);
  CHECK(all.volume == expected.volume);
}

}  // namespace reference
