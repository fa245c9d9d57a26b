#pragma once

#include <cstdint>
#include <limits>
#include <source_location>

namespace lockstep {

/// As many parts as there are processors: everything in one phase.
inline constexpr int one_phase = std::numeric_limits<int>::max();

/// Into how many parts a tree of phases cuts on a machine of latency `tau` and packets of m words:
/// k = tau/m + 1, with which a phase of k - 1 packets costs 2 tau.
/// Errors: invalid_argument unless tau is a whole number of packets, at least one.
/// **Source** JaJa and Ryu 1994, Theorem 3.1.
[[nodiscard]] int tree_arity(std::uint64_t tau, std::uint64_t packet,
                             std::source_location where = std::source_location::current());

/// ceil(log_k p): the phases of a k-ary tree of p processors.
/// Errors: invalid_argument for p < 1 or k < 2.
[[nodiscard]] int tree_phases(int p, int k,
                              std::source_location where = std::source_location::current());

/// Tells whether p is a power of k: every phase cuts into k equal parts.
/// Errors: invalid_argument for k < 2.
[[nodiscard]] bool is_power_of(std::int64_t k, int p,
                               std::source_location where = std::source_location::current());

namespace detail {

/// Errors: invalid_argument for k < 2, naming the `operation`.
void require_arity(char const* operation, int k,
                   std::source_location where = std::source_location::current());

/// Errors: invalid_rank for a root that is not one of the p processors.
void require_root(char const* operation, int root, int processors);

}  // namespace detail

}  // namespace lockstep
