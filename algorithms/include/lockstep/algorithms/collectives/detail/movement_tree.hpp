#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>

namespace lockstep::detail {

/// Members [first, last) of a tree, which a phase cuts into min(k, size) parts. A member of each,
/// its leader, holds what belongs to all of them: the root if it is one of them, else the first.
struct member_range {
  int first = 0;
  int last = 0;

  [[nodiscard]] int size() const { return last - first; }
  [[nodiscard]] bool has(int member) const { return first <= member && member < last; }
  [[nodiscard]] int leader(int root) const { return has(root) ? root : first; }
  [[nodiscard]] int parts(int k) const { return std::min(k, size()); }

  /// Part s begins at first + ceil(s size / parts).
  [[nodiscard]] member_range part(int s, int k) const { return {cut(s, k), cut(s + 1, k)}; }

  /// The part that a member is in.
  [[nodiscard]] int part_of(int member, int k) const {
    return static_cast<int>(static_cast<std::int64_t>(member - first) * parts(k) / size());
  }

 private:
  [[nodiscard]] int cut(int s, int k) const {
    std::int64_t const count = parts(k);
    return first + static_cast<int>((s * static_cast<std::int64_t>(size()) + count - 1) / count);
  }
};

/// A phase of a tree, as a member sees it.
struct tree_phase {
  member_range group;  ///< which the member is in, and which is cut
  int rounds = 0;      ///< of the largest group, which all others wait for
};

/// From the root to the leaves.
[[nodiscard]] std::vector<tree_phase> phases_of_tree(int p, int k, int member);

/// The partners of a member in a round: the leader of a group with the leaders of its other
/// parts, in turn from its own part on.
struct tree_link {
  int partner = nobody;
  bool leads = false;  ///< this member is the group's leader, the partner its part's
  member_range part;   ///< that the one who does not lead stands for
};

[[nodiscard]] inline tree_link link_in_round(member_range const& group, int k, int root, int member,
                                             int round) {
  int const parts = group.parts(k);
  if (round >= parts) return {};
  int const leader = group.leader(root);
  int const own_part = group.part_of(leader, k);
  auto const other = group.part((own_part + round) % parts, k);
  if (member == leader) return {other.leader(root), true, other};
  if (member == other.leader(root)) return {leader, false, other};
  return {};
}

}  // namespace lockstep::detail
