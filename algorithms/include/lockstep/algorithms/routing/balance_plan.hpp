#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// Elements that go from one processor to another, or stay where they are.
struct balance_move {
  int from = 0;
  int to = 0;
  std::size_t source = 0;  ///< index of the first among what `from` begins with
  std::size_t target = 0;  ///< index of the first among what `to` ends with
  std::size_t elements = 0;
  int round = 0;  ///< of its phase, from 0 on

  friend bool operator==(balance_move const&, balance_move const&) = default;
};

/// A run of rounds: each processor sends at most one message in a round, and receives at most one.
struct balance_phase {
  std::vector<balance_move> moves;
  int rounds = 0;
};

/// The moves, each in a round of a phase, by which n elements on p processors come to n/p on each:
/// floor(n/p), and one more on the first n mod p.
///
/// A load of n_j elements is f_j = m floor(n_j/m) of them and a rest. The f_j are laid in one line,
/// and the rests in another. Both are cut into what each processor wants of them. If pm divides n,
/// whole packets of rests are wanted, m elements by each of the last processors. Otherwise every
/// processor wants as many of the rests as the others.
///
/// In phase 1 every source serves all readers of its part of the first line but the last, in phase
/// 2 that one, and in phase 3 the rests move. A move has the first round in which its source and
/// its reader are both free. What a processor reads from itself stays where it is, and takes no
/// round.
///
/// **Source** JaJa and Ryu 1994, section 4. Where pm does not divide n, lockstep.
struct balance_plan {
  std::vector<std::size_t> loads;     ///< elements of each processor before
  std::vector<std::size_t> shares{};  ///< and after
  std::array<balance_phase, 3> phases{};
  std::vector<balance_move> kept{};  ///< what stays, in round 0
  int most_readers = 0;              ///< h: of one source, itself included, in phases 1 and 2
};

/// Plans for these loads on a machine whose packets have room for m elements.
/// Errors: invalid_argument for no processor, packets of 0 elements, or 2^64 elements or more.
[[nodiscard]] balance_plan plan_balance(
    std::span<std::uint64_t const> loads, std::uint64_t packet,
    std::source_location where = std::source_location::current());

/// Counts the operations of making a plan: an addition for each load and each share, and one for each move.
[[nodiscard]] std::uint64_t operations_of(balance_plan const& plan);

}  // namespace lockstep
