#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/collective_operation.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/claim.hpp>

namespace lockstep {

/// A machine for which claims are made: p processors, packets of m words, latency tau. Elements are
/// words.
struct bdm_machine {
  int p = 1;
  std::uint64_t tau = 16;
  std::uint64_t packet = 1;
};
using block_machine = bdm_machine;  ///< its former name

namespace detail {

/// Errors: invalid_argument unless there is a processor, and packets have a word.
void require_machine_of_claims(char const* claims, bdm_machine const& on);

}  // namespace detail

/// Makes the claims, the papers' and ours, about each on a crossbar: exact counts, and bounds on
/// the time, priced by the block-distributed model. `rows`: of the q x p matrix; `n`: words of a
/// block, of scatter, gather and all-gather those of all processors together.
/// Errors: invalid_argument for p < 1, packets of 0 words or k < 2, where a count passes 64 bits, and
/// for p > 2^25 where processors are gone through one by one (`piece_tree_counts`); invalid_rank for a
/// root that is not a rank.
[[nodiscard]] std::vector<claim> transpose_claims(bdm_machine const& on, std::size_t rows);
[[nodiscard]] std::vector<claim> broadcast_claims(bdm_machine const& on, std::size_t n,
                                                  collective_options const& options);
[[nodiscard]] std::vector<claim> scatter_claims(bdm_machine const& on, std::size_t n,
                                                scatter_options const& options);
[[nodiscard]] std::vector<claim> all_gather_claims(bdm_machine const& on, std::size_t n,
                                                   all_gather_options const& options);
[[nodiscard]] std::vector<claim> reduce_claims(bdm_machine const& on, std::size_t n,
                                               collective_options const& options);
[[nodiscard]] std::vector<claim> all_reduce_claims(bdm_machine const& on, std::size_t n,
                                                   collective_options const& options);

/// Of `block_broadcast` and `matrix_sum`, which always cut a block into pieces. `n`: of the n x n
/// matrices; the figure "additions" is of the processor that has the most.
[[nodiscard]] std::vector<claim> block_broadcast_claims(bdm_machine const& on, std::size_t words,
                                                        scatter_options const& options);
[[nodiscard]] std::vector<claim> matrix_sum_claims(bdm_machine const& on, std::size_t n,
                                                   scatter_options const& options);

/// Counts what an operation takes on a network by a scheme that fits it, but with one port those of JaJa
/// and Ryu, by formulas, or by going along the links of a tree. `elements`: of the vector in broadcast, reduce,
/// all-reduce and scan; else of a processor's block, in all-to-all of a pair's.
/// `with`: the port rule; with all ports the rounds of schemes that do not use them are those of one.
/// Errors: invalid_argument for a scheme that does not fit, or is one of JaJa and Ryu, for p >
/// 2^25, and where a count passes 64 bits; invalid_rank for a root that is not a rank.
[[nodiscard]] schedule_counts collective_counts(
    collective_operation operation, topology const& network, std::size_t elements,
    collective_options const& options = {}, std::uint64_t packet = 1, ports with = ports::one,
    std::source_location where = std::source_location::current());

/// The same as claims, which hold on a strict machine with that port rule. With all ports those of
/// `direct`, `transpose`, `tree` and `two_way` are exact, and those of the others bounds: there no message
/// goes later than with one port, and some may go earlier, so that rounds are no more; those that meet in
/// one are others, so that nothing is claimed of words and start-ups.
[[nodiscard]] std::vector<claim> collective_claims(collective_operation operation,
                                                   topology const& network, std::size_t elements,
                                                   collective_options const& options = {},
                                                   std::uint64_t packet = 1,
                                                   ports with = ports::one);

/// The cheaper one of a tree, k = tau/m + 1, and one phase; that, if both cost the same, or tau is
/// not a whole number of packets.
/// **Source** JaJa and Ryu 1994, Corollary 3.1.
[[nodiscard]] scatter_options cheapest_scatter(bdm_machine const& on, std::size_t n, int root);

/// The cheapest of one phase, `in_two_phases` if there is one element each, and k = tau/m + 1, if
/// that is a whole number.
/// **Source** JaJa and Ryu 1994, Lemma 3.2.
[[nodiscard]] all_gather_options cheapest_all_gather(bdm_machine const& on, std::size_t n);

}  // namespace lockstep
