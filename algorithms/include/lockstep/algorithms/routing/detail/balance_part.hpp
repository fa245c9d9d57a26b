#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/routing/balance_plan.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// A round in which a processor sends or receives.
struct balance_turn {
  int round = 0;
  transfer out;
  transfer in;
};

/// The part of a plan that concerns one processor.
struct balance_part {
  std::size_t share = 0;  ///< elements of it in the end
  std::vector<balance_move> kept{};
  std::array<std::vector<balance_turn>, 3> phases{};  ///< in the order of rounds
};

[[nodiscard]] balance_part part_of(balance_plan const& plan, int rank);

/// Lists by source the elements received after that many phases, in its places; the others are
/// empty.
[[nodiscard]] std::vector<block_label> labels_after(balance_part const& part, int rank,
                                                    std::size_t phases);

/// Goes through the rounds of a phase.
template <payload_element T>
void move_in_turns(processor& me, std::vector<balance_turn> const& turns, std::span<T const> from,
                   std::span<T> to) {
  me.pipelined([&] {
    int round = 0;
    for (auto const& turn : turns) {
      if (turn.round > round) me.idle(static_cast<std::uint64_t>(turn.round - round));
      move_in_round(me, access::messages, from, turn.out, to, turn.in);
      round = turn.round + 1;
    }
  });
}

}  // namespace lockstep::detail
