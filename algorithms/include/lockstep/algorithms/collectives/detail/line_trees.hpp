#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/algorithms/collectives/detail/ring_stages.hpp>
#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/collectives/detail/small_buffer.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/detail/idle_until.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// A round of a binomial tree of a line in which a processor has something to do, as it sees it.
struct tree_round {
  int number;       ///< of the round, from the root on
  int partner;      ///< its rank
  bool leads;       ///< this processor is on the root's side
  bool is_behind;   ///< the partner's positions come after this processor's
  int first_block;  ///< of the side away from the root
  int last_block;   ///< behind its last one
};

/// The rounds of the lines of two along the dimensions of a hypercube in which a processor has something to
/// do, from the root to the leaves, the highest dimension first. It takes part from the lowest dimension in
/// which it differs from the root on.
class cube_rounds {
 public:
  cube_rounds(int dimensions, int rank, int root)
      : m_dimensions(dimensions),
        m_rank(rank),
        m_root(root),
        m_first(rank == root ? dimensions - 1
                             : std::countr_zero(static_cast<unsigned>(rank ^ root))) {}

  /// Counts the rounds, with those in which this processor has nothing to do, and those in which it has
  /// something, which `at` gives.
  [[nodiscard]] int count() const { return m_dimensions; }
  [[nodiscard]] int own() const { return m_first + 1; }
  [[nodiscard]] tree_round at(int i) const {
    int const dimension = m_first - i;
    int const stride = 1 << dimension;
    auto const away = (m_rank & ~(2 * stride - 1)) | (~m_root & stride);
    return {m_dimensions - 1 - dimension,
            m_rank ^ stride,
            ((m_rank ^ m_root) & stride) == 0,
            (m_rank & stride) == 0,
            away,
            away + stride};
  }

 private:
  int m_dimensions;
  int m_rank;
  int m_root;
  int m_first;  ///< dimension
};

/// The rounds of the binomial trees of all axes in which a processor has something to do, from the
/// root to the leaves, the slowest axis first. On a line the positions are halved again and again; in
/// each half one processor stands for it, the root where it is in it, else the first, and the two
/// exchange a message. It stays within its half of the round before, so that no two messages share a
/// link: far ones come first. A line takes part if it is where the axes that vary faster cross the
/// root.
class tree_rounds {
 public:
  tree_rounds(rank_axes const& axes, int rank, int root) {
    if (axes.kind == network_kind::hypercube) {
      cube_rounds const pairs(static_cast<int>(axes.list.size()), rank, root);
      m_count = pairs.count();
      for (int i = 0; i < pairs.own(); ++i) put(pairs.at(i));
    } else {
      for (auto const& axis : axes.list) add(axis, rank, root);
    }
  }

  /// Counts the rounds, with those in which this processor has nothing to do, and those in which it has
  /// something, which `at` gives.
  [[nodiscard]] int count() const { return m_count; }
  [[nodiscard]] int own() const { return m_own_count; }
  [[nodiscard]] tree_round const& at(int i) const { return m_own[static_cast<std::size_t>(i)]; }

 private:
  void add(rank_axis const& axis, int rank, int root) {
    if (axis.offset_in_stride(rank) != axis.offset_in_stride(root)) {
      m_count += static_cast<int>(std::bit_width(static_cast<unsigned>(axis.size) - 1U));
      return;
    }
    rank_line const line(rank, axis);
    auto const root_here = axis.position_of(root);
    auto const here = line.position();
    if (root_here == 0 && axis.is_of_powers()) return add_pairs(line);
    int first = 0;
    int last = line.size();  // behind the last position
    for (int longest = line.size(); longest > 1; longest -= longest / 2) {
      auto const number = m_count++;
      if (last - first < 2) continue;
      auto const half = first + (last - first + 1) / 2;
      auto const leader = [&](int from, int to) {
        return from <= root_here && root_here < to ? root_here : from;
      };
      auto const low = leader(first, half);
      auto const high = leader(half, last);
      bool const root_is_high = high == root_here;
      if (here == low || here == high) {
        auto const away = root_is_high ? std::pair(first, half) : std::pair(half, last);
        bool const leads = (here == high) == root_is_high;
        put({number, line.rank_at(here == low ? high : low), leads, here == low,
             line.first_block(away.first), line.first_block(away.second - 1) + line.stride()});
      }
      (here < half ? last : first) = half;
    }
  }

  /// The same on a line of a power of two processors, from its first one: a processor meets those whose
  /// position differs in one bit, from the lowest bit of its own on.
  void add_pairs(rank_line const& line) {
    auto const here = static_cast<unsigned>(line.position());
    auto const size = static_cast<unsigned>(line.size());
    auto const behind_last = m_count + std::countr_zero(size);
    for (auto bit = here == 0 ? size / 2 : here & (~here + 1); bit > 0; bit /= 2) {
      bool const leads = (here & bit) == 0;
      auto const away = line.first_block(static_cast<int>(here | bit));
      put({behind_last - 1 - std::countr_zero(bit), line.rank_at(static_cast<int>(here ^ bit)),
           leads, leads, away, away + static_cast<int>(bit) * line.stride()});
    }
    m_count = behind_last;
  }

  void put(tree_round const& round) { m_own[static_cast<std::size_t>(m_own_count++)] = round; }

  /// A network of at most 2^31 processors has no more in at most 8 dimensions.
  static constexpr std::size_t most = 40;
  int m_own_count = 0;  // beside the first rounds, which are all that most processors have
  int m_count = 0;
  std::array<tree_round, most> m_own;  // only those that there are have values
};

/// The direction of messages in the rounds of trees.
enum class tree_direction : std::uint8_t { from_root, to_root };

/// Does what this processor has to do in each round, `send(round)` or `receive(round)`. All are in the same
/// step, `begin`, and in the same step afterwards, the result: nobody sends early into a port that is in use.
template <tree_direction Direction, class Rounds, class Send, class Receive>
[[gnu::always_inline]] inline std::uint64_t in_tree_rounds(
    processor& me, std::uint64_t begin, Rounds const& rounds, Send const& send,
    Receive const& receive, std::source_location where = std::source_location::current()) {
  constexpr bool from_root = Direction == tree_direction::from_root;
  auto const end = begin + static_cast<std::uint64_t>(rounds.count());
  std::uint64_t sent_in = 0;  // the step of the last message; the next one needs no waiting
  auto const act = [&](tree_round const& each) {
    auto const number = from_root ? each.number : rounds.count() - 1 - each.number;
    auto const step = begin + static_cast<std::uint64_t>(number);
    if (each.leads != from_root) {
      receive(each);
      return;
    }
    if (sent_in + 1 != step) idle_until(me, step, where);
    send(each);
    sent_in = step;
  };
  for (int i = 0; i < rounds.own(); ++i) act(rounds.at(from_root ? i : rounds.own() - 1 - i));
  return idle_until(me, end, where);
}

/// The root's block goes to all. `name`: by which it is shown, if at all.
template <payload_element T, std::size_t Extent, class Rounds>
[[gnu::always_inline]] inline void broadcast_by_rounds(processor& me, std::uint64_t begin,
                                                       Rounds const& rounds,
                                                       std::span<T, Extent> block,
                                                       std::string_view name) {
  in_tree_rounds<tree_direction::from_root>(
      me, begin, rounds,
      [&](tree_round const& each) { me.send(each.partner, std::span<T const, Extent>(block)); },
      [&](tree_round const& each) {
        me.receive_into(each.partner, block);
        show_named(me, name, block);
      });
}

/// The root gets the sums of all blocks, in `sums`; operands are combined in the order of ranks.
/// `name`: by which they are shown, if at all.
template <payload_element T, std::size_t Extent, class Rounds, class Operator>
[[gnu::always_inline]] inline std::uint64_t reduce_by_rounds(processor& me, std::uint64_t begin,
                                                             Rounds const& rounds,
                                                             Operator const& plus,
                                                             std::span<T, Extent> sums,
                                                             std::string_view name) {
  small_buffer<T, Extent> incoming(sums.size());
  show_named(me, name, sums);
  return in_tree_rounds<tree_direction::to_root>(
      me, begin, rounds,
      [&](tree_round const& each) { me.send(each.partner, std::span<T const, Extent>(sums)); },
      [&](tree_round const& each) {
        me.receive_into(each.partner, incoming.all());
        combine(plus, std::span<T const, Extent>(incoming.all()), sums, !each.is_behind);
        show_named(me, name, sums);
      });
}

/// The root, which has the blocks of all, deals them out.
/// `held`: at the root all blocks, elsewhere anything. `name`: by which they are shown.
/// Result: there, this processor's block.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> scatter_by_rounds(
    processor& me, tree_rounds const& rounds, Layout const& of, std::vector<T> held,
    std::string_view name, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const elements = [&](tree_round const& each) {
    return elements_of_blocks(of, each.first_block, each.last_block);
  };
  show_values(me, name, held);
  in_tree_rounds<tree_direction::from_root>(
      me, me.now(), rounds,
      [&](tree_round const& each) {
        std::span<T const> const all(held);
        auto const leaving = elements(each);
        me.send(each.partner, each.is_behind ? all.last(leaving) : all.first(leaving));
        if (!each.is_behind)
          held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(leaving));
        else
          held.resize(held.size() - leaving);
        show_values(me, name, held);
      },
      [&](tree_round const& each) {
        held = me.receive<T>(each.partner, elements(each));
        show_values(me, name, held);
      });
  held.shrink_to_fit();  // the others' parts are sent
  return held;
}

/// Backwards. `held`: this processor's block. Result: at the root the blocks of all; elsewhere none.
template <payload_element T, class Layout>
[[nodiscard]] std::vector<T> gather_by_rounds(
    processor& me, tree_rounds const& rounds, Layout const& of, std::vector<T> held,
    std::string_view name, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  show_values(me, name, held);
  in_tree_rounds<tree_direction::to_root>(
      me, me.now(), rounds,
      [&](tree_round const& each) {
        me.send(each.partner, std::exchange(held, {}));
        show_values(me, name, held);
      },
      [&](tree_round const& each) {
        auto const came =
            me.receive<T>(each.partner, elements_of_blocks(of, each.first_block, each.last_block));
        held.insert(each.is_behind ? held.end() : held.begin(), came.begin(), came.end());
        show_values(me, name, held);
      });
  return held;
}

/// Puts the sums over all lower ranks into `before`, by the trees of root 0: up go the sums of
/// halves, down the sums before them. Operands are combined in the order of ranks. At rank 0
/// nothing is put.
template <payload_element T, class Operator>
void prefixes_by_rounds(processor& me, tree_rounds const& rounds, Operator const& plus,
                        std::span<T const> block, std::span<T> before,
                        std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const n = block.size();
  small_buffer<T> sums(block);
  small_buffer<T> incoming(n);
  std::vector<T> of_first_halves;  // one after another
  in_tree_rounds<tree_direction::to_root>(
      me, me.now(), rounds,
      [&](tree_round const& each) { me.send(each.partner, std::span<T const>(sums.all())); },
      [&](tree_round const& each) {
        me.receive_into(each.partner, incoming.all());
        of_first_halves.insert(of_first_halves.end(), sums.all().begin(), sums.all().end());
        combine(plus, std::span<T const>(incoming.all()), sums.all(), false);
        show_values(me, "sum of its part", sums.all());
      });
  in_tree_rounds<tree_direction::from_root>(
      me, me.now(), rounds,
      [&](tree_round const& each) {
        auto const first_half = std::span(of_first_halves).last(n);
        if (me.rank() != 0) combine(plus, std::span<T const>(before), first_half, true);
        me.send(each.partner, std::span<T const>(first_half));
        of_first_halves.resize(of_first_halves.size() - n);
      },
      [&](tree_round const& each) {
        me.receive_into(each.partner, before);
        show_values(me, "sum of lower ranks", before);
      });
}

}  // namespace lockstep::detail
