#pragma once

#include <cstddef>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/block_tree.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/detail/truth_values.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/prefix/commutative.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Each processor gets the sums of a piece, and the root gathers them.
/// Result: at the root all sums; elsewhere none.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> reduce_in_pieces(processor& me, Operator const& plus,
                                              std::span<T const> block, pieces const& of,
                                              scatter_options const& options) {
  me.phase("reduce-scatter");
  auto const mine = reduce_scatter_pieces(me, plus, block, of, {.k = options.k, .how = options.how},
                                          piece_labels::of_sums());
  me.phase("gather");
  return gather_pieces(me, std::span<T const>(mine), of, options, piece_labels::of_sums());
}

}  // namespace detail

/// The root gets the sum of all processors' blocks, element by element, for any associative
/// operator. Called by all processors of a machine or subset.
///
/// Operands are combined in rank order, whatever the root; but with the schemes bucket, ring and
/// halving_doubling, and with k_ary for p > k and more than one element, the operator has to be
/// commutative, too, and `tree` combines those that are known to be as they come.
///
/// `block`: n elements, as many in each processor.
/// Shows: the ranks that are in "sum", or the summands that are in "sums of pieces", with the schemes
/// of a crossbar; with others "values of the sum".
/// Result: at the root n sums; elsewhere none.
/// Errors: those of `broadcast`.
///
/// **Cost** as `broadcast`, whose phases it goes through backwards: "reduce-scatter", "gather" for
/// "all-gather", "scatter", and "reduce" for "broadcast".
///
/// **Source** JaJa and Ryu 1994, Theorem 3.2 for one element, Lemma 5.2 for blocks, here for any p;
/// the tree's order of operands, and the other schemes, are lockstep.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{9}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const block{me.rank(), 1};
///   return lockstep::reduce(me, std::plus<int>{}, std::span<int const>(block));
/// });
/// run.results()[0];  // {36, 9}
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> reduce(processor& me, Operator const& plus, std::span<T const> block,
                                    collective_options const& options = {},
                                    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  bool const reorders = options.commutes || detail::is_commutative_on<Operator, T>;
  auto const scheme =
      detail::checked_scheme(me, collective_operation::reduce, options, block.size(), reorders);
  if (!detail::is_of_crossbar(scheme)) {
    me.barrier();
    return detail::reduce_on_network(detail::network_call(me, scheme, options.root), reorders, plus,
                                     block);
  }
  if (detail::goes_at_once(me, scheme, options.how))
    return detail::reduce_in_phases_at_once(me, scheme, options.root, plus, block);
  auto const rule = detail::rule_for(options, block.size());
  if (!rule.in_pieces) {
    me.phase("reduce");
    auto sums = detail::sum_along_tree(me, options.how, rule.k, options.root, plus, block);
    return me.rank() == options.root ? sums : std::vector<T>{};
  }
  return detail::reduce_in_pieces(me, plus, block, pieces(block.size(), me.size(), rule.sizes),
                                  {.k = rule.k, .root = options.root, .how = options.how});
}

/// The same for a vector, array and the like.
template <payload_range Block, associative_operator<std::ranges::range_value_t<Block>> Operator>
[[nodiscard]] auto reduce(processor& me, Operator const& plus, Block const& block,
                          collective_options const& options = {},
                          std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return reduce(me, plus, std::span<std::ranges::range_value_t<Block> const>(block), options);
}

/// The same for one element each. Result: at the root the sum; elsewhere nothing.
template <payload_element T, associative_operator<T> Operator>
  requires(!payload_range<T const&>)
[[nodiscard]] std::optional<T> reduce(
    processor& me, Operator const& plus, T const& mine, collective_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if constexpr (detail::is_truth_value<T>) {
    return detail::value_of(reduce(me, detail::truth_operator(plus), detail::truth{mine}, options));
  } else {
    auto const sums = reduce(me, plus, std::span<T const>(&mine, 1), options);
    return sums.empty() ? std::nullopt : std::optional<T>(sums.front());
  }
}

}  // namespace lockstep
