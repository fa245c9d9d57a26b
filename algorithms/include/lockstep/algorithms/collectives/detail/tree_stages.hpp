#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/ring_stages.hpp>
#include <lockstep/algorithms/collectives/detail/spanning_tree.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/detail/idle_until.hpp>
#include <lockstep/detail/message_rules.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Collectives along a spanning tree, whose messages go between neighbours only. All processors
/// begin in the same step, and are in the same step after a way down. Downwards messages go as
/// early as they can; upwards they come in the opposite order, each held back until its parent's
/// port is free. Where processors use all of their ports, a message goes to all children in the same
/// step, and comes from all of them.
class tree_walk {
 public:
  /// `messages`: that go over a link one after another, each time.
  tree_walk(processor& me, std::shared_ptr<spanning_tree const> tree, std::uint64_t messages = 1)
      : m_me(me),
        m_kept(std::move(tree)),
        m_tree(*m_kept),
        m_all_at_once(message_rules_of(me).ports == ports::all),
        m_messages(messages),
        m_begin(me.now()) {}

  [[nodiscard]] spanning_tree const& tree() const { return m_tree; }
  [[nodiscard]] bool is_root() const { return m_me.rank() == m_tree.root(); }

  /// `receive(parent)`, but at the root, then `send(child)` for each child.
  template <class Receive, class Send>
  void down(Receive const& receive, Send const& send) {
    if (!is_root()) receive(m_tree.parent(m_me.rank()));
    for (int const child : m_tree.children(m_me.rank())) send(child);
    m_begin += steps_of(rounds());
    idle_until(m_me, m_begin);
  }
  /// `receive(child)` for each child, from the last to the first, then `send(parent)`, but at the
  /// root.
  template <class Receive, class Send>
  void up(Receive const& receive, Send const& send) {
    for (int const child : std::views::reverse(m_tree.children(m_me.rank()))) receive(child);
    if (!is_root()) {
      idle_until(m_me, m_begin + steps_of(rounds() - own_round()));
      send(m_tree.parent(m_me.rank()));
    }
    m_begin += steps_of(rounds());
  }

 private:
  [[nodiscard]] int rounds() const { return m_all_at_once ? m_tree.depth() : m_tree.rounds(); }
  [[nodiscard]] int own_round() const {
    return m_all_at_once ? m_tree.level_of(m_me.rank()) : m_tree.round_of(m_me.rank());
  }
  [[nodiscard]] std::uint64_t steps_of(int rounds) const {
    return static_cast<std::uint64_t>(rounds) * m_messages;
  }

  processor& m_me;
  std::shared_ptr<spanning_tree const> m_kept;
  spanning_tree const& m_tree;
  bool m_all_at_once;  ///< a processor's messages to or from its children
  std::uint64_t m_messages;
  std::uint64_t m_begin;  ///< of the walk that comes next
};

/// Counts the elements of the blocks of those ranks.
template <class Layout>
[[nodiscard]] std::size_t elements_of_ranks(Layout const& of, std::span<int const> ranks) {
  std::size_t elements = 0;
  for (int const rank : ranks) elements += elements_of_blocks(of, rank, rank + 1);
  return elements;
}

/// The root's block goes to all. `name`: by which it is shown, if at all.
template <payload_element T>
void broadcast_down(processor& me, tree_walk& walk, std::span<T> block, std::string_view name) {
  if (walk.is_root()) show_named(me, name, block);
  walk.down(
      [&](int parent) {
        me.receive_into(parent, block);
        show_named(me, name, block);
      },
      [&](int child) { me.send(child, std::span<T const>(block)); });
}

/// The root gets the sums of all blocks, in `sums`. The operator has to be commutative.
/// `name`: by which they are shown, if at all.
template <payload_element T, class Operator>
void reduce_up(processor& me, tree_walk& walk, Operator const& plus, std::span<T> sums,
               std::string_view name) {
  std::vector<T> incoming(sums.size());
  show_named(me, name, sums);
  walk.up(
      [&](int child) {
        me.receive_into(child, incoming);
        combine(plus, std::span<T const>(incoming), sums, false);
        show_named(me, name, sums);
      },
      [&](int parent) { me.send(parent, std::span<T const>(sums)); });
}

/// The root, which has the blocks of all in the order of ranks, deals them out.
/// `name`: by which those are shown that a processor has.
/// Result: this processor's block.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> scatter_down(processor& me, tree_walk& walk, Layout const& of,
                                          std::span<T const> all, std::string_view name) {
  auto const& tree = walk.tree();
  std::vector<T> held;  // by places
  if (walk.is_root()) {
    held.reserve(all.size());
    for (int const rank : tree.ranks_below(tree.root()))
      std::ranges::copy(blocks_in(all, of, rank, rank + 1), std::back_inserter(held));
    show_values(me, name, held);
  }
  auto const before = [&](int child) {
    auto const below = tree.ranks_below(me.rank());
    return elements_of_ranks(
        of, below.first(static_cast<std::size_t>(tree.place(child) - tree.place(me.rank()))));
  };
  walk.down(
      [&](int parent) {
        held = me.receive<T>(parent, elements_of_ranks(of, tree.ranks_below(me.rank())));
        show_values(me, name, held);
      },
      [&](int child) {
        me.send(child, std::span<T const>(held).subspan(
                           before(child), elements_of_ranks(of, tree.ranks_below(child))));
      });
  held.resize(elements_of_blocks(of, me.rank(), me.rank() + 1));
  held.shrink_to_fit();  // the others' parts are sent
  show_values(me, name, held);
  return held;
}

/// Backwards. Result: at the root the blocks of all, in the order of ranks; elsewhere none.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> gather_up(processor& me, tree_walk& walk, Layout const& of,
                                       std::span<T const> mine, std::string_view name) {
  auto const& tree = walk.tree();
  // The places below the last child come last, and its message first.
  std::vector<std::vector<T>> came;
  std::vector<T> held;
  auto const join = [&] {
    held.assign(mine.begin(), mine.end());
    for (auto const& part : std::views::reverse(came))
      held.insert(held.end(), part.begin(), part.end());
  };
  auto const show = [&] {
    if (!me.is_shown()) [[likely]]
      return;
    join();
    show_values(me, name, held);
  };
  show();
  walk.up(
      [&](int child) {
        came.push_back(me.receive<T>(child, elements_of_ranks(of, tree.ranks_below(child))));
        show();
      },
      [&](int parent) {
        join();
        me.send(parent, std::move(held));
        show_values(me, name, std::span<T const>());  // they have gone
      });
  std::vector<T> all;
  if (!walk.is_root()) return all;
  join();
  all.resize(held.size());
  std::size_t next = 0;
  for (int const rank : tree.ranks_below(tree.root())) {
    auto const place = blocks_in(std::span(all), of, rank, rank + 1);
    std::ranges::copy(std::span<T const>(held).subspan(next, place.size()), place.begin());
    next += place.size();
  }
  show_values(me, name, all);
  return all;
}

}  // namespace lockstep::detail
