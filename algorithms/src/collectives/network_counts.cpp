#include "collectives/network_counts.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>
#include <lockstep/algorithms/collectives/detail/spanning_tree.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

using detail::checked_product;
using detail::checked_sum;
using detail::equal_blocks;
using detail::rank_axis;
using axis_list = std::vector<rank_axis>;

[[nodiscard]] std::uint64_t count_of(int number) { return static_cast<std::uint64_t>(number); }

/// ceil(log2 n).
[[nodiscard]] std::uint64_t halvings(int n) {
  return static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(n) - 1U));
}

[[nodiscard]] std::uint64_t tree_rounds(axis_list const& axes) {
  std::uint64_t rounds = 0;
  for (auto const& axis : axes) rounds += halvings(axis.size);
  return rounds;
}
[[nodiscard]] std::uint64_t ring_rounds(axis_list const& axes) {
  std::uint64_t rounds = 0;
  for (auto const& axis : axes) rounds += count_of(axis.size) - 1;
  return rounds;
}
[[nodiscard]] int processors_of(axis_list const& axes) {
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

/// Lists the messages of each round of a line's tree by what goes, in positions of the line.
using position_rounds = std::vector<std::vector<detail::member_range>>;

void add_halves(detail::member_range const& group, int root, std::size_t round,
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

/// Blocks go round the rings of all axes, to everybody, or summands of them to one.
template <class Layout>
[[nodiscard]] schedule_counts blocks_by_rings(axis_list const& axes, Layout const& of,
                                              std::uint64_t packet) {
  round_sums sums(packet);
  auto const p = processors_of(axes);
  for (auto const& axis : axes) {
    auto const rounds = count_of(axis.size) - 1;
    for (int first = 0; first < p; first += axis.stride)
      sums.message(detail::elements_of_blocks(of, first, first + axis.stride),
                   rounds * count_of(axis.stride));
    sums.end_rounds(rounds);
  }
  return sums.counts();
}

/// Equal blocks, all to all, are bundled and go round the rings of all axes.
[[nodiscard]] schedule_counts exchange_by_rings(axis_list const& axes, std::uint64_t elements,
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

/// Exchanges with partners on all axes of two, of 2^k processors within p: the others give what
/// they have to one of them first, and get the result at last.
[[nodiscard]] schedule_counts folded(int p, std::uint64_t elements, std::uint64_t packet,
                                     schedule_counts const& within) {
  auto const others = count_of(p - detail::power_of_two_within(p));
  if (others == 0) return within;
  return round_sums(packet).alike(2, others, elements).counts() + within;
}

// --- Trees

/// Walks down or up a spanning tree: `elements(rank)` go over the link between it and its parent.
template <class Elements>
[[nodiscard]] schedule_counts along_tree(detail::spanning_tree const& tree, std::uint64_t packet,
                                         Elements const& elements) {
  std::vector<std::uint64_t> longest(static_cast<std::size_t>(tree.rounds()));
  schedule_counts counts;
  counts.rounds = count_of(tree.rounds());
  for (int rank = 0; rank < tree.size(); ++rank) {
    if (rank == tree.root()) continue;
    std::uint64_t const going = elements(rank);
    if (going == 0) continue;
    auto const words = detail::in_whole_packets(going, packet);
    auto& so_far = longest[static_cast<std::size_t>(tree.round_of(rank)) - 1];
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

[[nodiscard]] schedule_counts counts_on_tree(network_collective const& of) {
  using enum collective_operation;
  bool const is_rooted = of.operation == broadcast || of.operation == reduce ||
                         of.operation == scatter || of.operation == gather;
  auto const kept =
      detail::spanning_tree_of(of.network, is_rooted ? of.root : detail::centre_of(of.network));
  auto const& tree = *kept;
  auto const p = count_of(tree.size());
  auto const whole = [&](std::uint64_t elements) {
    return along_tree(tree, of.packet, [&](int) { return elements; });
  };
  auto const blocks = [&](std::uint64_t elements) {
    return along_tree(tree, of.packet, [&](int rank) {
      return checked_product(count_of(tree.size_below(rank)), elements);
    });
  };
  auto const all = checked_product(p, of.elements);
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
    case all_to_all: {
      auto const once = along_tree(tree, of.packet, [&](int rank) {
        auto const below = count_of(tree.size_below(rank));
        return checked_product(checked_product(below, p - below), of.elements);
      });
      return once + once;
    }
  }
  return {};
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

/// Everybody sends a block to each other processor, in rounds that pay one start-up.
[[nodiscard]] schedule_counts counts_of_direct(network_collective const& of) {
  auto const others = count_of(of.network.size()) - 1;
  auto counts = round_sums(of.packet).alike(others, others + 1, of.elements).counts();
  counts.startups = std::min<std::uint64_t>(counts.startups, 1);
  return counts;
}

/// Counts rounds in which everybody sends to a processor further on, if there is one, or round the
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
  auto const rings = [&] { return blocks_by_rings(axes, cut, of.packet); };
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
      return blocks_by_rings(axes, blocks, of.packet);
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
    case collective_scheme::halving_doubling:
      return counts_in_rings(of);
    case collective_scheme::recursive_doubling:
      return counts_by_doubling(of);
    case collective_scheme::bruck:
      return counts_of_bruck(of);
    case collective_scheme::direct:
      return counts_of_direct(of);
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

}  // namespace

rounds_and_words cost_on_axes(network_collective const& of) {
  using enum collective_operation;
  auto const axes = detail::axes_of(of.network).list;
  auto const p = count_of(of.network.size());
  std::uint64_t const n = of.elements;
  auto const in_packets = [&](std::uint64_t words) {
    return detail::in_whole_packets(words, of.packet);
  };
  auto const blocks = [&](std::uint64_t each) {  // to everybody, in rings
    auto const around = detail::ring_axes(of.scheme, of.network);
    rounds_and_words cost{ring_rounds(around), 0};
    for (auto const& axis : around)
      cost.words += (count_of(axis.size) - 1) * in_packets(count_of(axis.stride) * each);
    return cost;
  };
  auto const pieces_in_rings = [&] {
    auto const around = detail::ring_axes(of.scheme, of.network);
    pieces const cut(n, processors_of(around), piece_sizes::larger_first);
    rounds_and_words cost{ring_rounds(around), 0};
    for (auto const& axis : around)
      cost.words += (count_of(axis.size) - 1) * in_packets(cut.before(axis.stride));
    return cost;
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
