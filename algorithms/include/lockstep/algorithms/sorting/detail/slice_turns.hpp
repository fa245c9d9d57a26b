#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/sorting/detail/rotate_plan.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The rounds in which processors that share slices turn the slices' columns (step 4 of rotate
/// sort). Where no processor shares slices with two groups, each group goes round by itself, in g -
/// 1 rounds for groups of g; else all make those circular shifts in which some processor has
/// something to send. None where no slice is cut. Pure.
class slice_turns {
 public:
  explicit slice_turns(rotate_plan const& plan);

  struct partners {
    int to = nobody;
    int from = nobody;
  };

  [[nodiscard]] int rounds() const;
  /// The partners of a processor in round 0, 1, ..., both `nobody` where it has none.
  [[nodiscard]] partners in_round(int rank, int round) const;
  /// Whether groups go round by themselves.
  [[nodiscard]] bool is_in_groups() const { return m_shifts.empty(); }
  /// Words that the busiest processor sends, or takes in; elements count as one.
  [[nodiscard]] std::uint64_t words(std::uint64_t packet) const;

 private:
  /// The rows of a slice that a processor has.
  struct share {
    int rank = 0;
    std::size_t rows = 0;
  };
  using group = std::vector<share>;

  void add_groups(rotate_plan const& plan);
  void add_shifts();

  int m_processors;
  std::size_t m_block_columns;
  std::vector<group> m_groups{};  ///< of each cut slice, in the order of ranks
  std::vector<std::size_t>
      m_last{};                 ///< group of each rank, the last of two; none: as many as there are
  std::vector<int> m_shifts{};  ///< empty in groups
  int m_rounds = 0;
};

/// `exchange_bins` in these rounds; bins for others than their partners are empty.
template <payload_element T>
[[nodiscard]] bins<T> turn_in_groups(processor& me, slice_turns const& turns, bins<T> out) {
  bins<T> in(out.size());
  auto const own = static_cast<std::size_t>(me.rank());
  in[own] = std::move(out[own]);
  me.pipelined([&] {
    for (int round = 0; round < turns.rounds(); ++round) {
      auto const with = turns.in_round(me.rank(), round);
      if (with.to == nobody) {
        me.idle();
        continue;
      }
      me.send(with.to, std::move(out[static_cast<std::size_t>(with.to)]));
      in[static_cast<std::size_t>(with.from)] = me.receive<T>(with.from);
    }
  });
  return in;
}

}  // namespace lockstep::detail
