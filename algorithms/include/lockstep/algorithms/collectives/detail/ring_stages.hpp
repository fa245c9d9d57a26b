#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/algorithms/collectives/detail/small_buffer.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Names of what collectives on networks show.
inline constexpr std::string_view values_of_the_block = "values of the block";
inline constexpr std::string_view values_of_the_blocks = "values of the blocks";
inline constexpr std::string_view values_of_the_sum = "values of the sum";

/// Shows values by that name, if there is one.
template <class Values>
void show_named(processor& me, std::string_view name, Values const& values) {
  if (me.is_shown() && !name.empty()) [[unlikely]]
    show_values(me, name, values);
}

/// Adds `incoming` to `sums`, element by element, on the left or on the right of it.
template <class T, class Operator, std::size_t Extent>
void combine(Operator const& plus, std::span<T const, Extent> incoming, std::span<T, Extent> sums,
             bool on_the_left) {
  auto const add = [&](T const& came, T& sum) {
    sum = static_cast<T>(on_the_left ? plus(came, sum) : plus(sum, came));
  };
  if (sums.size() == 1) return add(incoming.front(), sums.front());  // without a loop's beginning
  for (std::size_t i = 0; i < sums.size(); ++i) add(incoming[i], sums[i]);
}

/// The elements that belong to a position of a line.
template <class T, class Layout>
[[nodiscard]] std::span<T> part_of_position(rank_line const& on, Layout const& of, std::span<T> all,
                                            int position) {
  auto const first = on.first_block(position);
  return blocks_in(all, of, first, first + on.stride());
}

/// Shows the parts of this position of a line and of those before and behind it, in the order of blocks.
template <payload_element T, class Layout>
[[gnu::cold, gnu::noinline]] void show_gathered(processor& me, std::string_view name,
                                                rank_line const& on, Layout const& of,
                                                std::span<T> all, int parts_before,
                                                int parts_behind = 0) {
  std::vector<int> positions;
  for (int behind = -parts_before; behind <= parts_behind; ++behind)
    positions.push_back(on.position() + behind);
  std::ranges::sort(positions, {}, [&](int position) { return on.first_block(position); });
  std::vector<T> gathered;
  for (int const position : positions) {
    auto const part = part_of_position(on, of, all, position);
    gathered.insert(gathered.end(), part.begin(), part.end());
  }
  show_values(me, name, gathered);
}

/// Each processor in a line has its own part of `all`, and gets the others': in each of n - 1 rounds it
/// passes on to the next one what came in the round before.
/// A ring takes one message over each link in a round; so does a line whose last processor sends to
/// the first, since all other messages go the other way. `name`: by which the parts are shown.
template <payload_element T, class Layout>
void all_gather_in_ring(processor& me, rank_line const& on, Layout const& of, std::span<T> all,
                        std::string_view name,
                        std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const here = on.position();
  auto const show = [&](int parts_before) {
    if (me.is_shown()) [[unlikely]]
      show_gathered(me, name, on, of, all, parts_before);
  };
  show(0);
  for (int round = 0; round + 1 < on.size(); ++round) {
    me.exchange_into(on.rank_at(here + 1),
                     std::span<T const>(part_of_position(on, of, all, here - round)),
                     part_of_position(on, of, all, here - round - 1), on.rank_at(here - 1));
    show(round + 1);
  }
}

/// The same backwards: of `all`, which each processor has, each gets the sums of its own part. Two
/// processors combine operands in the order of ranks; for more, the operator has to be commutative.
template <payload_element T, class Layout, class Operator>
void reduce_scatter_in_ring(processor& me, rank_line const& on, Layout const& of,
                            Operator const& plus, std::span<T> all,
                            std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const here = on.position();
  std::vector<T> incoming;
  show_values(me, values_of_the_sum, all);
  for (int round = 0; round + 1 < on.size(); ++round) {
    auto const staying = part_of_position(on, of, all, here - round - 2);
    incoming.resize(staying.size());
    me.exchange_into(on.rank_at(here + 1),
                     std::span<T const>(part_of_position(on, of, all, here - round - 1)), incoming,
                     on.rank_at(here - 1));
    combine(plus, std::span<T const>(incoming), staying, on.size() > 2 || here == 1);
    show_values(me, values_of_the_sum, all);
  }
}

/// Gathers axis by axis, the fastest first, so that what a processor has is contiguous.
template <payload_element T, class Layout>
void all_gather_in_rings(processor& me, std::vector<rank_line> const& lines, Layout const& of,
                         std::span<T> all, std::string_view name,
                         std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  for (auto const& line : std::views::reverse(lines)) all_gather_in_ring(me, line, of, all, name);
}

/// Adds up axis by axis, the slowest first. The operator has to be commutative but for a single
/// line of two.
template <payload_element T, class Layout, class Operator>
void reduce_scatter_in_rings(processor& me, std::vector<rank_line> const& lines, Layout const& of,
                             Operator const& plus, std::span<T> all,
                             std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  for (auto const& line : lines) reduce_scatter_in_ring(me, line, of, plus, all);
}

/// The part of a processor that is one of 2^k within p: its rank among them, and the processors of
/// all ranks.
class folded_ranks {
 public:
  explicit folded_ranks(processor const& me)
      : m_ranks(power_of_two_within(me.size())), m_pairs(me.size() - m_ranks), m_me(me.rank()) {}

  /// Whether this processor gives what it has to one of them, or takes it in, before and after.
  [[nodiscard]] bool is_paired() const { return m_me < 2 * m_pairs; }
  [[nodiscard]] bool gives() const { return is_paired() && m_me % 2 == 1; }
  [[nodiscard]] bool are_any_paired() const { return m_pairs > 0; }
  [[nodiscard]] int ranks() const { return m_ranks; }
  [[nodiscard]] int rank() const { return is_paired() ? m_me / 2 : m_me - m_pairs; }
  [[nodiscard]] int processor_of(int rank) const {
    return rank < m_pairs ? 2 * rank : rank + m_pairs;
  }
  /// Lists the lines of two, the one of the longest distance first.
  [[nodiscard]] std::vector<rank_line> lines() const {
    std::vector<rank_line> lines;
    for (auto const& axis : pair_axes(m_ranks)) {
      lines.emplace_back(rank(), axis);
      lines.back().spread_pairs(m_pairs);
    }
    return lines;
  }

 private:
  int m_ranks;
  int m_pairs;
  int m_me;
};

/// Recursive doubling among the 2^k processors: each adds what its partners at distances 1, 2, 4,
/// .. have, so that operands are combined in the order of ranks.
template <payload_element T, std::size_t Extent, class Operator>
[[gnu::always_inline]] inline void all_reduce_by_doubling(
    processor& me, folded_ranks const& among, Operator const& plus, std::span<T, Extent> sums,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  // What each round needs lies together on the stack, which is another one for each processor.
  auto const ranks = among;
  auto const rank = ranks.rank();
  bool const shown = me.is_shown();
  working_copy<T, Extent> own(sums);
  small_buffer<T, Extent> buffer(sums.size());
  auto const sum = own.all();
  auto const incoming = buffer.all();
  if (shown) [[unlikely]]
    show_values(me, values_of_the_sum, sum);
  for (int distance = 1; distance < ranks.ranks(); distance *= 2) {
    auto const partner = ranks.processor_of(rank ^ distance);
    me.exchange_into(partner, std::span<T const, Extent>(sum), incoming, partner);
    combine(plus, std::span<T const, Extent>(incoming), sum, (rank & distance) != 0);
    if (shown) [[unlikely]]
      show_values(me, values_of_the_sum, sum);
  }
  own.put_back(sums);
}

}  // namespace lockstep::detail
