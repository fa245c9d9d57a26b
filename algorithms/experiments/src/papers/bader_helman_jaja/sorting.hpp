#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/cost_models.hpp>
#include <lockstep/experiments/papers.hpp>

#include "papers/bader_helman_jaja/times.hpp"
#include "papers/fitted_model.hpp"

namespace lockstep {

/// A radix sort of made keys of 32 bits with R = 1024, the paper's typical radix: four passes.
struct sorting_input {
  int processors = 16;
  std::int64_t keys = 0;
  std::string distribution = "R";  ///< R, S, C, N
  std::string blocks = "padded";   ///< padded, real

  friend auto operator<=>(sorting_input const&, sorting_input const&) = default;
};

/// The cost, by a run.
struct sorting_costs {
  counts all;
  std::int64_t passes = 0;
  bool correct = false;
};

/// Errors: those of machine::run.
[[nodiscard]] sorting_costs measured_sort(sorting_input const& input);

/// Words of a pass, (3R/p + 2(n/p^2 + p/2))(p - 1): with padded blocks exactly, if p is even and
/// p^2 divides n; with blocks of real size at most.
/// Source: Bader, Helman and JaJa 1996, sections 3 and 4.1.
[[nodiscard]] std::uint64_t words_of_a_pass(int processors, std::int64_t keys);

/// The machine's seconds for the paper's own sort, and what its four passes cost.
[[nodiscard]] std::vector<timed_counts> sorting_costs_on(sorting_machine const& machine);

/// tau and sigma of that machine, fitted to these times.
[[nodiscard]] tau_sigma_model sorting_model(sorting_machine const& machine);

/// Words of each distribution on that many processors, beside the formula; a row for each number of
/// keys and each kind of block.
[[nodiscard]] paper_table distributions_table(int processors,
                                              std::vector<std::int64_t> const& keys);

/// Counted words of Table III's inputs, and its seconds beside priced times; Figure 4's claim.
/// Without what takes more processors.
[[nodiscard]] std::vector<paper_table> sorting_tables(int most_processors);

}  // namespace lockstep
