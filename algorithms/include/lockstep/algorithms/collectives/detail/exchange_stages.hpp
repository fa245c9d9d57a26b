#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// The places of blocks in an exchange along one axis after another: place i is, on axes that are
/// done, where a block comes from, on the others where it goes. What belongs to a position of a
/// line are runs of `stride` blocks.
class axis_places {
 public:
  axis_places(rank_line const& on, int processors, std::size_t elements)
      : m_run(static_cast<std::size_t>(on.stride()) * elements),
        m_period(m_run * static_cast<std::size_t>(on.size())),
        m_all(static_cast<std::size_t>(processors) * elements),
        m_size(on.size()) {}

  template <class T>
  void append(std::span<T const> blocks, int position, std::vector<T>& to) const {
    for (auto first = offset(position); first < m_all; first += m_period) {
      auto const run = blocks.subspan(first, m_run);
      to.insert(to.end(), run.begin(), run.end());
    }
  }
  template <class T>
  void put(std::span<T const> from, int position, std::span<T> blocks) const {
    for (auto first = offset(position); first < m_all; first += m_period) {
      std::ranges::copy(from.first(m_run), blocks.subspan(first).begin());
      from = from.subspan(m_run);
    }
  }
  /// Counts the elements of a position.
  [[nodiscard]] std::size_t elements() const { return m_all / static_cast<std::size_t>(m_size); }

 private:
  [[nodiscard]] std::size_t offset(int position) const {
    return static_cast<std::size_t>((position % m_size + m_size) % m_size) * m_run;
  }

  std::size_t m_run;
  std::size_t m_period;
  std::size_t m_all;
  int m_size;
};

/// Names what exchanges on networks show: the blocks that a processor has, in any order.
inline constexpr std::string_view blocks_of_exchange = "blocks";

/// Shows the blocks that a processor has in an exchange in rings: on the lines before `current` they
/// are where they go, and on that one bundles have gone round that many positions.
[[gnu::cold, gnu::noinline]] inline void show_in_rings(processor& me,
                                                       std::vector<rank_line> const& lines,
                                                       std::size_t current, int behind) {
  std::vector<block_label> labels;
  for (int place = 0; place < me.size(); ++place) {
    block_label block{me.rank(), me.rank()};
    for (std::size_t l = 0; l < lines.size(); ++l) {
      auto const& line = lines[l];
      auto const there = place / line.stride() % line.size();
      auto const move = [&](int& rank, int to) {
        rank += ((to + line.size()) % line.size() - line.position()) * line.stride();
      };
      auto const back = (line.position() - there + line.size()) % line.size();
      bool const has_come = l < current || (l == current && 0 < back && back <= behind);
      if (has_come) move(block.source, there);
      if (l > current) move(block.destination, there);
      if (l == current && back > behind) {  // in the bundle that goes on
        move(block.source, line.position() - behind);
        move(block.destination, there);
      }
    }
    labels.push_back(block);
  }
  me.show(blocks_of_exchange, labels);
}

/// Each processor has a block for each processor of `blocks`, by destination; afterwards from each, by
/// source. On each axis bundles go round: each begins with those for the next processor, which
/// takes them out and passes the rest on.
template <payload_element T>
void all_to_all_in_rings(processor& me, std::vector<rank_line> const& lines, std::size_t elements,
                         std::span<T> blocks) {
  if (me.is_shown()) [[unlikely]]
    show_in_rings(me, lines, 0, 0);
  for (auto const& line : lines) {
    axis_places const places(line, me.size(), elements);
    auto const here = line.position();
    std::vector<T> bundle;
    bundle.reserve(blocks.size());
    for (int ahead = 1; ahead < line.size(); ++ahead)
      places.append(std::span<T const>(blocks), here + ahead, bundle);
    for (int behind = 1; behind < line.size(); ++behind) {
      auto const expected = bundle.size();
      me.send(line.rank_at(here + 1), std::move(bundle));
      auto const came = me.receive<T>(line.rank_at(here - 1), expected);
      places.put(std::span<T const>(came), here - behind, blocks);
      bundle.assign(came.begin() + static_cast<std::ptrdiff_t>(places.elements()), came.end());
      if (me.is_shown()) [[unlikely]]
        show_in_rings(me, lines, static_cast<std::size_t>(&line - lines.data()), behind);
    }
  }
}

/// The same with each other processor directly, in p - 1 rounds that pay one start-up.
template <payload_element T>
void all_to_all_directly(processor& me, std::size_t elements, std::span<T> blocks) {
  equal_blocks const of(elements);
  std::vector<T> const leaving(blocks.begin(), blocks.end());
  auto const block_of = [&](auto all, int rank) { return blocks_in(all, of, rank, rank + 1); };
  if (me.is_shown()) me.show(blocks_of_exchange, labels_of_shifts(me, 0));
  me.pipelined([&] {
    in_shifted_rounds(
        me, [&](int to) { me.send(to, block_of(std::span<T const>(leaving), to)); },
        [&](int from) {
          me.receive_into(from, block_of(blocks, from));
          if (me.is_shown()) me.show(blocks_of_exchange, labels_of_shifts(me, shifted(me, -from)));
        });
  });
}

/// Shows the blocks that a processor has in Bruck's exchange, when those that go a distance have gone
/// `moved(distance)` ranks of it.
template <class Moved>
[[gnu::cold, gnu::noinline]] void show_by_distance(processor& me, Moved const& moved) {
  std::vector<block_label> labels;
  for (int distance = 0; distance < me.size(); ++distance) {
    auto const source = shifted(me, -moved(distance));
    labels.push_back({source, (source + distance) % me.size()});
  }
  me.show(blocks_of_exchange, labels);
}

/// The same after Bruck: the blocks that go 1, 3, 5, .. ranks further go one rank, then those that
/// have 2 or 3 left, modulo 4, two ranks, and so on. Two rearrangements of all blocks.
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all_by_bruck(processor& me, std::size_t elements,
                                                 std::span<T const> blocks) {
  auto const p = me.size();
  equal_blocks const of(elements);
  std::vector<T> turned(blocks.size());  // by how far they go
  std::ranges::rotate_copy(
      blocks, blocks.begin() + static_cast<std::ptrdiff_t>(of.before(me.rank())), turned.begin());
  if (me.is_shown()) [[unlikely]]
    show_by_distance(me, [](int /*distance*/) { return 0; });
  if (p > 1) me.rearrange(turned.size());
  auto const block_at = [&](int distance) {
    return blocks_in(std::span(turned), of, distance, distance + 1);
  };
  for (std::int64_t step = 1; step < p; step *= 2) {
    auto const ahead = static_cast<int>(step);
    std::vector<T> leaving;
    for (int distance = 0; distance < p; ++distance)
      if ((distance & ahead) != 0)
        std::ranges::copy(block_at(distance), std::back_inserter(leaving));
    auto const expected = leaving.size();
    me.send((me.rank() + ahead) % p, std::move(leaving));
    auto const came = me.receive<T>((me.rank() - ahead + p) % p, expected);
    std::size_t next = 0;
    for (int distance = 0; distance < p; ++distance) {
      if ((distance & ahead) == 0) continue;
      std::ranges::copy(std::span(came).subspan(next, elements), block_at(distance).begin());
      next += elements;
    }
    if (me.is_shown()) [[unlikely]]
      show_by_distance(me, [&](int distance) { return distance & (2 * ahead - 1); });
  }
  if (p > 1) me.rearrange(turned.size());
  std::vector<T> by_source(blocks.size());
  for (int distance = 0; distance < p; ++distance)
    std::ranges::copy(block_at(distance),
                      blocks_in(std::span(by_source), of, (me.rank() - distance + p) % p,
                                (me.rank() - distance + p) % p + 1)
                          .begin());
  return by_source;
}

/// Blocks that go over a link together, one after another.
template <payload_element T>
class block_bundle {
 public:
  block_bundle() = default;
  /// Blocks of one size.
  block_bundle(std::vector<T> elements, std::size_t of_each)
      : m_elements(std::move(elements)), m_of_each(of_each) {}
  /// Blocks of these sizes.
  block_bundle(std::vector<T> elements, std::vector<std::uint64_t> const& sizes)
      : m_elements(std::move(elements)), m_ends(sizes.size() + 1) {
    std::partial_sum(sizes.begin(), sizes.end(), m_ends.begin() + 1);
  }

  [[nodiscard]] std::span<T const> block(std::size_t number) const {
    auto const begin = m_ends.empty() ? number * m_of_each : m_ends[number];
    auto const end = m_ends.empty() ? begin + m_of_each : m_ends[number + 1];
    return std::span(m_elements).subspan(begin, end - begin);
  }

 private:
  std::vector<T> m_elements;
  std::size_t m_of_each = 0;
  std::vector<std::size_t> m_ends;  ///< of all blocks before each; empty where they have one size
};

/// The blocks of an exchange along a tree at one of its processors: its own, and those that came
/// over the links. A bundle has, for each processor below the link in the order of places, the
/// blocks from it to each processor that is not, or to it from each of these.
template <payload_element T>
class tree_exchange {
 public:
  /// `own`: this processor's blocks, by destination.
  tree_exchange(spanning_tree const& tree, int rank, std::vector<std::span<T const>> own)
      : m_tree(tree), m_rank(rank), m_own(std::move(own)), m_from_children(children().size()) {}

  void came_from_child(int child, block_bundle<T> bundle) {
    auto const at = std::ranges::find(children(), child) - children().begin();
    m_from_children[static_cast<std::size_t>(at)] = std::move(bundle);
  }
  void came_from_parent(block_bundle<T> bundle) { m_from_parent = std::move(bundle); }

  /// Calls act(block) for what leaves the part below `top`, this processor or a child of it (upwards),
  /// or goes into it.
  template <class Act>
  void for_each_over(int top, bool upwards, Act const& act) const {
    for (int const inside : m_tree.ranks_below(top))
      for (int place = 0; place < m_tree.size(); ++place) {
        if (place == m_tree.place(top)) place += m_tree.size_below(top);
        if (place == m_tree.size()) break;
        auto const outside = m_tree.rank_at(place);
        act(upwards ? block(inside, outside) : block(outside, inside));
      }
  }
  /// Counts the blocks that go over the link above a processor, each way.
  [[nodiscard]] std::size_t blocks_over(int top) const {
    return to_size(m_tree.size_below(top)) * to_size(m_tree.size() - m_tree.size_below(top));
  }
  /// Finds a block that has come here, or is here from the beginning.
  [[nodiscard]] std::span<T const> block(int source, int destination) const {
    if (source == m_rank) return m_own[to_size(destination)];
    if (!m_tree.is_below(source, m_rank))
      return m_from_parent.block(number_in_bundle(m_rank, destination, source));
    std::size_t child = 0;
    while (!m_tree.is_below(source, children()[child])) ++child;
    return m_from_children[child].block(number_in_bundle(children()[child], source, destination));
  }

 private:
  [[nodiscard]] static std::size_t to_size(int count) { return static_cast<std::size_t>(count); }
  [[nodiscard]] std::span<int const> children() const { return m_tree.children(m_rank); }
  [[nodiscard]] std::size_t number_in_bundle(int top, int inside, int outside) const {
    auto const first = m_tree.place(top);
    auto const below = m_tree.size_below(top);
    auto const place = m_tree.place(outside);
    auto const among_others = place < first ? place : place - below;
    return to_size(m_tree.place(inside) - first) * to_size(m_tree.size() - below) +
           to_size(among_others);
  }

  spanning_tree const& m_tree;
  int m_rank;
  std::vector<std::span<T const>> m_own;
  std::vector<block_bundle<T>> m_from_children;
  block_bundle<T> m_from_parent;
};

/// Shows the blocks that a processor has in an exchange along a tree.
class shown_tree_blocks {
 public:
  shown_tree_blocks(processor& me, spanning_tree const& tree) : m_me(me), m_tree(tree) {
    if (!m_me.is_shown()) return;
    for (int to = 0; to < m_me.size(); ++to) m_labels.push_back({m_me.rank(), to});
    show();
  }

  /// The bundle that goes over the link above `top`, upwards or downwards, has come.
  void came(int top, bool upwards) {
    if (!m_me.is_shown()) return;
    for (int source = 0; source < m_me.size(); ++source)
      for (int destination = 0; destination < m_me.size(); ++destination)
        if (crosses({source, destination}, top, upwards)) m_labels.push_back({source, destination});
    show();
  }
  /// It has gone.
  void gone(int top, bool upwards) {
    if (!m_me.is_shown()) return;
    std::erase_if(m_labels, [&](block_label const& one) { return crosses(one, top, upwards); });
    show();
  }

 private:
  [[nodiscard]] bool crosses(block_label const& block, int top, bool upwards) const {
    bool const begins_below = m_tree.is_below(block.source, top);
    return begins_below == upwards && m_tree.is_below(block.destination, top) != begins_below;
  }
  void show() { m_me.show(blocks_of_exchange, m_labels); }

  processor& m_me;
  spanning_tree const& m_tree;
  std::vector<block_label> m_labels{};
};

/// Walks up and down a tree: `receive(from, top)` gives the bundle that comes over the link above
/// `top`, `send(to, top, upwards)` sends one.
template <payload_element T, class Receive, class Send>
void exchange_along(processor& me, tree_walk& walk, tree_exchange<T>& blocks,
                    Receive const& receive, Send const& send) {
  int const rank = me.rank();
  shown_tree_blocks shown(me, walk.tree());
  walk.up(
      [&](int child) {
        blocks.came_from_child(child, receive(child, child));
        shown.came(child, true);
      },
      [&](int parent) {
        send(parent, rank, true);
        shown.gone(rank, true);
      });
  walk.down(
      [&](int parent) {
        blocks.came_from_parent(receive(parent, rank));
        shown.came(rank, false);
      },
      [&](int child) {
        send(child, child, false);
        shown.gone(child, false);
      });
}

/// The same along a tree: the blocks that have to cross a link do so together, once upwards and
/// once downwards.
template <payload_element T>
void all_to_all_by_tree(processor& me, std::size_t elements, std::span<T> blocks) {
  auto walk = network_call(me, collective_scheme::tree).walk_of_centre();
  equal_blocks const of(elements);
  std::vector<T> const leaving(blocks.begin(), blocks.end());
  std::vector<std::span<T const>> own;
  for (int to = 0; to < me.size(); ++to)
    own.push_back(blocks_in(std::span<T const>(leaving), of, to, to + 1));
  tree_exchange<T> exchange(walk.tree(), me.rank(), std::move(own));
  exchange_along(
      me, walk, exchange,
      [&](int from, int top) {
        return block_bundle<T>(me.receive<T>(from, exchange.blocks_over(top) * elements), elements);
      },
      [&](int to, int top, bool upwards) {
        std::vector<T> bundle;
        bundle.reserve(exchange.blocks_over(top) * elements);
        exchange.for_each_over(top, upwards, [&](std::span<T const> block) {
          bundle.insert(bundle.end(), block.begin(), block.end());
        });
        me.send(to, std::move(bundle));
      });
  for (int from = 0; from < me.size(); ++from)
    std::ranges::copy(exchange.block(from, me.rank()),
                      blocks_in(blocks, of, from, from + 1).begin());
}

// --- Blocks of any sizes, which only their senders know

template <payload_element T>
using block_list = std::vector<std::vector<T>>;

/// Blocks under way, and before them their sizes, a word each.
template <payload_element T>
struct sized_bundle {
  std::vector<std::uint64_t> sizes;
  std::vector<T> elements;

  void append(std::span<T const> block) {
    sizes.push_back(block.size());
    elements.insert(elements.end(), block.begin(), block.end());
  }
};

/// `all_to_all_in_rings` with two messages in the place of each.
template <payload_element T>
void all_to_allv_in_rings(processor& me, std::vector<rank_line> const& lines,
                          block_list<T>& blocks) {
  if (me.is_shown()) [[unlikely]]
    show_in_rings(me, lines, 0, 0);
  for (auto const& line : lines) {
    auto const here = line.position();
    // Calls act(place) for the blocks of a position.
    auto const for_each_at = [&](int position, auto const& act) {
      auto const first = static_cast<std::size_t>((position % line.size() + line.size()) %
                                                  line.size() * line.stride());
      auto const stride = static_cast<std::size_t>(line.stride());
      for (auto run = first; run < blocks.size();
           run += stride * static_cast<std::size_t>(line.size()))
        for (auto place = run; place < run + stride; ++place) act(blocks[place]);
    };
    sized_bundle<T> leaving;
    for (int ahead = 1; ahead < line.size(); ++ahead)
      for_each_at(here + ahead, [&](std::vector<T> const& block) { leaving.append(block); });
    for (int behind = 1; behind < line.size(); ++behind) {
      // Sizes first: both messages of a round go in two steps.
      auto const to = line.rank_at(here + 1);
      auto const from = line.rank_at(here - 1);
      auto sizes = me.exchange(to, std::move(leaving.sizes), from);
      auto elements = me.exchange(to, std::move(leaving.elements), from);
      std::size_t taken = 0;
      std::size_t next = 0;
      for_each_at(here - behind, [&](std::vector<T>& block) {
        auto const begin = elements.begin() + static_cast<std::ptrdiff_t>(next);
        next += sizes[taken++];
        block.assign(begin, elements.begin() + static_cast<std::ptrdiff_t>(next));
      });
      sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(taken));
      elements.erase(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(next));
      leaving = {std::move(sizes), std::move(elements)};
      if (me.is_shown()) [[unlikely]]
        show_in_rings(me, lines, static_cast<std::size_t>(&line - lines.data()), behind);
    }
  }
}

/// `all_to_all_by_tree` likewise.
template <payload_element T>
void all_to_allv_by_tree(processor& me, block_list<T>& blocks) {
  constexpr std::uint64_t sizes_and_elements = 2;
  auto walk = network_call(me, collective_scheme::tree).walk_of_centre(sizes_and_elements);
  auto const leaving = std::move(blocks);
  tree_exchange<T> exchange(walk.tree(), me.rank(), {leaving.begin(), leaving.end()});
  exchange_along(
      me, walk, exchange,
      [&](int from, int top) {
        auto const sizes = me.receive<std::uint64_t>(from, exchange.blocks_over(top));
        auto const elements = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
        return block_bundle<T>(me.receive<T>(from, elements), sizes);
      },
      [&](int to, int top, bool upwards) {
        sized_bundle<T> bundle;
        exchange.for_each_over(top, upwards,
                               [&](std::span<T const> block) { bundle.append(block); });
        me.send(to, std::move(bundle.sizes));
        me.send(to, std::move(bundle.elements));
      });
  blocks.assign(leaving.size(), {});
  for (int from = 0; from < me.size(); ++from) {
    auto const came = exchange.block(from, me.rank());
    blocks[static_cast<std::size_t>(from)].assign(came.begin(), came.end());
  }
}

}  // namespace lockstep::detail
