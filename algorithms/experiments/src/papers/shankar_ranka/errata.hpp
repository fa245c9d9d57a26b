#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Makes a remark on cells of Shankar and Ranka's tables, by the numbers of docs/errata.
[[nodiscard]] erratum doubled_bound();            ///< 1: 2(r + c) in the place of r + c
[[nodiscard]] erratum terms_of_lower_order();     ///< 2: p^2, and the vectors
[[nodiscard]] erratum whole_sparse_buckets();     ///< 3: one processor gets many whole buckets
[[nodiscard]] erratum whole_weighted_buckets();   ///< 3: in our own variant, twice as many
[[nodiscard]] erratum scans_and_all_gather();     ///< 6: of our programs
[[nodiscard]] erratum whole_elements();           ///< 10: messages of m words are rounded up
[[nodiscard]] erratum whole_bucket_in_a_round();  ///< a remark: of n/(kp) words
[[nodiscard]] erratum startups_of_vectors();      ///< a remark: O(log p) besides those of stages
[[nodiscard]] erratum words_of_scans();           ///< a remark: O(p) besides those of sends
[[nodiscard]] erratum operations_of_scans();      ///< a remark: O(log p) besides those of elements
[[nodiscard]] erratum sparse_buckets_alone();     ///< a remark: no bucket goes in two stages
[[nodiscard]] erratum whole_cells();              ///< a remark: vectors of few words are not cut

}  // namespace lockstep
