#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/random_access_options.hpp>
#include <lockstep/algorithms/random_access/random_access_read_options.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// Claims what random accesses cost on a hypercube that cuts through, a torus or a mesh, with packets
/// of one word: there all messages between the processors go in the rounds of complete exchanges, and
/// stage 2 by way of all processors.
///
/// **Source** Shankar and Ranka 1997, section 8, whose bounds for the two stages of a write leave out
/// the n/(kp) that a processor may send besides its block: they are for a k that makes it of lower
/// order. The bounds with that term, and those of reads, are lockstep's.

/// A write in two stages, both by way of all processors. About "stages_startups" and "stages_words",
/// those of phases "stage 1", "stage 2" and "sends" together, too, and the words of phases as
/// `random_access_write_claims` has them.
/// Errors: invalid_argument for another network.
[[nodiscard]] std::vector<claim> network_write_claims(topology const& network,
                                                      bucket_layout const& layout,
                                                      random_access_options const& options,
                                                      random_access_record const& record);

/// A read. About "stages_startups" and "stages_words", too. Errors: as above.
[[nodiscard]] std::vector<claim> network_read_claims(topology const& network,
                                                     bucket_layout const& layout,
                                                     random_access_read_options const& options,
                                                     random_access_read_record const& record);

/// A transportation, where no processor sends more than r elements or receives more than c. About
/// "stage_1_words" and "stage_2_words", too. Errors: as above.
[[nodiscard]] std::vector<claim> network_transportation_claims(topology const& network,
                                                               std::uint64_t r, std::uint64_t c,
                                                               transportation_route route);

/// Makes the claims of programs that send n elements in order, of each processor and to each at most
/// ceil(n/p), after `scans` of an item. About "sends_startups" and "sends_words", too. Errors: as above.
[[nodiscard]] std::vector<claim> network_monotone_claims(topology const& network, std::uint64_t n,
                                                         int scans);

}  // namespace lockstep
