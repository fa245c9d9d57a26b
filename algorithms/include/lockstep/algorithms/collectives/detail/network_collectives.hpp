#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/line_trees.hpp>
#include <lockstep/algorithms/collectives/detail/ring_stages.hpp>
#include <lockstep/algorithms/collectives/detail/tree_stages.hpp>
#include <lockstep/algorithms/collectives/detail/two_way_rings.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

// Schemes that need much of the stack are not inlined: a processor that takes another one touches
// few lines of its own.

namespace lockstep::detail {

/// A collective as a processor takes part in it, by a scheme that fits its network.
class network_call {
 public:
  network_call(processor& me, collective_scheme scheme, int root = 0)
      : network_call(me, {scheme, &axes_of(me.topology())}, root) {}
  network_call(processor& me, fitted_scheme const& scheme, int root = 0)
      : m_me(me), m_scheme(scheme.scheme), m_axes(*scheme.axes), m_root(root) {}

  [[nodiscard]] processor& me() const { return m_me; }
  [[nodiscard]] collective_scheme scheme() const { return m_scheme; }
  [[nodiscard]] bool is_by_tree() const { return m_scheme == collective_scheme::tree; }
  [[nodiscard]] bool is_binomial() const { return m_scheme == collective_scheme::binomial; }
  [[nodiscard]] bool is_two_way() const { return m_scheme == collective_scheme::two_way; }
  [[nodiscard]] bool is_at_root() const { return m_me.rank() == m_root; }

  [[nodiscard]] tree_rounds rounds() const { return {m_axes, m_me.rank(), m_root}; }
  /// Calls act(rounds), with those of a hypercube as they are needed, not in a list.
  template <class Act>
  void with_rounds(Act const& act) const {
    if (is_on_cube())
      act(rounds_of_cube());
    else
      act(rounds());
  }
  [[nodiscard]] bool is_on_cube() const { return m_axes.kind == network_kind::hypercube; }
  [[nodiscard]] cube_rounds rounds_of_cube() const {
    return {static_cast<int>(m_axes.list.size()), m_me.rank(), m_root};
  }
  [[nodiscard]] std::vector<rank_line> rings() const {
    return ring_lines(m_scheme, m_me.topology(), m_me.rank());
  }
  /// A walk along the tree of the root, or of the middle of the network.
  [[nodiscard]] tree_walk walk() const { return {m_me, spanning_tree_of(m_me.topology(), m_root)}; }
  [[nodiscard]] tree_walk walk_of_centre(std::uint64_t messages = 1) const {
    return {m_me, spanning_tree_of(m_me.topology(), centre_of(m_me.topology())), messages};
  }
  /// The pieces into which a vector is cut that all have: the longer ones first.
  [[nodiscard]] pieces pieces_of(std::size_t elements) const {
    return {elements, m_me.size(), piece_sizes::larger_first};
  }

 private:
  processor& m_me;
  collective_scheme m_scheme;
  rank_axes const& m_axes;
  int m_root;
};

/// Puts a block where the layout has this processor's.
template <payload_element T, class Layout>
void put_own(processor const& me, Layout const& of, std::span<T const> mine, std::span<T> all) {
  std::ranges::copy(mine, all.begin() + static_cast<std::ptrdiff_t>(of.before(me.rank())));
}

/// Copies this processor's part of a layout.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> own_of(processor const& me, Layout const& of, std::span<T const> all) {
  auto const mine = blocks_in(all, of, me.rank(), me.rank() + 1);
  return {mine.begin(), mine.end()};
}

/// Gathers round the rings of a scheme. `name`: by which the parts are shown.
template <payload_element T, class Layout>
void all_gather_around(network_call const& call, Layout const& of, std::span<T> all,
                       std::string_view name) {
  auto const lines = call.rings();
  if (call.is_two_way())
    all_gather_in_two_way_rings(call.me(), lines, of, all, name);
  else
    all_gather_in_rings(call.me(), lines, of, all, name);
}
/// Adds up round the rings of a scheme.
template <payload_element T, class Layout, class Operator>
void reduce_scatter_around(network_call const& call, Layout const& of, Operator const& plus,
                           std::span<T> all) {
  auto const lines = call.rings();
  if (call.is_two_way())
    reduce_scatter_in_two_way_rings(call.me(), lines, of, plus, all);
  else
    reduce_scatter_in_rings(call.me(), lines, of, plus, all);
}

/// A scatter of pieces, then an all-gather of them.
template <payload_element T>
[[gnu::noinline]] void broadcast_in_rings(network_call const& call, std::span<T> block) {
  auto& me = call.me();
  auto const of = call.pieces_of(block.size());
  std::vector<T> held;
  if (call.is_at_root()) held.assign(block.begin(), block.end());
  auto const mine = scatter_by_rounds(me, call.rounds(), of, std::move(held), values_of_the_block);
  put_own(me, of, std::span<T const>(mine), block);
  all_gather_around(call, of, block, values_of_the_block);
}

template <payload_element T>
[[gnu::noinline]] void broadcast_by_tree(network_call const& call, std::span<T> block) {
  auto walk = call.walk();
  broadcast_down(call.me(), walk, block, values_of_the_block);
}

template <payload_element T>
[[gnu::noinline]] void broadcast_along_lines(network_call const& call, std::span<T> block) {
  auto& me = call.me();
  broadcast_by_rounds(me, me.now(), call.rounds(), block, values_of_the_block);
}

template <payload_element T, std::size_t Extent>
[[gnu::always_inline]] inline void broadcast_on_network(network_call const& call,
                                                        std::span<T, Extent> block) {
  if (call.is_by_tree()) return broadcast_by_tree(call, std::span<T>(block));
  if (!call.is_binomial()) return broadcast_in_rings(call, std::span<T>(block));
  if (call.is_at_root()) show_values(call.me(), values_of_the_block, block);
  if (!call.is_on_cube()) return broadcast_along_lines(call, std::span<T>(block));
  auto& me = call.me();
  broadcast_by_rounds(me, me.now(), call.rounds_of_cube(), block, values_of_the_block);
}

/// The blocks of all, in the order of ranks, at the root; elsewhere none.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> gather_on_network(network_call const& call, Layout const& of,
                                               std::span<T const> mine) {
  auto& me = call.me();
  if (call.is_by_tree()) {
    auto walk = call.walk();
    return gather_up(me, walk, of, mine, values_of_the_blocks);
  }
  return gather_by_rounds(me, call.rounds(), of, std::vector<T>(mine.begin(), mine.end()),
                          values_of_the_blocks);
}

/// `all`: at the root the blocks of all. Result: this processor's.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> scatter_on_network(network_call const& call, Layout const& of,
                                                std::span<T const> all) {
  auto& me = call.me();
  if (call.is_by_tree()) {
    auto walk = call.walk();
    return scatter_down(me, walk, of, all, values_of_the_blocks);
  }
  std::vector<T> held;
  if (call.is_at_root()) held.assign(all.begin(), all.end());
  return scatter_by_rounds(me, call.rounds(), of, std::move(held), values_of_the_blocks);
}

/// Adds up blocks of all, as long as `sums` each, in the order of ranks.
template <payload_element T, class Operator>
void add_in_rank_order(Operator const& plus, std::span<T const> blocks, std::span<T> sums) {
  if (blocks.empty()) return;
  std::ranges::copy(blocks.first(sums.size()), sums.begin());
  for (std::size_t first = sums.size(); first < blocks.size(); first += sums.size())
    combine(plus, blocks.subspan(first, sums.size()), sums, false);
}

/// Puts the sums at the root of the tree into `sums`; elsewhere anything. An operator that may not be
/// commutative is used at the root only.
template <payload_element T, class Operator>
void reduce_by_tree(processor& me, tree_walk& walk, bool reorders, Operator const& plus,
                    std::span<T> sums) {
  if (reorders) {
    reduce_up(me, walk, plus, sums, values_of_the_sum);
    return;
  }
  auto const blocks = gather_up(me, walk, equal_blocks(sums.size()), std::span<T const>(sums),
                                values_of_the_blocks);
  if (!walk.is_root()) return;
  add_in_rank_order(plus, std::span<T const>(blocks), sums);
  show_values(me, values_of_the_sum, sums);
}

/// At the root the sums; elsewhere none.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> reduce_on_network(network_call const& call, bool reorders,
                                               Operator const& plus, std::span<T const> block) {
  auto& me = call.me();
  std::vector<T> sums(block.begin(), block.end());
  if (call.is_by_tree()) {
    auto walk = call.walk();
    reduce_by_tree(me, walk, reorders, plus, std::span(sums));
  } else if (call.is_binomial()) {
    call.with_rounds([&](auto const& rounds) {
      reduce_by_rounds(me, me.now(), rounds, plus, std::span(sums), values_of_the_sum);
    });
  } else {
    auto const of = call.pieces_of(block.size());
    reduce_scatter_around(call, of, plus, std::span(sums));
    return gather_by_rounds(me, call.rounds(), of, own_of<T>(me, of, sums), values_of_the_sum);
  }
  if (!call.is_at_root()) sums.clear();
  return sums;
}

/// Has a power of two of the processors do the work of all: each of the others gives its sums to
/// one of them, and gets the result. Two rounds more. `name`: by which sums are shown, if at all.
template <payload_element T, std::size_t Extent, class Operator, class Doubled>
[[gnu::noinline]] void folded(processor& me, Operator const& plus, std::span<T, Extent> sums,
                              Doubled const& doubled, std::string_view name) {
  folded_ranks const ranks(me);
  show_named(me, name, sums);
  if (ranks.gives()) {
    me.send(me.rank() - 1, std::span<T const, Extent>(sums));
    me.receive_into(me.rank() - 1, sums);
    show_named(me, name, sums);
    return;
  }
  if (ranks.is_paired()) {
    small_buffer<T, Extent> incoming(sums.size());
    me.receive_into(me.rank() + 1, incoming.all());
    combine(plus, std::span<T const, Extent>(incoming.all()), sums, false);
    show_named(me, name, sums);
  } else if (ranks.are_any_paired()) {
    me.idle();
  }
  doubled(ranks);
  if (ranks.is_paired()) me.send(me.rank() + 1, std::span<T const, Extent>(sums));
  if (ranks.are_any_paired()) me.idle();
}

template <payload_element T, std::size_t Extent, class Operator>
[[gnu::noinline]] void all_reduce_by_tree(network_call const& call, bool reorders,
                                          Operator const& plus, std::span<T, Extent> sums) {
  auto walk = call.walk_of_centre();
  reduce_by_tree(call.me(), walk, reorders, plus, std::span<T>(sums));
  broadcast_down(call.me(), walk, std::span<T>(sums), values_of_the_sum);
}

template <payload_element T, std::size_t Extent, class Operator>
[[gnu::noinline]] void all_reduce_by_rounds(network_call const& call, Operator const& plus,
                                            std::span<T, Extent> sums) {
  auto& me = call.me();
  auto const rounds = call.rounds();
  auto const middle = reduce_by_rounds(me, me.now(), rounds, plus, sums, values_of_the_sum);
  broadcast_by_rounds(me, middle, rounds, sums, values_of_the_sum);
}

template <payload_element T, std::size_t Extent, class Operator>
[[gnu::noinline]] void all_reduce_by_halving(processor& me, folded_ranks const& ranks,
                                             Operator const& plus, std::span<T, Extent> sums) {
  auto const lines = ranks.lines();
  pieces const of(sums.size(), ranks.ranks(), piece_sizes::larger_first);
  reduce_scatter_in_rings(me, lines, of, plus, std::span<T>(sums));
  all_gather_in_rings(me, lines, of, std::span<T>(sums), values_of_the_sum);
}

template <payload_element T, std::size_t Extent, class Operator>
[[gnu::noinline]] void all_reduce_in_rings(network_call const& call, Operator const& plus,
                                           std::span<T, Extent> sums) {
  auto const of = call.pieces_of(sums.size());
  reduce_scatter_around(call, of, plus, std::span<T>(sums));
  all_gather_around(call, of, std::span<T>(sums), values_of_the_sum);
}

/// Each processor gets the sums of all, in `sums`, which is its own block before.
template <payload_element T, std::size_t Extent, class Operator>
[[gnu::always_inline]] inline void all_reduce_on_network(
    network_call const& call, bool reorders, Operator const& plus, std::span<T, Extent> sums,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(call.me(), where);
  auto& me = call.me();
  switch (call.scheme()) {
    case collective_scheme::tree:
      return all_reduce_by_tree(call, reorders, plus, sums);
    case collective_scheme::binomial:
      return all_reduce_by_rounds(call, plus, sums);
    case collective_scheme::recursive_doubling:
      if (folded_ranks const all(me); !all.are_any_paired()) [[likely]]
        return all_reduce_by_doubling(me, all, plus, sums);
      return folded(
          me, plus, sums,
          [&](folded_ranks const& ranks) { all_reduce_by_doubling(me, ranks, plus, sums); },
          values_of_the_sum);
    case collective_scheme::halving_doubling:
      return folded(
          me, plus, sums,
          [&](folded_ranks const& ranks) { all_reduce_by_halving(me, ranks, plus, sums); },
          values_of_the_sum);
    default:
      return all_reduce_in_rings(call, plus, sums);
  }
}

/// Bruck's: each processor gets from the processor 1, 2, 4, .. ranks further on what it has, and turns
/// the blocks into the order of ranks at last.
template <payload_element T>
[[nodiscard]] std::vector<T> all_gather_by_bruck(processor& me, std::span<T const> mine) {
  auto const p = me.size();
  auto const m = mine.size();
  std::vector<T> all(mine.begin(), mine.end());
  all.reserve(m * static_cast<std::size_t>(p));
  show_values(me, values_of_the_blocks, all);
  for (std::int64_t distance = 1; distance < p; distance *= 2) {
    auto const there = static_cast<int>(distance);
    auto const blocks = static_cast<std::size_t>(std::min(there, p - there));
    auto const had = all.size();
    all.resize(had + blocks * m);
    auto const to = (me.rank() - there + p) % p;
    me.exchange_into(to, std::span<T const>(all).first(blocks * m), std::span(all).subspan(had),
                     (me.rank() + there) % p);
    show_values(me, values_of_the_blocks, all);
  }
  if (p > 1) me.rearrange(all.size());
  auto const from_the_first = static_cast<std::size_t>((p - me.rank()) % p) * m;
  std::ranges::rotate(all, all.begin() + static_cast<std::ptrdiff_t>(from_the_first));
  show_values(me, values_of_the_blocks, all);
  return all;
}

/// The blocks of all in the order of ranks.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> all_gather_on_network(network_call const& call, Layout const& of,
                                                   std::span<T const> mine) {
  auto& me = call.me();
  std::vector<T> all(of.before(me.size()));
  if (call.is_by_tree()) {
    auto walk = call.walk_of_centre();
    auto gathered = gather_up(me, walk, of, mine, values_of_the_blocks);
    if (walk.is_root()) all = std::move(gathered);
    broadcast_down(me, walk, std::span(all), values_of_the_blocks);
    return all;
  }
  put_own(me, of, mine, std::span(all));
  all_gather_around(call, of, std::span(all), values_of_the_blocks);
  return all;
}

/// This processor's block of the sums.
template <payload_element T, class Layout, class Operator>
[[nodiscard]] std::vector<T> reduce_scatter_on_network(network_call const& call, bool reorders,
                                                       Layout const& of, Operator const& plus,
                                                       std::span<T const> blocks) {
  auto& me = call.me();
  std::vector<T> sums(blocks.begin(), blocks.end());
  if (call.is_by_tree()) {
    auto walk = call.walk_of_centre();
    reduce_by_tree(me, walk, reorders, plus, std::span(sums));
    return scatter_down(me, walk, of, std::span<T const>(sums), values_of_the_sum);
  }
  if (call.is_binomial()) {
    auto const rounds = call.rounds();
    reduce_by_rounds(me, me.now(), rounds, plus, std::span(sums), values_of_the_sum);
    if (!call.is_at_root()) sums.clear();
    return scatter_by_rounds(me, rounds, of, std::move(sums), values_of_the_sum);
  }
  reduce_scatter_around(call, of, plus, std::span(sums));
  auto mine = own_of<T>(me, of, sums);
  show_values(me, values_of_the_sum, mine);
  return mine;
}

}  // namespace lockstep::detail
