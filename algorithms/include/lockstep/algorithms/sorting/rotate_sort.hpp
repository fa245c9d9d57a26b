#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/sorting/detail/padded_columns.hpp>
#include <lockstep/algorithms/sorting/detail/rotate_plan.hpp>
#include <lockstep/algorithms/sorting/detail/rotate_steps.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Where the rows of a slice lie while its columns are turned (step 4).
enum class slice_rows : std::uint8_t {
  spread,   ///< dealt out as evenly as elsewhere; a phase more where that cuts slices
  whole,    ///< in one processor: no phase more, but more words with few slices
  copied,   ///< all in each processor that has one: no phase more, but more local work
  cheapest  ///< the one that takes the least time
};

/// Options of rotate sort; the same on all processors.
struct rotate_sort_options {
  /// q, elements of a column, at least; made a multiple of a. More than n/p fills columns up.
  std::size_t rows = 0;
  bool stable = false;          ///< whether equal elements stay in order
  std::optional<int> shears{};  ///< times of SHEAR; else `rotate_sort_shears`, or 3 of the original
  slice_rows slices = slice_rows::cheapest;
  std::uint64_t packet = 1;  ///< m: elements that fill a packet; with tau, it chooses the slices
  std::uint64_t tau = 16;    ///< latency in the time of a word
  /// Whether each step of the original algorithm is done by itself, with SHEAR three times: 14
  /// permutations. p has to divide q.
  bool original = false;
};

/// Where the rows of slices lie, and the times of steps 4 and 5, by which that was chosen.
struct slice_choice {
  slice_rows rows = slice_rows::spread;
  double spread_time = 0;
  double whole_time = 0;
  double copied_time = 0;
};

/// The blocks of rotate sort, a x b.
struct rotate_blocks {
  std::size_t rows = 1;     ///< a
  std::size_t columns = 1;  ///< b
};

/// Finds the blocks for p processors: a is the largest divisor of p up to sqrt p. So a = b where p is a square,
/// b = 2a where it is an odd power of two, and a = 1 where it is a prime.
/// Errors: invalid_argument for p < 1.
[[nodiscard]] rotate_blocks rotate_sort_blocks(
    int processors, std::source_location where = std::source_location::current());

/// Finds out whether at most 6 rows are dirty after step 5: p is a square or a power of two.
/// Errors: invalid_argument for p < 1.
/// **Source** Marberg and Gafni 1988, for a = b; lockstep, for p = 2, 8 and 32 by exhaustive runs and samples.
[[nodiscard]] bool rotate_sort_leaves_few_rows(
    int processors, std::source_location where = std::source_location::current());

/// Computes how often SHEAR has to be done in columns of q elements: ceil(log2(1 + 6p/q)) where few rows are
/// dirty. For other p ceil(log2 p), which sorts p dirty columns, as many as there can be: each SHEAR halves
/// them. 0 for columns without elements.
/// Errors: invalid_argument for p < 1.
/// **Source** JaJa and Ryu 1994, remark after Theorem 5.3; for other p lockstep.
[[nodiscard]] int rotate_sort_shears(std::size_t rows, int processors,
                                     std::source_location where = std::source_location::current());

/// Chooses where the rows of slices lie: as `options.slices` says, or, with `cheapest`, where steps
/// 4 and 5 take the least time; spread before whole before copied on a tie.
/// Errors: invalid_argument for p, or p > 2^25, packets of 0 elements, fewer than 0 shears, where a
/// count passes 64 bits, and with `options.original` for columns that p does not divide.
[[nodiscard]] slice_choice choose_slice_rows(
    std::size_t elements, int processors, rotate_sort_options const& options,
    std::source_location where = std::source_location::current());

/// Writes "spread (58), not whole (152) or copied (105)", with the times of steps 4 and 5.
[[nodiscard]] std::string text_of(slice_choice const& choice);

namespace detail {

/// Computes how often SHEAR is done: as the options say, else 3 times in the original and
/// `rotate_sort_shears` otherwise.
/// Errors: invalid_argument for p < 1.
[[nodiscard]] int shears_of(rotate_sort_options const& options, std::size_t rows, int processors);

/// Plans a rotate sort of n elements. Errors: invalid_argument for p, fewer than 0 shears, and with
/// `options.original` for columns that p does not divide.
[[nodiscard]] rotate_plan plan_of_rotate_sort(std::size_t elements, int processors,
                                              rotate_sort_options const& options);

/// As `rotate_sort`, and tells `watch` of it.
template <element_of_columns T, class Less, class Watch>
[[nodiscard]] std::vector<T> watched_rotate_sort(
    processor& me, std::vector<T> elements, std::size_t n, Less const& less,
    rotate_sort_options const& options, Watch& watch,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const plan = plan_of_rotate_sort(n, me.size(), options);
  int const shears = shears_of(options, plan.rows(), me.size());
  return sort_in_columns("rotate_sort", me, std::move(elements), {n, plan.rows(), options.stable},
                         less, [&](processor& us, auto column, auto const& order) {
                           rotate_sorter sorter(us, std::move(column), plan, order, watch);
                           return options.original ? std::move(sorter).sort_as_the_original(shears)
                                                   : std::move(sorter).sort(shears);
                         });
}

}  // namespace detail

/// Sorts n elements in an array of q x p, q = n/p, a column in each processor, by sorting rows and
/// columns in turn and turning rows in between, in a number of phases that does not grow with p.
/// Called by all processors of a crossbar; a phase for each permutation, "1 balance" to "7 shear,
/// to columns". With `options.original` steps 2 and 4 have two phases each: "2 to rows" and "2 to
/// columns", "4 to rows" and "4 to columns". Blocks are sqrt p x sqrt p where p is a square, a x 2a where it is
/// an odd power of two; for other p they are as near to that as divisors of p come, and SHEAR is done as often
/// as sorts any columns.
///
/// `elements`: those of this processor, n/p of them, or, where that is not a multiple of a or
/// `options.rows` is more, at most q. Copied as they are, and default constructible. `n`: elements
/// of all processors. `less`: a strict weak ordering, the same everywhere.
/// Shows: "keys".
/// Result: elements iq to (i+1)q - 1 of the sorted sequence, so n/p where a divides n/p; else the
/// last processors have fewer. Columns are filled up with what no result shows.
/// Stable only with `options.stable`, or where columns are filled up: there each element has its
/// place with it, and both together count as one element, as the paper counts.
/// Errors: invalid_argument for another number of elements, for fewer than 0 shears, and with
/// `options.original` for other p or where p does not divide q; those of the machine. With fewer
/// shears than `rotate_sort_shears` the result may be wrong.
///
/// **Cost** on a crossbar, one-port, packets of m words, where p divides q, and `shears` is how
/// often SHEAR is done, once for n >= 6p^2 (ceil(log2 p) times for other p): 6 + 2 shears start-ups,
/// (6 + 2 shears)(p - 1) rounds, (6 + 2 shears)(p - 1)m ceil(q/(pm)) words. 8 local sorts and two for each
/// SHEAR, two of them merges, whose comparisons `less` may count (`lockstep run` has it count each call as an
/// operation); strict. A `less` that has `sort(std::span<T>)` sorts full columns and rows by itself, as by
/// digits, unless they are to be stable.
/// Where a does not divide n/p^2, as for n < p^2.5, slices of a rows lie in several processors. Then it takes
/// one phase more, in which a processor that shares a slice with g - 1 others meets each of them and keeps
/// one element of g. Without that phase a processor takes in whole slices of ap elements: alone with
/// `slice_rows::whole`, where steps 4 and 5 have messages of a ceil(q/(ap)) elements, and as each of the g
/// processors does with `slice_rows::copied`, where only step 4 has messages of all rows of a processor's slices.
/// The cheapest of the three for `tau` and `packet`, unless `slices` says which.
/// With `options.original`, two permutations more, since in steps 2 and 4 rows go back to columns before
/// UNBLOCK turns them, and SHEAR three times: 8 + 2 shears start-ups, 14 (12 where a = 1), and 14 local sorts;
/// (6 + 2 shears)(p - 1)m ceil(q/(pm)) + 2(a - 1)m ceil(q/(am)) words.
///
/// **Source** JaJa and Ryu 1994, section 5.1, Theorem 5.3; Marberg and Gafni 1988. Other n, and p
/// that are not squares: lockstep. The original has the 14 permutations of the "naive implementation"
/// there, as the proof of the theorem counts them: one in each of steps 1, 3, 5 and 6, two in steps 2
/// and 4, which are not overlapped, and six in step 7.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> mine;
///   for (int i = 0; i < 24; ++i) mine.push_back(i * 7 % 24 * 4 + 3 - me.rank());
///   return lockstep::rotate_sort(me, mine, 96);
/// });
/// run.results()[3][0];    // 72
/// run.counts().startups;  // 8
/// run.counts().words;     // 144
/// ```
template <detail::element_of_columns T, class Less = std::less<>>
[[nodiscard]] std::vector<T> rotate_sort(
    processor& me, std::vector<T> elements, std::size_t n, Less const& less = {},
    rotate_sort_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::unwatched nobody;
  return detail::watched_rotate_sort(me, std::move(elements), n, less, options, nobody);
}

/// Claims what `rotate_sort` costs for n elements with these options.
/// Errors: those of `choose_slice_rows`.
[[nodiscard]] std::vector<claim> rotate_sort_claims(bdm_machine const& on, std::size_t n,
                                                    rotate_sort_options const& options = {});

}  // namespace lockstep
