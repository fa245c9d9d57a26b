#include "collectives/network_counts.hpp"

#include <algorithm>
#include <cstdint>

#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/algorithms/collectives/detail/spanning_tree.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/topologies/torus.hpp>

#include "collectives/schedule_rounds.hpp"

namespace lockstep {

namespace {

using detail::equal_blocks;

// --- Lines

/// A vector goes whole along the binomial trees, from the root or to it.
[[nodiscard]] schedule_counts whole_by_trees(axis_list const& axes, std::uint64_t elements,
                                             std::uint64_t packet) {
  round_sums sums(packet);
  std::uint64_t messages = 0;
  for (auto const& axis : axes) messages = (messages + 1) * count_of(axis.size) - 1;
  sums.alike(tree_rounds(axes), 1, elements);
  auto counts = sums.counts();
  bool const is_empty = elements == 0;
  counts.messages = is_empty ? 0 : messages;
  counts.volume = checked_product(counts.messages, detail::in_whole_packets(elements, packet));
  return counts;
}

/// Exchanges with partners on all axes of two, of 2^k processors within p: the others give what
/// they have to one of them first, and get the result at last.
[[nodiscard]] schedule_counts folded(int p, std::uint64_t elements, std::uint64_t packet,
                                     schedule_counts const& within) {
  auto const others = count_of(p - detail::power_of_two_within(p));
  if (others == 0) return within;
  return round_sums(packet).alike(2, others, elements).counts() + within;
}

// --- Trees

[[nodiscard]] int root_of_tree(network_collective const& of) {
  using enum collective_operation;
  bool const is_rooted = of.operation == broadcast || of.operation == reduce ||
                         of.operation == scatter || of.operation == gather;
  return is_rooted ? of.root : detail::centre_of(of.network);
}

/// Adds up the ways that an operation goes on a tree: `whole(elements)`, where as many go over each link,
/// `blocks(elements)`, where as many go for each processor below it. All-to-all has neither.
template <class Whole, class Blocks>
[[nodiscard]] auto sum_of_ways(network_collective const& of, Whole const& whole,
                               Blocks const& blocks) {
  using enum collective_operation;
  auto const all = checked_product(count_of(of.network.size()), of.elements);
  switch (of.operation) {
    case broadcast:
      return whole(of.elements);
    case reduce:
      return of.reorders ? whole(of.elements) : blocks(of.elements);
    case all_reduce:
      return (of.reorders ? whole(of.elements) : blocks(of.elements)) + whole(of.elements);
    case barrier:
      return whole(1) + whole(1);
    case scan:
      return blocks(of.elements) + blocks(of.elements);
    case scatter:
    case gather:
      return blocks(of.elements);
    case all_gather:
      return blocks(of.elements) + whole(all);
    case reduce_scatter:
      return (of.reorders ? whole(all) : blocks(all)) + blocks(of.elements);
    case all_to_all:
      break;
  }
  return decltype(whole(all)){};
}

[[nodiscard]] schedule_counts counts_on_tree(network_collective const& of) {
  auto const kept = detail::spanning_tree_of(of.network, root_of_tree(of));
  auto const& tree = *kept;
  auto const along = [&](auto const& elements_over) {
    return along_tree(tree, of.packet, elements_over, of.all_ports);
  };
  if (of.operation == collective_operation::all_to_all) {
    auto const once = along([&](int rank) {
      auto const below = count_of(tree.size_below(rank));
      return checked_product(checked_product(below, count_of(tree.size()) - below), of.elements);
    });
    return once + once;
  }
  return sum_of_ways(
      of, [&](std::uint64_t elements) { return along([&](int) { return elements; }); },
      [&](std::uint64_t elements) {
        return along(
            [&](int rank) { return checked_product(count_of(tree.size_below(rank)), elements); });
      });
}

// --- Crossbars

[[nodiscard]] schedule_counts counts_of_bruck(network_collective const& of) {
  auto const p = of.network.size();
  round_sums sums(of.packet);
  for (std::int64_t distance = 1; distance < p; distance *= 2) {
    std::uint64_t blocks = 0;
    if (of.operation == collective_operation::all_gather) {
      blocks = static_cast<std::uint64_t>(std::min<std::int64_t>(distance, p - distance));
    } else {
      for (int block = 1; block < p; ++block) blocks += (block & distance) != 0 ? 1 : 0;
    }
    sums.alike(1, count_of(p), checked_product(blocks, of.elements));
  }
  return sums.counts();
}

/// All messages of the scheme `direct` go in one round: whole blocks, from or to the root, or between all;
/// in a scan those to higher ranks.
[[nodiscard]] schedule_counts counts_at_once(network_collective const& of) {
  using enum collective_operation;
  auto const p = count_of(of.network.size());
  auto const pairs = p * (p - 1);
  bool const is_rooted = of.operation == broadcast || of.operation == reduce ||
                         of.operation == scatter || of.operation == gather;
  auto const messages = is_rooted ? p - 1 : of.operation == scan ? pairs / 2 : pairs;
  return round_sums(of.packet)
      .alike(p > 1 ? 1 : 0, messages, of.operation == barrier ? 1 : of.elements)
      .counts();
}

/// The pieces of a vector go in one round from the root or to it, or to where their sums are, and in
/// another one between all.
[[nodiscard]] schedule_counts counts_in_two_rounds(network_collective const& of) {
  using enum collective_operation;
  auto const p = of.network.size();
  if (p == 1) return {};
  pieces const cut(of.elements, p, piece_sizes::larger_first);
  round_sums sums(of.packet);
  for (int to = 0; to < p && of.operation != all_reduce; ++to)
    if (to != of.root) sums.message(cut.size(to));
  if (of.operation == all_reduce)
    for (int to = 0; to < p; ++to) sums.message(cut.size(to), count_of(p) - 1);
  sums.end_rounds();
  for (int from = 0; from < p; ++from) sums.message(cut.size(from), count_of(p) - 1);
  sums.end_rounds();
  return sums.counts();
}

/// Each processor sends a block to each other processor, in rounds that pay one start-up.
[[nodiscard]] schedule_counts counts_of_direct(network_collective const& of) {
  if (of.all_ports) return counts_at_once(of);
  auto const others = count_of(of.network.size()) - 1;
  auto counts = round_sums(of.packet).alike(others, others + 1, of.elements).counts();
  counts.startups = std::min<std::uint64_t>(counts.startups, 1);
  return counts;
}

/// Counts rounds in which each processor sends to a processor further on, if there is one, or round the
/// end.
[[nodiscard]] schedule_counts counts_by_distances(int p, std::uint64_t elements, bool goes_round,
                                                  std::uint64_t packet) {
  round_sums sums(packet);
  for (std::int64_t distance = 1; distance < p; distance *= 2)
    sums.alike(1, static_cast<std::uint64_t>(goes_round ? p : p - distance), elements);
  return sums.counts();
}

[[nodiscard]] schedule_counts counts_of_circulant(network_collective const& of) {
  auto const p = of.network.size();
  bool const is_vector = of.operation == collective_operation::all_reduce;
  pieces const cut(is_vector ? of.elements : checked_product(of.elements, count_of(p)), p);
  auto const once = circulant_all_gather_counts(cut, 2, 2, of.packet);
  return is_vector ? once + once : once;
}

// --- Rings

[[nodiscard]] schedule_counts counts_in_rings(network_collective const& of) {
  using enum collective_operation;
  auto const p = of.network.size();
  auto const axes = detail::ring_axes(of.scheme, of.network);
  auto const within = processors_of(axes);
  equal_blocks const blocks(of.elements);
  pieces const cut(of.elements, within, piece_sizes::larger_first);
  bool const both_ways = of.scheme == collective_scheme::two_way;
  auto const rings = [&] { return blocks_by_rings(axes, cut, of.packet, both_ways); };
  auto const trees = [&] {
    return blocks_by_trees(detail::axes_of(of.network).list, cut, of.root, of.packet);
  };
  switch (of.operation) {
    case broadcast:
    case reduce:
      return trees() + rings();
    case all_reduce:
      if (of.scheme != collective_scheme::halving_doubling) return rings() + rings();
      return folded(p, of.elements, of.packet, rings() + rings());
    case all_to_all:
      return exchange_by_rings(axes, of.elements, of.packet);
    default:
      return blocks_by_rings(axes, blocks, of.packet, both_ways);
  }
}

[[nodiscard]] schedule_counts counts_by_doubling(network_collective const& of) {
  using enum collective_operation;
  auto const p = of.network.size();
  auto const axes = detail::pair_axes(p);
  if (of.operation == all_gather)
    return blocks_by_rings(axes, equal_blocks(of.elements), of.packet);
  if (of.operation == scan && detail::axes_of(of.network).kind == detail::network_kind::crossbar)
    return counts_by_distances(p, of.elements, false, of.packet);
  auto const elements = of.operation == barrier ? 1 : of.elements;
  return folded(
      p, elements, of.packet,
      round_sums(of.packet).alike(axes.size(), count_of(processors_of(axes)), elements).counts());
}

[[nodiscard]] schedule_counts counts_by_trees(network_collective const& of) {
  using enum collective_operation;
  auto const axes = detail::axes_of(of.network).list;
  auto const p = count_of(of.network.size());
  auto const whole = [&](std::uint64_t elements) {
    return whole_by_trees(axes, elements, of.packet);
  };
  auto const blocks = [&] {
    return blocks_by_trees(axes, equal_blocks(of.elements), of.root, of.packet);
  };
  switch (of.operation) {
    case all_reduce:
    case scan:
      return whole(of.elements) + whole(of.elements);
    case barrier:
      return whole(1) + whole(1);
    case scatter:
    case gather:
      return blocks();
    case reduce_scatter:
      return whole(checked_product(p, of.elements)) + blocks();
    default:
      return whole(of.elements);
  }
}

}  // namespace

schedule_counts network_counts(network_collective const& of) {
  detail::require_counted_processors("schedule", of.network.size());
  switch (of.scheme) {
    case collective_scheme::binomial:
      return counts_by_trees(of);
    case collective_scheme::ring:
    case collective_scheme::bucket:
    case collective_scheme::two_way:
    case collective_scheme::halving_doubling:
      return counts_in_rings(of);
    case collective_scheme::recursive_doubling:
      return counts_by_doubling(of);
    case collective_scheme::bruck:
      return counts_of_bruck(of);
    case collective_scheme::direct:
      return counts_of_direct(of);
    case collective_scheme::transpose:
      return of.all_ports ? counts_in_two_rounds(of) : schedule_counts{};
    case collective_scheme::dissemination:
      return counts_by_distances(of.network.size(), 1, true, of.packet);
    case collective_scheme::circulant:
      return counts_of_circulant(of);
    case collective_scheme::tree:
      return counts_on_tree(of);
    default:
      return {};
  }
}

namespace {

/// Counts the words of n elements in pieces of one size that go along the binomial trees of all axes,
/// from processor 0 or to it: half of a line's pieces after the other.
[[nodiscard]] std::uint64_t words_dealt(axis_list const& axes, std::uint64_t n,
                                        std::uint64_t packet) {
  auto const p = count_of(processors_of(axes));
  if (packet == 1) return (p - 1) * n / p;  // those of all others
  std::uint64_t words = 0;
  for (auto const& axis : axes)
    for (auto left = count_of(axis.size); left > 1; left -= left / 2) {
      auto const pieces_going = left / 2 * count_of(axis.stride);
      words += detail::in_whole_packets(detail::quotient_up(pieces_going * n, p), packet);
    }
  return words;
}

/// Finds how far the farthest processor of a grid or hypercube is from one of them, in links.
[[nodiscard]] std::uint64_t farthest_from(topology const& network, int rank) {
  bool const is_torus = dynamic_cast<torus const*>(&network) != nullptr;
  std::uint64_t links = 0;
  for (auto const& axis : detail::axes_of(network).list) {
    int const here = axis.position_of(rank);
    links += count_of(is_torus ? axis.size / 2 : std::max(here, axis.size - 1 - here));
  }
  return links;
}

}  // namespace

std::uint64_t rounds_on_tree(network_collective const& of) {
  auto const once = farthest_from(of.network, root_of_tree(of));
  auto const ways = sum_of_ways(
      of, [](std::uint64_t) { return 1; }, [](std::uint64_t) { return 1; });
  return once * count_of(ways);
}

rounds_and_words cost_on_tree(network_collective const& of) {
  auto const tree = detail::spanning_tree_of(of.network, root_of_tree(of));
  auto const rounds = count_of(tree->depth());
  return sum_of_ways(
      of,
      [&](std::uint64_t elements) {
        return rounds_and_words{rounds, rounds * detail::in_whole_packets(elements, of.packet)};
      },
      [&](std::uint64_t elements) {
        rounds_and_words cost{rounds, 0};
        for (int level = 1; level <= tree->depth(); ++level)
          cost.words += detail::in_whole_packets(
              checked_product(count_of(tree->most_below(level)), elements), of.packet);
        return cost;
      });
}

rounds_and_words cost_on_axes(network_collective const& of) {
  using enum collective_operation;
  auto const axes = detail::axes_of(of.network).list;
  auto const p = count_of(of.network.size());
  std::uint64_t const n = of.elements;
  auto const in_packets = [&](std::uint64_t words) {
    return detail::in_whole_packets(words, of.packet);
  };
  // In rings a message of each round goes over each link of an axis.
  auto const in_rings = [&](axis_list const& around, auto const& elements_over) {
    rounds_and_words cost;
    for (auto const& axis : around) {
      bool const both_ways = of.scheme == collective_scheme::two_way;
      auto const rounds = both_ways ? count_of(axis.size) / 2 : count_of(axis.size) - 1;
      cost.rounds += rounds;
      cost.words += rounds * in_packets(elements_over(axis));
    }
    return cost;
  };
  auto const blocks = [&](std::uint64_t each) {  // to all
    return in_rings(detail::ring_axes(of.scheme, of.network),
                    [&](auto const& axis) { return count_of(axis.stride) * each; });
  };
  auto const pieces_in_rings = [&] {
    auto const around = detail::ring_axes(of.scheme, of.network);
    pieces const cut(n, processors_of(around), piece_sizes::larger_first);
    return in_rings(around, [&](auto const& axis) { return cut.before(axis.stride); });
  };
  auto const l = tree_rounds(axes);
  rounds_and_words const whole{l, l * in_packets(n)};
  rounds_and_words const dealt{l, words_dealt(axes, n, of.packet)};
  bool const doubles = of.scheme == collective_scheme::recursive_doubling;
  switch (of.scheme) {
    case collective_scheme::binomial:
      if (of.operation == all_reduce || of.operation == scan) return whole + whole;
      if (of.operation == reduce_scatter)
        return {2 * l, l * in_packets(n * p) + words_dealt(axes, n * p, of.packet)};
      return whole;
    case collective_scheme::ring:
    case collective_scheme::bucket:
    case collective_scheme::two_way:
    case collective_scheme::halving_doubling:
    case collective_scheme::recursive_doubling:
      if (of.operation == all_gather || of.operation == reduce_scatter) return blocks(n);
      if (doubles) return whole;
      if (of.operation == all_reduce) return pieces_in_rings() + pieces_in_rings();
      return dealt + pieces_in_rings();
    default:
      return {};
  }
}

}  // namespace lockstep
