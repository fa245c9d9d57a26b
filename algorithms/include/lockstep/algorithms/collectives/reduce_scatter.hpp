#pragma once

#include <cstddef>
#include <ranges>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/circulant_all_gather.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/prefix/commutative.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Options of `reduce_scatter`. All processors pass the same.
struct reduce_scatter_options {
  /// On a crossbar `automatic` is what `k` says; `circulant` is k = 2.
  chosen_scheme scheme = collective_scheme::automatic;
  int k = one_phase;  ///< each has sums of k times fewer pieces after each phase than before
  access how = access::messages;
  bool commutes = false;                         ///< as in `collective_options`
  std::optional<std::uint64_t> startup_words{};  ///< likewise
};

namespace detail {

void require_reduced(reduce_scatter_options const& options);

/// Result: of all blocks' sums this processor's piece.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> reduce_scatter_pieces(processor& me, Operator const& plus,
                                                   std::span<T const> block, pieces const& of,
                                                   reduce_scatter_options const& options,
                                                   piece_labels const& labels) {
  circulant_all_gather const cycle(me, of, growth_of_pieces(me.size(), options.k, options.k));
  auto rotated = cycle.rotated(block);
  cycle.reduce_scatter(me, options.how, plus, std::span(rotated), labels);
  rotated.resize(of.size(me.rank()));
  return rotated;
}

}  // namespace detail

/// Adds up all processors' blocks of n elements, element by element, for any associative operator.
/// Processor i gets piece i of the sums, elements floor(in/p) to floor((i+1)n/p). Called by all
/// processors of a machine or subset. It is `all_gather` backwards: a processor sends the sums that it
/// has of a piece to one that gathered this piece from it there.
///
/// Operands are combined in rank order by `binomial`, by `tree` unless the operator is known to be
/// commutative, and on a crossbar if k >= p; else the operator has to be commutative, too.
///
/// `block`: n elements, as many in each processor.
/// Shows: "sums of pieces" by their summands, and the ranks that are in "own piece's sum", with the
/// schemes of a crossbar; with others "values of the sum".
/// Result: this processor's piece of the sums.
/// Errors: invalid_argument for a scheme that does not fit the network, and for k < 2;
/// size_mismatch if blocks are not of one size; those of the machine.
///
/// **Cost** one-port, strict, n_i the sizes of the dimensions, where p divides n, n (p - 1)/p words:
/// `halving_doubling` floor(log2 p) rounds, `bucket`, `ring` and `circulant` as `all_gather`;
/// `binomial` and `tree`: as `reduce`, then `scatter`, by that; with all ports `two_way` and `direct`, too, as
/// `all_gather`.
///
/// **Cost** on a crossbar, one-port: that of `all_gather`, and at most (p - 1)ceil(n/p) uses of the
/// operator in a processor. Strict.
///
/// **Source** JaJa and Ryu 1994, Lemma 5.2, its first half, here for any p.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{3}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const block{me.rank(), 1, 10, 100, 1000, 10000};
///   return lockstep::reduce_scatter(me, std::plus<int>{}, std::span<int const>(block));
/// });
/// run.results()[1];    // {30, 300}
/// run.counts().words;  // 4
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> reduce_scatter(
    processor& me, Operator const& plus, std::span<T const> block,
    reduce_scatter_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_reduced(options);
  pieces const of(block.size(), me.size());
  bool const reorders = options.commutes || detail::is_commutative_on<Operator, T>;
  auto const scheme = detail::scheme_for({collective_operation::reduce_scatter, options.scheme,
                                          of.size(0), reorders, options.startup_words},
                                         me);
  if (detail::goes_at_once(me, scheme, options)) {
    me.barrier();
    return detail::reduce_scatter_at_once(me, of, plus, block);
  }
  if (detail::is_of_crossbar(scheme) || scheme == collective_scheme::circulant)
    return detail::reduce_scatter_pieces(me, plus, block, of, detail::with_arity_of(options),
                                         detail::piece_labels::of_sums());
  detail::require_messages(collective_operation::reduce_scatter, options.how);
  me.barrier();
  return detail::reduce_scatter_on_network(detail::network_call(me, scheme), reorders, of, plus,
                                           block);
}

/// The same for a vector, array and the like.
template <payload_range Block, associative_operator<std::ranges::range_value_t<Block>> Operator>
[[nodiscard]] auto reduce_scatter(processor& me, Operator const& plus, Block const& block,
                                  reduce_scatter_options const& options = {},
                                  std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return reduce_scatter(me, plus, std::span<std::ranges::range_value_t<Block> const>(block),
                        options);
}

}  // namespace lockstep
