#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>

namespace lockstep::detail {

/// A k-ary tree along which pieces go from a root, or to it, piece i from or to processor i. Its
/// members are the processors from the root on; the leader of members [a, b) holds their pieces, in
/// this order.
class piece_tree {
 public:
  piece_tree(processor const& me, pieces const& of, int k, int root)
      : m_pieces(of),
        m_k(k),
        m_root(root),
        m_member(shifted(me, -root)),
        m_phases(phases_of_tree(me.size(), k, m_member)) {}

  /// Elements that this processor holds at most: of the largest group that it leads.
  [[nodiscard]] std::size_t room() const {
    for (auto const& phase : m_phases)
      if (phase.group.first == m_member) return elements_of(phase.group);
    return m_pieces.size(rank_of(m_member));
  }

  /// From the root, which holds all, to all; without the first phases, as many as are `done`,
  /// from the leaders after these.
  template <payload_element T>
  void scatter(processor& me, access how, std::span<T> held, piece_labels const& labels,
               std::size_t done = 0) const {
    if (labels.are_shown(me)) labels.show(me, numbers_at_root());
    for (auto phase = done; phase < m_phases.size(); ++phase)
      go(me, how, held, m_phases[phase], {labels, false});
  }

  /// The same backwards.
  template <payload_element T>
  void gather(processor& me, access how, std::span<T> held, piece_labels const& labels,
              std::size_t left = 0) const {
    if (labels.are_shown(me)) labels.show(me, std::vector{rank_of(m_member)});
    for (auto phase = m_phases.size(); phase-- > left;)
      go(me, how, held, m_phases[phase], {labels, true});
  }

 private:
  /// The way that all pieces go, and how they are shown.
  struct direction {
    piece_labels const& labels;
    bool towards_root;
  };

  /// Lists the pieces that this processor has before a scatter.
  [[nodiscard]] std::vector<int> numbers_at_root() const {
    std::vector<int> numbers;
    for (int member = 0; m_member == 0 && member < m_pieces.count(); ++member)
      numbers.push_back(rank_of(member));
    return numbers;
  }

  [[nodiscard]] int rank_of(int member) const {
    auto const to_the_last = m_pieces.count() - m_root;
    return member < to_the_last ? m_root + member : member - to_the_last;
  }

  [[nodiscard]] std::size_t elements_of(member_range const& members) const {
    return m_pieces.run(rank_of(members.first), members.size());
  }

  template <payload_element T>
  void go(processor& me, access how, std::span<T> held, tree_phase const& phase,
          direction const& where) const {
    me.pipelined([&] {
      for (int round = 1; round <= phase.rounds; ++round) {
        auto const link = link_in_round(phase.group, m_k, 0, m_member, round);
        auto const moved = moved_along(link, phase.group, where.towards_root);
        bool const sends = link.leads != where.towards_root;
        move_in_round<T>(me, how, held, sends ? moved : transfer{}, held,
                         sends ? transfer{} : moved);
        if (where.labels.are_shown(me))
          where.labels.show(me, numbers_after(phase.group, round, where.towards_root));
      }
    });
  }

  /// Lists the pieces that this processor holds after a round of a phase. A leader has what it has
  /// not sent yet or the pieces that have come, besides its own part.
  [[nodiscard]] std::vector<int> numbers_after(member_range const& group, int round,
                                               bool towards_root) const {
    int const own = group.part_of(m_member, m_k);
    auto const part = group.part(own, m_k);
    std::vector<int> numbers;
    auto const add = [&](int first, int last) {
      for (int member = first; member < last; ++member) numbers.push_back(rank_of(member));
    };
    int const done = std::min(round + 1, group.parts(m_k));
    if (part.first == m_member && (own == 0 || (own < done) != towards_root))
      add(part.first, part.last);
    if (m_member != group.first) return numbers;
    for (int other = 1; other < group.parts(m_k); ++other)
      if ((other < done) == towards_root)
        add(group.part(other, m_k).first, group.part(other, m_k).last);
    return numbers;
  }

  [[nodiscard]] transfer moved_along(tree_link const& link, member_range const& group,
                                     bool towards_root) const {
    if (link.partner == nobody) return {};
    auto const in_the_leader = m_pieces.run(rank_of(group.first), link.part.first - group.first);
    return {rank_of(link.partner), towards_root ? 0 : in_the_leader,
            towards_root ? in_the_leader : 0, elements_of(link.part)};
  }

  pieces m_pieces;
  int m_k;
  int m_root;
  int m_member;
  std::vector<tree_phase> m_phases;
};

}  // namespace lockstep::detail
