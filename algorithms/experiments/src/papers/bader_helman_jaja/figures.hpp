#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Figures 2 and 6: time to route the h-family (equation 7) over the number of processors, at least
/// 8 each: h = 4n/p with a curve for each number of elements, and one number of elements with a
/// curve for each of h = n/p, 2n/p, 4n/p, 8n/p. p^2 divides each number of elements.
/// Errors: those of machine::run; broken_invariant for a wrong result, which has no time.
[[nodiscard]] paper_figure routing_over_sizes(std::span<int const> processors,
                                              std::vector<std::int64_t> const& elements);
[[nodiscard]] paper_figure routing_over_h(std::span<int const> processors, std::int64_t elements);

/// Figure 4: time to sort on that many processors, over the number of keys, with a curve for each
/// distribution.
/// Errors: those of machine::run; broken_invariant for a wrong result.
[[nodiscard]] paper_figure sorting_over_distributions(int processors,
                                                      std::vector<std::int64_t> const& keys);

/// Figure 5: time to sort over the number of keys, with a curve for each number of processors.
/// Errors: those of machine::run; broken_invariant for a wrong result.
[[nodiscard]] paper_figure sorting_over_sizes(std::span<int const> processors,
                                              std::vector<std::int64_t> const& keys);

}  // namespace lockstep
