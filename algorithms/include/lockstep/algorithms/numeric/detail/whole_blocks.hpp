#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/algorithms/collectives/detail/element_sums.hpp>
#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>
#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/numeric/detail/block_groups.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Does the same as `group_blocks`, with whole blocks along the trees: fewer start-ups, and for
/// blocks within a packet fewer words.
/// **Source** JaJa and Ryu 1994, Theorems 3.1 and 3.2.
template <payload_element T>
class whole_blocks {
 public:
  whole_blocks(processor& me, block_groups groups, std::size_t elements, int k)
      : m_me(me),
        m_groups(std::move(groups)),
        m_group(me.subset(m_groups.own)),
        m_elements(elements),
        m_k(std::min(k, std::max(m_group.size(), 2))),
        m_phases(phases_of_tree(m_group.size(), m_k, m_group.rank())) {}

  /// `block`: of the group that this processor is the root of.
  /// Result: the block of its own group's root.
  [[nodiscard]] std::vector<T> broadcast(std::span<T const> block) {
    std::vector<T> held(m_elements);
    if (is_member_zero()) std::ranges::copy(block, held.begin());
    m_me.pipelined([&] {
      for (int number = first_part(); number < parts(); ++number)
        move_in_round<T>(m_me, access::messages, block, root_transfer(number, 0), held,
                         leader_transfer(number, 0));
    });
    for (auto const& phase : m_phases | std::views::drop(1))
      m_group.pipelined([&] {
        for (int round = 1; round <= phase.rounds; ++round) {
          auto const link = link_in_round(phase.group, m_k, 0, m_group.rank(), round);
          transfer const moved{link.partner, 0, 0, m_elements};
          move_in_round<T>(m_group, access::messages, held, link.leads ? moved : transfer{}, held,
                           link.leads ? transfer{} : moved);
        }
      });
    return held;
  }

  /// Result: at a root the sums of the blocks of the group that it is the root of, added up in the
  /// order of members; elsewhere none.
  [[nodiscard]] std::vector<T> sum(std::span<T const> block) {
    std::vector<T> sums(block.begin(), block.end());
    for (auto const& phase : m_phases | std::views::drop(1) | std::views::reverse)
      sums = sum_of_group(phase, std::move(sums));
    std::vector<T> by_part(
        m_groups.served.empty() ? 0 : static_cast<std::size_t>(parts()) * m_elements);
    if (is_member_zero()) std::ranges::copy(sums, by_part.begin());
    m_me.pipelined([&] {
      for (int number = first_part(); number < parts(); ++number)
        move_in_round<T>(m_me, access::messages, std::span<T const>(sums),
                         leader_transfer(number, slot(number)), by_part,
                         root_transfer(number, slot(number)));
    });
    return added(by_part);
  }

 private:
  [[nodiscard]] bool is_member_zero() const { return m_groups.root == m_me.rank(); }
  [[nodiscard]] int parts() const { return std::min(m_k, m_group.size()); }
  [[nodiscard]] int first_part() const { return m_groups.roots_outside ? 0 : 1; }
  [[nodiscard]] int leader(int number) const {
    return member_range{0, m_group.size()}.part(number, m_k).first;
  }
  [[nodiscard]] std::size_t slot(int number) const {
    return static_cast<std::size_t>(number) * m_elements;
  }

  /// Between the root and the leader of that part of the group that it serves.
  [[nodiscard]] transfer root_transfer(int number, std::size_t place) const {
    if (m_groups.served.empty()) return {};
    auto const partner = m_groups.served[static_cast<std::size_t>(leader(number))];
    if (partner == m_me.rank()) return {};
    return {partner, place, place, m_elements};
  }
  [[nodiscard]] transfer leader_transfer(int number, std::size_t place) const {
    if (m_group.rank() != leader(number) || is_member_zero()) return {};
    return {m_groups.root, 0, place, m_elements};
  }

  /// Adds up what the leaders of a group's parts have, at its own leader.
  [[nodiscard]] std::vector<T> sum_of_group(tree_phase const& phase, std::vector<T> sums) {
    bool const leads = m_group.rank() == phase.group.first;
    auto const place = [&](int member) { return slot(phase.group.part_of(member, m_k)); };
    std::vector<T> by_part(leads ? slot(phase.group.parts(m_k)) : 0);
    if (leads) std::ranges::copy(sums, by_part.begin());
    m_group.pipelined([&] {
      for (int round = 1; round <= phase.rounds; ++round) {
        auto const link = link_in_round(phase.group, m_k, 0, m_group.rank(), round);
        transfer const moved{link.partner, 0, place(link.leads ? link.partner : m_group.rank()),
                             m_elements};
        move_in_round<T>(m_group, access::messages, std::span<T const>(sums),
                         link.leads ? transfer{} : moved, by_part, link.leads ? moved : transfer{});
      }
    });
    return leads ? added(by_part) : std::move(sums);
  }

  [[nodiscard]] std::vector<T> added(std::span<T const> by_part) {
    counting_operator const plus(m_group, std::plus<T>{});
    element_sums<T> all(m_elements);
    for (std::size_t first = 0; first < by_part.size(); first += m_elements)
      all.add(plus, by_part.subspan(first, m_elements));
    return std::move(all).sums();
  }

  processor& m_me;
  block_groups m_groups;
  processor m_group;
  std::size_t m_elements;
  int m_k;
  std::vector<tree_phase> m_phases;
};

}  // namespace lockstep::detail
