#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/element_sums.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep {

namespace detail {

/// Everybody gets all blocks, and adds them up.
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
/// operator. Called by all processors of a crossbar. Operands are combined in the order that
/// `reduce` has.
///
/// `block`: n elements, as many in each processor; `options`: the root plays no part.
/// Result: n sums.
/// Errors: invalid_argument for k < 2 in the scheme k_ary; size_mismatch if blocks are not of one
/// size; those of the machine.
///
/// **Cost** on a crossbar, one-port, n words, packets of m words, strict:
/// - `transpose`: 2(p - 1) rounds, 2 start-ups, 2((p - 1)m ceil(n/(pm))) words. Phases
///   "reduce-scatter", "all-gather".
/// - `direct`: each block goes to everybody, p - 1 rounds, 1 start-up, (p - 1)m ceil(n/m) words.
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
  auto const [scheme, k, root, how] = options;
  detail::require_collective("all_reduce", {scheme, k, 0, how}, me.size());
  auto const rule = detail::rule_for(options, block.size());
  if (scheme == collective_scheme::direct) {
    me.phase("all-gather");
    return detail::sums_of_gathered(me, how, plus, block);
  }
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

/// The same for one element each.
template <payload_element T, associative_operator<T> Operator>
  requires(!payload_range<T const&>)
[[nodiscard]] T all_reduce(processor& me, Operator const& plus, T const& mine,
                           collective_options const& options = {},
                           std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return all_reduce(me, plus, std::span<T const>(&mine, 1), options).front();
}

}  // namespace lockstep
