#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Puts the sums of all lower ranks into `before`, with a partner on each axis of two, the fastest
/// first: both add what the other has to the sum of their part, the higher one to its own prefix, too.
template <payload_element T, std::size_t Extent, class Operator>
[[gnu::always_inline]] inline void prefixes_by_doubling(
    processor& me, Operator const& plus, std::span<T const, Extent> block,
    std::span<T, Extent> before, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const rank = me.rank();
  small_buffer<T, Extent> own(block);
  small_buffer<T, Extent> buffer(block.size());
  auto const sums = own.all();
  auto const incoming = buffer.all();
  for (int distance = 1; distance < me.size(); distance *= 2) {
    auto const partner = rank ^ distance;
    me.exchange_into(partner, std::span<T const, Extent>(sums), incoming, partner);
    std::span<T const, Extent> const came(incoming);
    bool const is_higher = (rank & distance) != 0;
    bool const has_heard = (rank & (distance - 1)) != 0;  // of lower ranks before
    if (is_higher && !has_heard)
      std::ranges::copy(came, before.begin());
    else if (is_higher)
      combine(plus, came, before, true);
    combine(plus, came, sums, is_higher);
    show_values(me, "sum of its part", sums);
    if (is_higher || has_heard) show_values(me, "sum of lower ranks", before);
  }
}

/// The same, where each processor sends the sums of 1, 2, 4, .. successive ranks that many ranks further
/// on.
template <payload_element T, class Operator>
[[gnu::noinline]] void prefixes_by_distances(
    processor& me, Operator const& plus, std::span<T const> block, std::span<T> before,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  small_buffer<T> sums(block);
  small_buffer<T> incoming(block.size());
  for (std::int64_t distance = 1; distance < me.size(); distance *= 2) {
    auto const step = me.now();
    if (me.rank() + distance < me.size())
      me.send(static_cast<int>(me.rank() + distance), std::span<T const>(sums.all()));
    if (me.rank() >= distance) {
      me.receive_into(static_cast<int>(me.rank() - distance), incoming.all());
      std::span<T const> const came(incoming.all());
      if (distance == 1)
        std::ranges::copy(came, before.begin());
      else
        combine(plus, came, before, true);
      combine(plus, came, sums.all(), true);
      show_values(me, "sum of its part", sums.all());
      show_values(me, "sum of lower ranks", before);
    }
    if (me.now() == step) me.idle();
  }
}

/// The same, where the blocks of all come to the middle of the network, and the sums go back.
template <payload_element T, class Operator>
[[gnu::noinline]] void prefixes_at_centre(
    processor& me, Operator const& plus, std::span<T const> block, std::span<T> before,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto walk = network_call(me, collective_scheme::tree).walk_of_centre();
  auto const n = block.size();
  equal_blocks const of(n);
  auto const blocks = gather_up(me, walk, of, block, values_of_the_blocks);
  std::vector<T> sums(blocks.size());
  for (auto first = n; first < blocks.size(); first += n)
    for (std::size_t i = 0; i < n; ++i)
      sums[first + i] =
          first == n ? blocks[i] : static_cast<T>(plus(sums[first - n + i], blocks[first - n + i]));
  std::ranges::copy(scatter_down(me, walk, of, std::span<T const>(sums), "sum of lower ranks"),
                    before.begin());
}

/// Puts the sums of all lower ranks into `before`; at rank 0 anything.
template <payload_element T, std::size_t Extent, class Operator>
[[gnu::always_inline]] inline void prefixes_on_network(processor& me,
                                                       collective_options const& options,
                                                       Operator const& plus,
                                                       std::span<T const, Extent> block,
                                                       std::span<T, Extent> before) {
  auto const scheme = scheme_for({.operation = collective_operation::scan,
                                  .scheme = options.scheme,
                                  .elements = block.size(),
                                  .startup_words = options.startup_words},
                                 me);
  me.barrier();
  show_values(me, "sum of its part", block);
  if (scheme == collective_scheme::direct)
    prefixes_at_once(me, plus, std::span<T const>(block), std::span<T>(before));
  else if (scheme == collective_scheme::tree)
    prefixes_at_centre(me, plus, std::span<T const>(block), std::span<T>(before));
  else if (scheme == collective_scheme::binomial)
    prefixes_by_rounds(me, network_call(me, scheme).rounds(), plus, std::span<T const>(block),
                       std::span<T>(before));
  else if (axes_of(me.topology()).kind == network_kind::crossbar)
    prefixes_by_distances(me, plus, std::span<T const>(block), std::span<T>(before));
  else
    prefixes_by_doubling(me, plus, block, before);
}

}  // namespace lockstep::detail
