#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/detail/piece_tree.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// How `scatter` and `gather` go about it. All processors say the same.
struct scatter_options {
  int k = one_phase;  ///< of the tree; `one_phase`: the root itself with each other processor
  int root = 0;
  access how = access::messages;
};

namespace detail {

void require_scattered(char const* operation, scatter_options const& options, int processors);

/// Errors: invalid_argument unless there are n of them.
void require_elements(char const* operation, std::size_t given, std::size_t n);

/// The pieces from `of`; only the root needs to have the elements.
template <payload_element T>
[[nodiscard]] std::vector<T> scatter_pieces(processor& me, std::span<T const> elements,
                                            pieces const& of, scatter_options const& options) {
  piece_tree const tree(me, of, options.k, options.root);
  std::vector<T> held(tree.room());
  if (me.rank() == options.root)
    std::ranges::rotate_copy(elements,
                             elements.begin() + static_cast<std::ptrdiff_t>(of.before(me.rank())),
                             held.begin());
  tree.scatter(me, options.how, std::span(held), piece_labels::from(options.root));
  held.resize(of.size(me.rank()));
  return held;
}

/// And back. Result: at the root all elements, in the order of ranks; elsewhere none.
template <payload_element T>
[[nodiscard]] std::vector<T> gather_pieces(processor& me, std::span<T const> mine, pieces const& of,
                                           scatter_options const& options,
                                           piece_labels const& labels) {
  piece_tree const tree(me, of, options.k, options.root);
  std::vector<T> held(tree.room());
  std::ranges::copy(mine, held.begin());
  tree.gather(me, options.how, std::span(held), labels);
  if (me.rank() != options.root) return {};
  auto const behind_the_root = of.elements() - of.before(me.rank());
  std::ranges::rotate(held, held.begin() + static_cast<std::ptrdiff_t>(behind_the_root));
  return held;
}

}  // namespace detail

/// Deals out the root's n elements: processor i gets piece i, elements floor(in/p) to
/// floor((i+1)n/p). Called by all processors of a crossbar.
///
/// `elements`: n at the root; elsewhere it is not looked at.
/// Shows: "pieces", those that a processor has not sent on.
/// Result: this processor's piece.
/// Errors: invalid_argument for k < 2, or if the root has not n elements; invalid_rank for a root
/// that is not a rank; those of the machine.
///
/// **Cost** on a crossbar, one-port: with `one_phase` p - 1 rounds, 1 start-up, and the words of the
/// pieces of all but the root, each rounded up to packets. With k = tau/m + 1 ceil(log_k p) phases; a
/// leader of L processors sends each of min(k, L) - 1 others what belongs to the processors for
/// which it leads, ceil or floor of L/k of them: a time of at most 2 tau ceil(log_k p) + n. Strict.
///
/// **Source** JaJa and Ryu 1994, Corollary 3.1; Bader, Helman and JaJa 1996, section 1. The cuts
/// for a p that is not a power of k, and roots other than 0, are lockstep.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> all;
///   if (me.rank() == 0) all = {10, 11, 12, 13, 14, 15, 16, 17};
///   return lockstep::scatter(me, std::span<int const>(all), 8);
/// });
/// run.results()[3];    // {16, 17}
/// run.counts().words;  // 6
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> scatter(processor& me, std::span<T const> elements, std::size_t n,
                                     scatter_options const& options = {},
                                     std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_scattered("scatter", options, me.size());
  if (me.rank() == options.root) detail::require_elements("scatter", elements.size(), n);
  return detail::scatter_pieces(me, elements, pieces(n, me.size()), options);
}

/// `scatter` backwards: processor i has piece i of n elements, and the root gets all of them.
/// Shows: "pieces", those that have come and have not been sent on.
/// Result: at the root n elements in the order of ranks; elsewhere none.
/// Errors: invalid_argument if this processor's piece is not of its size; those of `scatter`.
/// **Cost**, **Source**: those of `scatter`.
template <payload_element T>
[[nodiscard]] std::vector<T> gather(processor& me, std::span<T const> mine, std::size_t n,
                                    scatter_options const& options = {},
                                    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_scattered("gather", options, me.size());
  pieces const of(n, me.size());
  detail::require_elements("gather", mine.size(), of.size(me.rank()));
  return detail::gather_pieces(me, mine, of, options, detail::piece_labels::to(options.root));
}

}  // namespace lockstep
