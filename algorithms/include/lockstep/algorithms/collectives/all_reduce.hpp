#pragma once

#include <cstddef>
#include <ranges>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/element_sums.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/detail/truth_values.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/commutative.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep {

namespace detail {

/// Each processor gets all blocks, and adds them up.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> sums_of_gathered(processor& me, access how, Operator const& plus,
                                              std::span<T const> block) {
  pieces const of(block.size() * static_cast<std::size_t>(me.size()), me.size());
  auto const blocks = all_gather_pieces(me, block, of, {.how = how}, piece_labels::for_all());
  element_sums<T> all(block.size());
  for (std::size_t first = 0; first < blocks.size(); first += block.size())
    all.add(plus, std::span(blocks).subspan(first, block.size()));
  me.show("sum", rank_interval{0, me.size() - 1});
  show_values(me, "values of the sum", all.sums());
  return std::move(all).sums();
}

}  // namespace detail

/// Every processor gets the sum of all processors' blocks, element by element, for any associative
/// operator. Called by all processors of a machine or subset. Operands are combined in the order that
/// `reduce` has, those of `recursive_doubling` in rank order; with `circulant` the operator has to be
/// commutative, too.
///
/// `block`: n elements, as many in each processor; `options`: the root plays no part.
/// Result: n sums.
/// Errors: those of `broadcast`, but for the root.
///
/// **Cost** one-port, strict, contention 1, n_i the sizes of the dimensions:
/// - `recursive_doubling`: floor(log2 p) rounds, n floor(log2 p) words; where p is not a power of
///   two, two rounds with the whole block more.
/// - `halving_doubling`: 2 (floor(log2 p)) rounds, `bucket`: 2 (sum (n_i - 1)) rounds, `ring`:
///   2 (p - 1) rounds, `circulant`, on a crossbar: 2 (ceil(log2 p)) rounds; where p divides n, as many
///   words as an all-gather of n/p has, twice. `halving_doubling` folds as `recursive_doubling` does.
///   Phases of `circulant`: "reduce-scatter", "all-gather".
/// - `binomial`: 2 (sum ceil(log2 n_i)) rounds, 2 (n sum ceil(log2 n_i)) words. `tree`: likewise.
/// - With all ports `two_way`, on a torus: 2 (sum floor(n_i/2)) rounds; `tree` twice the depth of the tree;
///   on a crossbar `direct` 1 round of n words, `transpose` two rounds, with a piece in each message.
///
/// **Cost** on a crossbar, one-port, n words, packets of m words, strict:
/// - `transpose`: 2(p - 1) rounds, 2 start-ups, 2((p - 1)m ceil(n/(pm))) words. Phases
///   "reduce-scatter", "all-gather".
/// - `direct`: each block goes to all, p - 1 rounds, 1 start-up, (p - 1)m ceil(n/m) words.
///   Phase "all-gather".
/// - `k_ary`, n = 1: `reduce`, then `broadcast`, a time of at most 2(2 tau ceil(log_k p)) for
///   k = tau/m + 1. Phases "reduce", "broadcast". n > 1: a time of at most
///   2(2 tau ceil(log_k p) + n). Phases "reduce-scatter", "all-gather".
///
/// **Source** JaJa and Ryu 1994, Theorems 3.1 to 3.3 and Lemma 5.2; put together by lockstep.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{8}};
/// auto run = machine.run([](lockstep::processor& me) {
///   return lockstep::all_reduce(me, std::plus<int>{}, me.rank(),
///                               {.scheme = lockstep::collective_scheme::k_ary});
/// });
/// run.results()[5];       // 28
/// run.counts().startups;  // 6
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> all_reduce(
    processor& me, Operator const& plus, std::span<T const> block,
    collective_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const how = options.how;
  bool const reorders = options.commutes || detail::is_commutative_on<Operator, T>;
  auto const scheme =
      detail::checked_scheme(me, collective_operation::all_reduce, options, block.size(), reorders);
  if (detail::goes_at_once(me, scheme, how))
    return detail::all_reduce_in_phases_at_once(me, scheme, plus, block);
  if (scheme == collective_scheme::direct) {
    me.phase("all-gather");
    return detail::sums_of_gathered(me, how, plus, block);
  }
  bool const is_circulant = scheme == collective_scheme::circulant;
  if (!detail::is_of_crossbar(scheme) && !is_circulant) {
    std::vector<T> sums(block.begin(), block.end());
    me.barrier();
    detail::all_reduce_on_network(detail::network_call(me, scheme), reorders, plus,
                                  std::span(sums));
    return sums;
  }
  auto const rule = is_circulant ? detail::scheme_rule{.in_pieces = true, .k = 2}
                                 : detail::rule_for(options, block.size());
  if (!rule.in_pieces) {
    me.phase("reduce");
    auto sums = detail::sum_along_tree(me, how, rule.k, 0, plus, block);
    me.phase("broadcast");
    detail::broadcast_along_tree(me, how, rule.k, 0, std::span(sums));
    return sums;
  }
  pieces const of(block.size(), me.size(), rule.sizes);
  me.phase("reduce-scatter");
  auto const mine = detail::reduce_scatter_pieces(me, plus, block, of, {.k = rule.k, .how = how},
                                                  detail::piece_labels::of_sums());
  me.phase("all-gather");
  return detail::all_gather_pieces(me, std::span<T const>(mine), of, {.k = rule.k, .how = how},
                                   detail::piece_labels::for_all());
}

/// The same for a vector, array and the like.
template <payload_range Block, associative_operator<std::ranges::range_value_t<Block>> Operator>
[[nodiscard]] auto all_reduce(processor& me, Operator const& plus, Block const& block,
                              collective_options const& options = {},
                              std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return all_reduce(me, plus, std::span<std::ranges::range_value_t<Block> const>(block), options);
}

/// The same for one element each.
template <payload_element T, associative_operator<T> Operator>
  requires(!payload_range<T const&>)
[[nodiscard]] T all_reduce(processor& me, Operator const& plus, T const& mine,
                           collective_options const& options = {},
                           std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if constexpr (detail::is_truth_value<T>) {
    return all_reduce(me, detail::truth_operator(plus), detail::truth{mine}, options).value;
  } else {
    bool const reorders = options.commutes || detail::is_commutative_on<Operator, T>;
    auto const scheme =
        detail::checked_scheme(me, collective_operation::all_reduce, options, 1, reorders);
    if (detail::is_of_crossbar(scheme) || scheme == collective_scheme::circulant)
      return all_reduce(me, plus, std::span<T const>(&mine, 1), options).front();
    T sum = mine;
    me.barrier();
    detail::all_reduce_on_network(detail::network_call(me, scheme), reorders, plus,
                                  std::span<T, 1>(&sum, 1));
    return sum;
  }
}

}  // namespace lockstep
