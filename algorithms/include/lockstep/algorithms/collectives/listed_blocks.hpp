#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/collective_operation.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// Counts what `gatherv`, `scatterv`, `all_gatherv` and `all_to_allv` take on a network, message by
/// message.
///
/// `operation`: gather, scatter, all_gather or all_to_all. `sizes`: elements of the block of each
/// processor; of all_to_all p*p, of the block from processor i to processor j in place i*p + j.
/// `options`: scheme and root.
/// Errors: invalid_argument for another operation, another number of sizes, a scheme that does not
/// fit or is for blocks of one size, for p > 2^25, packets of 0 words, and where a count passes 64
/// bits; invalid_rank for a root that is not a rank.
///
/// **Cost** of gather and scatter O(p log p) or, by a tree, O(p) time; of all_gather O(p) time for each
/// round; of all_to_all O(p^2) time for each round that a block travels.
///
/// **Example**
/// ```
/// std::array<std::size_t, 4> const sizes{5, 0, 0, 1};
/// auto const counts = lockstep::listed_counts(lockstep::collective_operation::gather,
///                                             lockstep::mesh{2, 2}, sizes);
/// counts.rounds;  // 2
/// counts.words;   // 2: a word goes two rounds, and the root has the five
/// ```
[[nodiscard]] schedule_counts listed_counts(
    collective_operation operation, topology const& network, std::span<std::size_t const> sizes,
    collective_options const& options = {}, std::uint64_t packet = 1,
    std::source_location where = std::source_location::current());

/// The same as claims, which hold on a strict machine with one port.
[[nodiscard]] std::vector<claim> listed_claims(collective_operation operation,
                                               topology const& network,
                                               std::span<std::size_t const> sizes,
                                               collective_options const& options = {},
                                               std::uint64_t packet = 1);

namespace detail {

/// Finds the scheme of a collective whose blocks are of any sizes. Errors: those of `listed_counts`.
[[nodiscard]] collective_scheme scheme_of_listed(collective_operation operation,
                                                 topology const& network, collective_scheme asked,
                                                 std::uint64_t packet);

}  // namespace detail

}  // namespace lockstep
