#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/element_sums.hpp>
#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// Theorem 3.1: the processor that has the block sends it whole to k - 1 others; s have it, then
/// sk, where `parts_of(phase)` is k, in phases 0, 1, 2, .. Processors are counted from the root on.
template <payload_element T, class Parts>
void broadcast_in_phases(processor& me, access how, int root, std::span<T> block,
                         Parts const& parts_of,
                         std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  int const p = me.size();
  int const me_from_root = shifted(me, -root);
  auto const with = [&](std::int64_t from_root, bool is_there) -> transfer {
    if (!is_there) return {};
    return {static_cast<int>((from_root + root) % p), 0, 0, block.size()};
  };
  auto const show_block = [&](bool is_here) {
    if (me.is_shown()) me.show("block", std::vector(is_here ? 1 : 0, block_label{root, root}));
  };
  show_block(me_from_root == 0);
  std::size_t phase = 0;
  for (std::int64_t have = 1; have < p;) {
    auto const then = std::min<std::int64_t>(have * parts_of(phase++), p);
    me.pipelined([&] {
      for (std::int64_t ahead = have; ahead < then; ahead += have) {
        bool const sends = me_from_root < have && me_from_root + ahead < p;
        bool const gets = ahead <= me_from_root && me_from_root < ahead + have;
        move_in_round<T>(me, how, block, with(me_from_root + ahead, sends), block,
                         with(me_from_root - ahead, gets));
        if (gets) show_block(true);
      }
    });
    have = then;
  }
}

/// Broadcasts likewise, with k parts in each phase.
template <payload_element T>
void broadcast_along_tree(processor& me, access how, int k, int root, std::span<T> block,
                          std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  broadcast_in_phases(me, how, root, block, [k](std::size_t /*phase*/) { return k; });
}

/// The leaders of a group's parts send their sums to the group's, which adds them in the order of
/// ranks.
/// Result: there, the sum of all; elsewhere `sums`.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> sums_at_leader(
    processor& me, access how, int k, int root, Operator const& plus, tree_phase const& phase,
    std::vector<T> sums, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const& group = phase.group;
  bool const leads = me.rank() == group.leader(root);
  auto const place = [&](int member) {
    return static_cast<std::size_t>(group.part_of(member, k)) * sums.size();
  };
  std::vector<T> by_part(leads ? static_cast<std::size_t>(group.parts(k)) * sums.size() : 0);
  me.pipelined([&] {
    for (int round = 1; round <= phase.rounds; ++round) {
      auto const link = link_in_round(group, k, root, me.rank(), round);
      transfer const moved{link.partner, 0, place(link.leads ? link.partner : me.rank()),
                           sums.size()};
      move_in_round<T>(me, how, sums, link.leads ? transfer{} : moved, by_part,
                       link.leads ? moved : transfer{});
    }
  });
  if (!leads) {
    me.show("sum", std::vector<rank_interval>());  // which has gone
    return sums;
  }
  std::ranges::copy(sums, std::span(by_part).subspan(place(me.rank())).begin());
  element_sums<T> all(sums.size());
  for (std::size_t first = 0; first < by_part.size(); first += sums.size())
    all.add(plus, std::span<T const>(by_part).subspan(first, sums.size()));
  me.show("sum", rank_interval{group.first, group.last - 1});
  show_values(me, "values of the sum", all.sums());
  return std::move(all).sums();
}

/// Theorem 3.2: as many phases and rounds as the broadcast, backwards.
/// Result: at the root the sum of all blocks, element by element; elsewhere nothing of use.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> sum_along_tree(
    processor& me, access how, int k, int root, Operator const& plus, std::span<T const> block,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  std::vector<T> sums(block.begin(), block.end());
  me.show("sum", rank_interval{me.rank(), me.rank()});
  show_values(me, "values of the sum", sums);
  auto const phases = phases_of_tree(me.size(), k, me.rank());
  for (auto const& phase : std::views::reverse(phases))
    sums = sums_at_leader<T>(me, how, k, root, plus, phase, std::move(sums));
  return sums;
}

}  // namespace lockstep::detail
