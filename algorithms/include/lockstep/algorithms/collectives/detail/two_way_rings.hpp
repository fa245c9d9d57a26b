#pragma once

#include <cstddef>
#include <ranges>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/collectives/detail/ring_stages.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Tells whether messages of a round go both ways round a ring: each to processors `round` positions on, and
/// in an even ring to the one opposite one way only.
[[nodiscard]] inline bool goes_both_ways(rank_line const& on, int round) {
  return 2 * round < on.size();
}

/// `all_gather_in_ring` both ways at once: in round r each gets the parts of the processors r positions
/// before and behind it.
template <payload_element T, class Layout>
void all_gather_both_ways(processor& me, rank_line const& on, Layout const& of, std::span<T> all,
                          std::string_view name,
                          std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const here = on.position();
  auto const part = [&](int position) { return part_of_position(on, of, all, position); };
  auto const show = [&](int before, int behind) {
    if (me.is_shown()) [[unlikely]]
      show_gathered(me, name, on, of, all, before, behind);
  };
  show(0, 0);
  for (int round = 1; 2 * round <= on.size(); ++round) {
    bool const both_ways = goes_both_ways(on, round);
    me.send(on.rank_at(here + 1), std::span<T const>(part(here - round + 1)));
    if (both_ways) me.send(on.rank_at(here - 1), std::span<T const>(part(here + round - 1)));
    me.receive_into(on.rank_at(here - 1), part(here - round));
    if (both_ways) me.receive_into(on.rank_at(here + 1), part(here + round));
    show(round, both_ways ? round : round - 1);
  }
}

/// The same backwards: sums of the part of each processor come to it from both sides. The operator has to
/// be commutative.
template <payload_element T, class Layout, class Operator>
void reduce_scatter_both_ways(processor& me, rank_line const& on, Layout const& of,
                              Operator const& plus, std::span<T> all,
                              std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const here = on.position();
  auto const part = [&](int position) { return part_of_position(on, of, all, position); };
  std::vector<T> incoming;
  auto const add = [&](int from, int position) {
    incoming.resize(part(position).size());
    me.receive_into(on.rank_at(from), incoming);
    combine(plus, std::span<T const>(incoming), part(position), false);
  };
  show_values(me, values_of_the_sum, all);
  for (int round = on.size() / 2; round > 0; --round) {
    bool const both_ways = goes_both_ways(on, round);
    me.send(on.rank_at(here - 1), std::span<T const>(part(here - round)));
    if (both_ways) me.send(on.rank_at(here + 1), std::span<T const>(part(here + round)));
    add(here + 1, here + 1 - round);
    if (both_ways) add(here - 1, here - 1 + round);
    show_values(me, values_of_the_sum, all);
  }
}

/// All axes, one after the other: the fastest first, or the slowest.
template <payload_element T, class Layout>
void all_gather_in_two_way_rings(processor& me, std::vector<rank_line> const& lines,
                                 Layout const& of, std::span<T> all, std::string_view name,
                                 std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  for (auto const& line : std::views::reverse(lines)) all_gather_both_ways(me, line, of, all, name);
}
template <payload_element T, class Layout, class Operator>
void reduce_scatter_in_two_way_rings(processor& me, std::vector<rank_line> const& lines,
                                     Layout const& of, Operator const& plus, std::span<T> all,
                                     std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  for (auto const& line : lines) reduce_scatter_both_ways(me, line, of, plus, all);
}

}  // namespace lockstep::detail
