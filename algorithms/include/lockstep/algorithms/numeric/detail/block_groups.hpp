#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/detail/piece_tree.hpp>
#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Groups of equal size, into which all processors of a machine fall, as one of them sees them. Each
/// has a root, which has or gets a block: its member 0, or a processor of another group.
struct block_groups {
  std::vector<int> own;        ///< ranks of the members of this processor's group
  int root = nobody;           ///< of that group
  std::vector<int> served;     ///< members of the group whose root this processor is; or empty
  bool roots_outside = false;  ///< whether some group's root is not its member 0
};

/// The blocks of all groups at once, one of `elements` each: from the roots to all members, and sums
/// of all members' blocks to the roots, in pieces, along trees of arity k. Every group goes through the
/// same phases; the first, or the last, in which the roots take part, is one of the whole machine.
/// **Source** JaJa and Ryu 1994, Theorem 3.3 and Lemma 5.2.
template <payload_element T>
class group_blocks {
 public:
  group_blocks(processor& me, block_groups groups, std::size_t elements, int k)
      : m_me(me),
        m_groups(std::move(groups)),
        m_group(me.subset(m_groups.own)),
        m_pieces(elements, m_group.size()),
        m_k(std::min(k, std::max(m_group.size(), 2))),
        m_tree(m_group, m_pieces, m_k, 0) {}

  /// `block`: of the group that this processor is the root of.
  /// Result: the block of its own group's root.
  [[nodiscard]] std::vector<T> broadcast(std::span<T const> block) {
    std::vector<T> held(m_tree.room());
    if (is_member_zero()) std::ranges::copy(block.first(part(0).elements), held.begin());
    move_parts(block, std::span(held));
    m_tree.scatter(m_group, access::messages, std::span(held), not_shown, 1);
    held.resize(m_pieces.size(m_group.rank()));
    return all_gather_pieces<T>(m_group, held, m_pieces, {.k = m_k}, not_shown);
  }

  /// Result: at a root the sums of the blocks of the group that it is the root of, added up in the
  /// order of members if k has no less than them, else as `reduce_scatter` does; elsewhere none.
  [[nodiscard]] std::vector<T> sum(std::span<T const> block) {
    auto held = reduce_scatter_pieces<T>(m_group, counting_operator(m_group, std::plus<T>{}), block,
                                         m_pieces, {.k = m_k}, not_shown);
    held.resize(m_tree.room());
    m_tree.gather(m_group, access::messages, std::span(held), not_shown, 1);
    std::vector<T> sums(m_groups.served.empty() ? 0 : m_pieces.elements());
    if (is_member_zero()) std::ranges::copy_n(held.begin(), length_of(0), sums.begin());
    move_parts(std::span(sums), std::span(held));
    return sums;
  }

 private:
  /// Members of a group have other ranks than on the machine.
  static constexpr piece_labels not_shown{};

  /// A part of a group, into which the first phase cuts it.
  struct group_part {
    int leader;          ///< index of its first member
    std::size_t before;  ///< elements of the block before it
    std::size_t elements;
  };

  [[nodiscard]] group_part part(int number) const {
    auto const members = member_range{0, m_pieces.count()}.part(number, m_k);
    auto const before = m_pieces.before(members.first);
    return {members.first, before, m_pieces.before(members.last) - before};
  }
  [[nodiscard]] std::ptrdiff_t length_of(int number) const {
    return static_cast<std::ptrdiff_t>(part(number).elements);
  }
  [[nodiscard]] int parts() const { return std::min(m_k, m_pieces.count()); }

  /// Whether this processor is the root of its own group.
  [[nodiscard]] bool is_member_zero() const { return m_groups.root == m_me.rank(); }

  /// Between the roots, which have all of a `block`, and the leaders, which hold their parts: part by
  /// part, one a round. Member 0 that is the root keeps its own.
  template <class Element>
  void move_parts(std::span<Element> block, std::span<T> held) {
    m_me.pipelined([&] {
      for (int number = m_groups.roots_outside ? 0 : 1; number < parts(); ++number) {
        auto const at_root = root_transfer(number);
        auto const at_leader = leader_transfer(number);
        if constexpr (std::is_const_v<Element>)
          move_in_round<T>(m_me, access::messages, block, at_root, held, at_leader);
        else
          move_in_round<T>(m_me, access::messages, std::span<T const>(held), at_leader, block,
                           at_root);
      }
    });
  }

  /// The root moves that part from or to its place in the block.
  [[nodiscard]] transfer root_transfer(int number) const {
    if (m_groups.served.empty()) return {};
    auto const [leader, before, elements] = part(number);
    auto const partner = m_groups.served[static_cast<std::size_t>(leader)];
    if (partner == m_me.rank()) return {};
    return {partner, before, before, elements};
  }

  [[nodiscard]] transfer leader_transfer(int number) const {
    auto const of = part(number);
    if (m_group.rank() != of.leader || is_member_zero()) return {};
    return {m_groups.root, 0, 0, of.elements};
  }

  processor& m_me;
  block_groups m_groups;
  processor m_group;
  pieces m_pieces;
  int m_k;
  piece_tree m_tree;
};

}  // namespace lockstep::detail
