#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

/// The phases of a crossbar's schemes, `direct` and `transpose`, on machines whose processors use all
/// of their ports: all messages of a phase go in one step.
namespace lockstep::detail {

/// Tells whether a scheme goes in such phases where a processor calls it.
[[nodiscard]] inline bool goes_at_once(processor const& me, collective_scheme scheme, access how) {
  bool const has_phases =
      scheme == collective_scheme::direct || scheme == collective_scheme::transpose;
  return has_phases && how == access::messages && has_all_ports(me);
}

/// The same for options with an arity, which where it is given is that of a tree.
template <class Options>
[[nodiscard]] bool goes_at_once(processor const& me, collective_scheme scheme,
                                Options const& options) {
  bool const is_by_arity = options.scheme == collective_scheme::automatic && options.k != one_phase;
  return !is_by_arity && goes_at_once(me, scheme, options.how);
}

/// Does what a processor has to do in a step, in which messages go over all of its links: sends, then
/// receives. It is in the next step afterwards, as all are.
template <class Act>
void in_one_step(processor& me, Act const& act) {
  auto const begin = me.now();
  act();
  if (me.now() == begin && me.size() > 1) me.idle();
}

/// Calls act(rank) for all other processors, the next one first, or the one before.
template <class Act>
void for_each_behind(processor const& me, Act const& act) {
  for (int rank = me.rank() + 1; rank < me.size(); ++rank) act(rank);
  for (int rank = 0; rank < me.rank(); ++rank) act(rank);
}
template <class Act>
void for_each_ahead(processor const& me, Act const& act) {
  for (int rank = me.rank() - 1; rank >= 0; --rank) act(rank);
  for (int rank = me.size() - 1; rank > me.rank(); --rank) act(rank);
}

/// In one step `send(to)` from the root to each other processor, and there `receive(root)`.
template <class Send, class Receive>
void from_root_at_once(processor& me, int root, Send const& send, Receive const& receive) {
  in_one_step(me, [&] {
    if (me.rank() == root)
      for_each_behind(me, send);
    else
      receive(root);
  });
}
/// The same backwards.
template <class Send, class Receive>
void to_root_at_once(processor& me, int root, Send const& send, Receive const& receive) {
  in_one_step(me, [&] {
    if (me.rank() == root)
      for_each_ahead(me, receive);
    else
      send(root);
  });
}
/// The same from all to all.
template <class Send, class Receive>
void to_all_at_once(processor& me, Send const& send, Receive const& receive) {
  in_one_step(me, [&] {
    for_each_behind(me, send);
    for_each_ahead(me, receive);
  });
}

template <payload_element T>
void broadcast_at_once(processor& me, int root, std::span<T> block) {
  if (me.rank() == root) show_values(me, values_of_the_block, block);
  from_root_at_once(
      me, root, [&](int to) { me.send(to, std::span<T const>(block)); },
      [&](int from) { me.receive_into(from, block); });
  show_values(me, values_of_the_block, block);
}

/// `all`: at the root the blocks of all. Result: this processor's.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> scatter_at_once(processor& me, int root, Layout const& of,
                                             std::span<T const> all) {
  std::vector<T> mine(elements_of_blocks(of, me.rank(), me.rank() + 1));
  if (me.rank() == root) {
    show_values(me, values_of_the_blocks, all);
    std::ranges::copy(blocks_in(all, of, root, root + 1), mine.begin());
  }
  from_root_at_once(
      me, root, [&](int to) { me.send(to, blocks_in(all, of, to, to + 1)); },
      [&](int from) { me.receive_into(from, mine); });
  show_values(me, values_of_the_blocks, mine);
  return mine;
}

/// Result: at the root the blocks of all, in the order of ranks; elsewhere none.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> gather_at_once(processor& me, int root, Layout const& of,
                                            std::span<T const> mine) {
  show_values(me, values_of_the_blocks, mine);
  bool const is_root = me.rank() == root;
  std::vector<T> all(is_root ? of.before(me.size()) : 0);
  if (is_root) put_own(me, of, mine, std::span(all));
  to_root_at_once(
      me, root, [&](int to) { me.send(to, mine); },
      [&](int from) { me.receive_into(from, blocks_in(std::span(all), of, from, from + 1)); });
  show_values(me, values_of_the_blocks, all);
  return all;
}

/// Result: the blocks of all, in the order of ranks.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> all_gather_at_once(processor& me, Layout const& of,
                                                std::span<T const> mine) {
  show_values(me, values_of_the_blocks, mine);
  std::vector<T> all(of.before(me.size()));
  put_own(me, of, mine, std::span(all));
  to_all_at_once(
      me, [&](int to) { me.send(to, mine); },
      [&](int from) { me.receive_into(from, blocks_in(std::span(all), of, from, from + 1)); });
  show_values(me, values_of_the_blocks, all);
  return all;
}

/// All send each processor its part of `blocks`, and get as much of their own part from each.
/// Result: these parts of all processors, one after another, in the order of ranks.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> parts_at_once(processor& me, Layout const& of,
                                           std::span<T const> blocks) {
  auto const part = [&](int rank) { return blocks_in(blocks, of, rank, rank + 1); };
  auto const mine = part(me.rank());
  equal_blocks const came(mine.size());
  std::vector<T> all(came.before(me.size()));
  put_own(me, came, mine, std::span(all));
  to_all_at_once(
      me, [&](int to) { me.send(to, part(to)); },
      [&](int from) { me.receive_into(from, blocks_in(std::span(all), came, from, from + 1)); });
  return all;
}

/// Adds up blocks that came from all processors, as long as `elements` each, in the order of ranks.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> sums_of_blocks(processor& me, Operator const& plus,
                                            std::vector<T> const& blocks, std::size_t elements) {
  std::vector<T> sums(elements);
  if (elements > 0) add_in_rank_order(plus, std::span(blocks), std::span(sums));
  show_values(me, values_of_the_sum, sums);
  return sums;
}

/// Result: of all blocks' sums this processor's part.
template <payload_element T, class Layout, class Operator>
[[nodiscard]] std::vector<T> reduce_scatter_at_once(processor& me, Layout const& of,
                                                    Operator const& plus,
                                                    std::span<T const> blocks) {
  show_values(me, values_of_the_sum, blocks);
  auto const parts = parts_at_once(me, of, blocks);
  return sums_of_blocks(me, plus, parts, elements_of_blocks(of, me.rank(), me.rank() + 1));
}

// --- Whole blocks in one phase, or in pieces, which are dealt out and brought together

template <payload_element T>
void broadcast_in_phases_at_once(processor& me, collective_scheme scheme, int root,
                                 std::span<T> block) {
  if (scheme == collective_scheme::direct) {
    me.phase("broadcast");
    broadcast_at_once(me, root, block);
    return;
  }
  pieces const of(block.size(), me.size(), piece_sizes::larger_first);
  me.phase("scatter");
  auto const mine = scatter_at_once(me, root, of, std::span<T const>(block));
  me.phase("all-gather");
  std::ranges::copy(all_gather_at_once(me, of, std::span<T const>(mine)), block.begin());
}

/// Result: at the root the sums; elsewhere none.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> reduce_in_phases_at_once(processor& me, collective_scheme scheme,
                                                      int root, Operator const& plus,
                                                      std::span<T const> block) {
  if (scheme == collective_scheme::direct) {
    me.phase("reduce");
    auto const blocks = gather_at_once(me, root, equal_blocks(block.size()), block);
    if (me.rank() != root) return {};
    return sums_of_blocks(me, plus, blocks, block.size());
  }
  pieces const of(block.size(), me.size(), piece_sizes::larger_first);
  me.phase("reduce-scatter");
  auto const mine = reduce_scatter_at_once(me, of, plus, block);
  me.phase("gather");
  return gather_at_once(me, root, of, std::span<T const>(mine));
}

template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> all_reduce_in_phases_at_once(processor& me, collective_scheme scheme,
                                                          Operator const& plus,
                                                          std::span<T const> block) {
  if (scheme == collective_scheme::direct) {
    me.phase("all-gather");
    auto const blocks = all_gather_at_once(me, equal_blocks(block.size()), block);
    return sums_of_blocks(me, plus, blocks, block.size());
  }
  pieces const of(block.size(), me.size(), piece_sizes::larger_first);
  me.phase("reduce-scatter");
  auto const mine = reduce_scatter_at_once(me, of, plus, block);
  me.phase("all-gather");
  return all_gather_at_once(me, of, std::span<T const>(mine));
}

/// Puts the sums of all lower ranks into `before`; at rank 0 anything.
template <payload_element T, class Operator>
void prefixes_at_once(processor& me, Operator const& plus, std::span<T const> block,
                      std::span<T> before,
                      std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const n = block.size();
  equal_blocks const of(n);
  std::vector<T> lower(of.before(me.rank()));
  in_one_step(me, [&] {
    for (int to = me.rank() + 1; to < me.size(); ++to) me.send(to, block);
    for (int from = me.rank() - 1; from >= 0; --from)
      me.receive_into(from, blocks_in(std::span(lower), of, from, from + 1));
  });
  if (me.rank() == 0 || n == 0) return;
  add_in_rank_order(plus, std::span<T const>(lower), before);
  show_values(me, "sum of lower ranks", before);
}

}  // namespace lockstep::detail
