#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/detail/piece_tree.hpp>
#include <lockstep/algorithms/collectives/detail/truth_values.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// How `scatter` and `gather` go about it. All processors say the same.
struct scatter_options {
  /// On a crossbar `automatic` is the tree of arity k; elsewhere `binomial`, or `tree`.
  chosen_scheme scheme = collective_scheme::automatic;
  int k = one_phase;  ///< of the tree; `one_phase`: the root itself with each other processor
  int root = 0;
  access how = access::messages;
};

namespace detail {

void require_scattered(char const* operation, scatter_options const& options, int processors);

/// Errors: invalid_argument unless p divides n.
void require_equal_pieces(char const* operation, std::size_t n, int processors);

/// Finds the scheme of a call. Errors: those of `scheme_for`.
[[nodiscard]] inline fitted_scheme scheme_of_blocks(collective_operation operation,
                                                    processor const& me, collective_scheme asked,
                                                    std::size_t elements, int root = 0) {
  return scheme_for({.operation = operation, .scheme = asked, .elements = elements, .root = root},
                    me);
}

/// Finds the scheme of a call whose blocks are listed: those in which every processor knows all sizes
/// at hand. Errors: those of `scheme_for`; invalid_argument unless there are p sizes.
[[nodiscard]] collective_scheme scheme_of_listed(collective_operation operation,
                                                 processor const& me, collective_scheme asked,
                                                 std::size_t sizes);

/// Finds the options with the arity that a scheme of the crossbar has.
template <class Options>
[[nodiscard]] Options with_arity_of(Options options) {
  if (options.scheme == collective_scheme::direct) options.k = one_phase;
  if (options.scheme == collective_scheme::k_ary && options.k == one_phase) options.k = 2;
  if (options.scheme == collective_scheme::circulant) options.k = 2;
  return options;
}

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
/// floor((i+1)n/p). Called by all processors of a machine or subset.
///
/// `elements`: n at the root; elsewhere it is not looked at.
/// Shows: "pieces", those that a processor has not sent on, with the schemes of a crossbar; with
/// others "values of the blocks" that it has not.
/// Result: this processor's piece.
/// Errors: invalid_argument for a scheme that does not fit the network, for k < 2, or if the root has
/// not n elements; invalid_rank for a root that is not a rank; those of the machine.
///
/// **Cost** one-port, strict, contention 1, n_i the sizes of the dimensions: `binomial`
/// sum ceil(log2 n_i) rounds, and where all sizes are powers of two n (p - 1)/p words; `tree` as many
/// rounds as it takes in a breadth-first tree, in each the elements of all below a child. With all ports
/// as many as links to the farthest processor; `direct`, on a crossbar, 1 round, as long as the largest piece.
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
  pieces const of(n, me.size());
  auto const scheme = detail::scheme_of_blocks(collective_operation::scatter, me, options.scheme,
                                               of.size(0), options.root);
  if (detail::goes_at_once(me, scheme, options)) {
    me.barrier();
    return detail::scatter_at_once(me, options.root, of, elements);
  }
  if (detail::is_of_crossbar(scheme))
    return detail::scatter_pieces(me, elements, of, detail::with_arity_of(options));
  detail::require_messages(collective_operation::scatter, options.how);
  me.barrier();
  return detail::scatter_on_network(detail::network_call(me, scheme, options.root), of, elements);
}

/// The same where processor i gets `sizes[i]` elements. All processors pass the same sizes.
/// Errors: besides, invalid_argument unless there are p sizes, and for the schemes of a crossbar but
/// binomial, which is taken there.
template <payload_element T>
[[nodiscard]] std::vector<T> scatterv(
    processor& me, std::span<T const> elements, std::span<std::size_t const> sizes,
    scatter_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_scattered("scatterv", options, me.size());
  auto const scheme =
      detail::scheme_of_listed(collective_operation::scatter, me, options.scheme, sizes.size());
  detail::listed_blocks const of(sizes);
  if (me.rank() == options.root)
    detail::require_elements("scatterv", elements.size(), of.before(me.size()));
  me.barrier();
  return detail::scatter_on_network(detail::network_call(me, scheme, options.root), of, elements);
}

/// Both for a vector, array and the like.
template <payload_range Elements>
[[nodiscard]] auto scatter(processor& me, Elements const& elements, std::size_t n,
                           scatter_options const& options = {},
                           std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return scatter(me, std::span<std::ranges::range_value_t<Elements> const>(elements), n, options);
}
template <payload_range Elements>
[[nodiscard]] auto scatterv(processor& me, Elements const& elements,
                            std::span<std::size_t const> sizes, scatter_options const& options = {},
                            std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return scatterv(me, std::span<std::ranges::range_value_t<Elements> const>(elements), sizes,
                  options);
}

/// `scatter` backwards: processor i has piece i of n elements, and the root gets all of them.
/// Shows: "pieces", those that have come and have not been sent on, with the schemes of a crossbar;
/// with others "values of the blocks" that have.
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
  auto const scheme = detail::scheme_of_blocks(collective_operation::gather, me, options.scheme,
                                               of.size(0), options.root);
  if (detail::goes_at_once(me, scheme, options)) {
    me.barrier();
    return detail::gather_at_once(me, options.root, of, mine);
  }
  if (detail::is_of_crossbar(scheme))
    return detail::gather_pieces(me, mine, of, detail::with_arity_of(options),
                                 detail::piece_labels::to(options.root));
  detail::require_messages(collective_operation::gather, options.how);
  me.barrier();
  return detail::gather_on_network(detail::network_call(me, scheme, options.root), of, mine);
}

/// The same for a block of each, all of one size.
template <payload_range Block>
[[nodiscard]] auto gather(processor& me, Block const& mine, scatter_options const& options = {},
                          std::source_location where = std::source_location::current()) {
  using element = std::ranges::range_value_t<Block>;
  library_call const call(me, where);
  std::span<element const> const block(mine);
  return gather(me, block, block.size() * static_cast<std::size_t>(me.size()), options);
}

/// The same for one element each.
template <payload_element T>
  requires(!payload_range<T const&>)
[[nodiscard]] std::vector<T> gather(processor& me, T const& mine,
                                    scatter_options const& options = {},
                                    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if constexpr (detail::is_truth_value<T>)
    return detail::values_of(gather(me, detail::truth{mine}, options));
  else
    return gather(me, std::span<T const>(&mine, 1), static_cast<std::size_t>(me.size()), options);
}

/// `scatterv` backwards: processor i has `sizes[i]` elements. All processors pass the same sizes.
/// Errors: those of `scatterv`; invalid_argument if this processor's block is not of its size.
template <payload_element T>
[[nodiscard]] std::vector<T> gatherv(processor& me, std::span<T const> mine,
                                     std::span<std::size_t const> sizes,
                                     scatter_options const& options = {},
                                     std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_scattered("gatherv", options, me.size());
  auto const scheme =
      detail::scheme_of_listed(collective_operation::gather, me, options.scheme, sizes.size());
  detail::require_elements("gatherv", mine.size(), sizes[static_cast<std::size_t>(me.rank())]);
  me.barrier();
  return detail::gather_on_network(detail::network_call(me, scheme, options.root),
                                   detail::listed_blocks(sizes), mine);
}

/// The same for a vector, array and the like.
template <payload_range Block>
[[nodiscard]] auto gatherv(processor& me, Block const& mine, std::span<std::size_t const> sizes,
                           scatter_options const& options = {},
                           std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return gatherv(me, std::span<std::ranges::range_value_t<Block> const>(mine), sizes, options);
}

}  // namespace lockstep
