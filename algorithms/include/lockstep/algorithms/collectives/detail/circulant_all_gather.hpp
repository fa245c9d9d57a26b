#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/element_sums.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// How many pieces a processor has before each phase of an all-gather, and at last all p: its own,
/// `first_k` times as many after the first phase, k times as many after each other.
[[nodiscard]] std::vector<int> growth_of_pieces(int p, int first_k, int k);

/// A round of a phase in which processors that have some pieces get more of them.
struct cycle_round {
  std::size_t number = 0;  ///< in its phase
  int shift = 0;           ///< from the receiver's rank to the sender's, cyclically
  int pieces = 0;          ///< that go
  int had = 0;             ///< that each processor has before the phase

  /// Whether it moves that piece, counted from the receiver's own one on (in `reduce_scatter`, from
  /// the sender's).
  [[nodiscard]] bool has(int piece) const { return shift <= piece && piece < shift + pieces; }
};

/// Round s receives from the processor s * had ranks further on, and only the pieces that are still
/// missing.
[[nodiscard]] std::vector<cycle_round> rounds_of_phase(int p, int had, int then);

/// All-gather and reduce-scatter by circular shifts. `turned` memory has all pieces, in the order
/// of ranks, from this processor's own on; piece 0 follows the last.
class circulant_all_gather {
 public:
  circulant_all_gather(processor const& me, pieces const& of, std::vector<int> growth)
      : m_pieces(of), m_growth(std::move(growth)), m_rank(me.rank()) {}

  /// Each processor, whose own piece is there, gets all others, each once.
  template <payload_element T>
  void all_gather(processor& me, access how, std::span<T> rotated,
                  piece_labels const& labels) const {
    if (labels.are_shown(me)) labels.show(me, numbers_of(1));
    for (std::size_t phase = 0; phase + 1 < m_growth.size(); ++phase)
      me.pipelined([&] {
        for (auto const& round : rounds_of(phase)) {
          auto const to = shifted(me, -round.shift);
          auto const from = shifted(me, round.shift);
          move_in_round<T>(
              me, how, rotated,
              {to, 0, m_pieces.run(to, round.shift), m_pieces.run(m_rank, round.pieces)}, rotated,
              {from, 0, m_pieces.run(m_rank, round.shift), m_pieces.run(from, round.pieces)});
          if (labels.are_shown(me)) labels.show(me, numbers_of(round.shift + round.pieces));
        }
      });
  }

  /// The same backwards: of summands of all pieces, each processor gets the sum of its own. What comes
  /// in a phase is added in the order of ranks.
  template <payload_element T, class Operator>
  void reduce_scatter(processor& me, access how, Operator const& plus, std::span<T> rotated,
                      piece_labels const& labels) const {
    if (labels.are_shown(me)) show_own_sum(me, m_growth.size() - 1);
    if (labels.are_shown(me)) show_sums(me, labels, m_growth.size() - 1, {});
    for (auto phase = m_growth.size() - 1; phase-- > 0;) {
      auto const rounds = rounds_of(phase);
      auto const sums = rotated.first(m_pieces.run(m_rank, m_growth[phase]));
      std::vector<T> received(rounds.size() * sums.size());
      me.pipelined([&] {
        for (auto const& round : rounds) {
          move_summands<T>(me, how, rotated, received, round);
          if (labels.are_shown(me))
            show_sums(me, labels, phase + 1, std::span(rounds).first(round.number + 1));
        }
      });
      add_in_rank_order<T>(plus, rounds, received, sums);
      if (labels.are_shown(me)) show_own_sum(me, phase);
    }
  }

  /// From the order of ranks; local.
  template <payload_element T>
  [[nodiscard]] std::vector<T> rotated(std::span<T const> in_order) const {
    return moved_to_the_front(in_order, m_pieces.before(m_rank));
  }

  /// Back to the order of ranks; local.
  template <payload_element T>
  [[nodiscard]] std::vector<T> rotated_back(std::span<T const> rotated) const {
    return moved_to_the_front(rotated, m_pieces.elements() - m_pieces.before(m_rank));
  }

 private:
  /// Lists that many pieces, from this processor's own on.
  [[nodiscard]] std::vector<int> numbers_of(int pieces) const;

  /// Shows what this processor has of the sums, each summand as the block of its source for the
  /// owner of the piece: after those rounds of a phase of `reduce_scatter`, before which it has sums
  /// of as many pieces as after phase `phase` - 1 of the all-gather. Of a piece it has
  /// summands of processors as many ranks apart.
  void show_sums(processor& me, piece_labels const& labels, std::size_t phase,
                 std::span<cycle_round const> rounds) const;

  /// Shows the ranks whose summands are in this processor's own piece before a phase of the
  /// all-gather, whose phases `reduce_scatter` goes through backwards.
  void show_own_sum(processor& me, std::size_t phase) const;

  [[nodiscard]] std::vector<cycle_round> rounds_of(std::size_t phase) const {
    return rounds_of_phase(m_pieces.count(), m_growth[phase], m_growth[phase + 1]);
  }

  template <payload_element T>
  void move_summands(processor& me, access how, std::span<T const> rotated, std::span<T> received,
                     cycle_round const& round) const {
    auto const to = shifted(me, round.shift);
    auto const from = shifted(me, -round.shift);
    auto const slot = [&](int rank) { return round.number * m_pieces.run(rank, round.had); };
    move_in_round<T>(
        me, how, rotated,
        {to, m_pieces.run(m_rank, round.shift), slot(to), m_pieces.run(to, round.pieces)}, received,
        {from, m_pieces.run(from, round.shift), slot(m_rank), m_pieces.run(m_rank, round.pieces)});
  }

  /// `received`: for each round a slot of the size of `sums`, which begins with what came.
  template <payload_element T, class Operator>
  void add_in_rank_order(Operator const& plus, std::vector<cycle_round> const& rounds,
                         std::span<T const> received, std::span<T> sums) const {
    element_sums<T> all(sums.size());
    auto const add_received = [&](bool from_lower_ranks) {
      for (auto i = rounds.size(); i-- > 0;)
        if ((rounds[i].shift <= m_rank) == from_lower_ranks)
          all.add(plus, received.subspan(i * sums.size(), m_pieces.run(m_rank, rounds[i].pieces)));
    };
    add_received(true);
    all.add(plus, sums);
    add_received(false);
    std::ranges::copy(all.sums(), sums.begin());
  }

  template <payload_element T>
  [[nodiscard]] static std::vector<T> moved_to_the_front(std::span<T const> elements,
                                                         std::size_t from) {
    std::vector<T> moved(elements.size());
    std::ranges::rotate_copy(elements, elements.begin() + static_cast<std::ptrdiff_t>(from),
                             moved.begin());
    return moved;
  }

  pieces m_pieces;
  std::vector<int> m_growth;
  int m_rank;
};

}  // namespace lockstep::detail
