#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>
#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/algorithms/collectives/detail/spanning_tree.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/detail/checked_counts.hpp>

/// The rounds of collectives, counted message by message.
namespace lockstep {

using detail::checked_product;
using detail::checked_sum;
using detail::rank_axis;
using axis_list = std::vector<rank_axis>;

[[nodiscard]] inline std::uint64_t count_of(int number) {
  return static_cast<std::uint64_t>(number);
}

/// ceil(log2 n).
[[nodiscard]] inline std::uint64_t halvings(int n) {
  return static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(n) - 1U));
}

[[nodiscard]] inline std::uint64_t tree_rounds(axis_list const& axes) {
  std::uint64_t rounds = 0;
  for (auto const& axis : axes) rounds += halvings(axis.size);
  return rounds;
}
[[nodiscard]] inline std::uint64_t ring_rounds(axis_list const& axes) {
  std::uint64_t rounds = 0;
  for (auto const& axis : axes) rounds += count_of(axis.size) - 1;
  return rounds;
}
/// Counts the rounds where rings go both ways at once.
[[nodiscard]] inline std::uint64_t two_way_rounds(axis_list const& axes) {
  std::uint64_t rounds = 0;
  for (auto const& axis : axes) rounds += count_of(axis.size) / 2;
  return rounds;
}
[[nodiscard]] inline int processors_of(axis_list const& axes) {
  int p = 1;
  for (auto const& axis : axes) p *= axis.size;
  return p;
}

/// The counts of a schedule of rounds, each a step.
class round_sums {
 public:
  explicit round_sums(std::uint64_t packet) : m_packet(packet) {}

  /// Adds rounds with that many messages each, all of that size.
  round_sums& alike(std::uint64_t rounds, std::uint64_t messages, std::uint64_t elements) {
    m_counts.rounds += rounds;
    if (elements == 0 || messages == 0) return *this;
    auto const words = detail::in_whole_packets(elements, m_packet);
    m_counts.startups += rounds;
    m_counts.words = checked_sum(m_counts.words, checked_product(rounds, words));
    m_counts.messages += rounds * messages;
    m_counts.volume =
        checked_sum(m_counts.volume, checked_product(checked_product(rounds, messages), words));
    return *this;
  }
  /// Adds `copies` of a message to those of a round that `end_round` ends, in any order of rounds.
  void message(std::uint64_t elements, std::uint64_t copies = 1) {
    if (elements == 0) return;
    auto const words = detail::in_whole_packets(elements, m_packet);
    m_longest = std::max(m_longest, words);
    m_counts.messages += copies;
    m_counts.volume = checked_sum(m_counts.volume, checked_product(copies, words));
  }
  /// Ends that many rounds, whose longest messages are as long as the longest one since.
  void end_rounds(std::uint64_t rounds = 1) {
    m_counts.rounds += rounds;
    if (m_longest > 0) m_counts.startups += rounds;
    m_counts.words = checked_sum(m_counts.words, checked_product(rounds, m_longest));
    m_longest = 0;
  }
  [[nodiscard]] schedule_counts counts() const { return m_counts; }

 private:
  std::uint64_t m_packet;
  std::uint64_t m_longest = 0;
  schedule_counts m_counts;
};

// --- Lines

/// Lists the messages of each round of a line's tree by what goes, in positions of the line.
using position_rounds = std::vector<std::vector<detail::member_range>>;

inline void add_halves(detail::member_range const& group, int root, std::size_t round,
                       position_rounds& rounds) {
  constexpr int halves = 2;
  if (group.size() < 2) return;
  auto const own = group.part_of(group.leader(root), halves);
  rounds[round].push_back(group.part(1 - own, halves));
  for (int half : {0, 1}) add_halves(group.part(half, halves), root, round + 1, rounds);
}

/// Blocks go along the binomial trees, from the root that has all of them, or to it.
template <class Layout>
[[nodiscard]] schedule_counts blocks_by_trees(axis_list const& axes, Layout const& of, int root,
                                              std::uint64_t packet) {
  round_sums sums(packet);
  auto const p = processors_of(axes);
  for (auto const& axis : axes) {
    position_rounds rounds(halvings(axis.size));
    add_halves({0, axis.size}, root / axis.stride % axis.size, 0, rounds);
    for (auto const& round : rounds) {
      for (int base = 0; base < p; base += axis.size * axis.stride)
        for (auto const& range : round)
          sums.message(detail::elements_of_blocks(of, base + range.first * axis.stride,
                                                  base + range.last * axis.stride));
      sums.end_rounds();
    }
  }
  return sums.counts();
}

/// Blocks go round the rings of all axes, to all, or summands of them to one; `both_ways` at once,
/// in half as many rounds.
template <class Layout>
[[nodiscard]] schedule_counts blocks_by_rings(axis_list const& axes, Layout const& of,
                                              std::uint64_t packet, bool both_ways = false) {
  round_sums sums(packet);
  auto const p = processors_of(axes);
  for (auto const& axis : axes) {
    auto const others = count_of(axis.size) - 1;
    for (int first = 0; first < p; first += axis.stride)
      sums.message(detail::elements_of_blocks(of, first, first + axis.stride),
                   others * count_of(axis.stride));
    sums.end_rounds(both_ways ? count_of(axis.size) / 2 : others);
  }
  return sums.counts();
}

/// Equal blocks, all to all, are bundled and go round the rings of all axes.
[[nodiscard]] inline schedule_counts exchange_by_rings(axis_list const& axes,
                                                       std::uint64_t elements,
                                                       std::uint64_t packet) {
  round_sums sums(packet);
  auto const p = count_of(processors_of(axes));
  for (auto const& axis : axes)
    for (int left = axis.size - 1; left > 0; --left)
      sums.alike(
          1, p,
          checked_product(checked_product(count_of(left), p / count_of(axis.size)), elements));
  return sums.counts();
}

// --- Trees

/// Walks down or up a spanning tree: `elements(rank)` go over the link between it and its parent.
/// `all_ports`: a processor's messages to or from its children are in the same round.
template <class Elements>
[[nodiscard]] schedule_counts along_tree(detail::spanning_tree const& tree, std::uint64_t packet,
                                         Elements const& elements, bool all_ports = false) {
  int const rounds = all_ports ? tree.depth() : tree.rounds();
  std::vector<std::uint64_t> longest(static_cast<std::size_t>(rounds));
  schedule_counts counts;
  counts.rounds = count_of(rounds);
  for (int rank = 0; rank < tree.size(); ++rank) {
    if (rank == tree.root()) continue;
    std::uint64_t const going = elements(rank);
    if (going == 0) continue;
    auto const words = detail::in_whole_packets(going, packet);
    int const round = all_ports ? tree.level_of(rank) : tree.round_of(rank);
    auto& so_far = longest[static_cast<std::size_t>(round) - 1];
    so_far = std::max(so_far, words);
    ++counts.messages;
    counts.volume = checked_sum(counts.volume, words);
  }
  for (auto const words : longest) {
    counts.words = checked_sum(counts.words, words);
    counts.startups += words > 0 ? 1 : 0;
  }
  return counts;
}

}  // namespace lockstep
