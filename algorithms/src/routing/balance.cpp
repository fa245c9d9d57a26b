#include <lockstep/algorithms/routing/balance.hpp>

#include <map>

#include <lockstep/algorithms/collectives/pieces.hpp>

#include "collectives/phase_counter.hpp"

namespace lockstep {

namespace {

[[nodiscard]] schedule_counts gathering_counts(int p, balance_options const& on,
                                               all_gather_options const& options) {
  auto const first_k = options.first_k == 0 ? options.k : options.first_k;
  return circulant_all_gather_counts(pieces(static_cast<std::size_t>(p), p), first_k, options.k,
                                     on.packet);
}

}  // namespace

all_gather_options cheaper_of_two_ways(int p, balance_options const& on) {
  auto const two = in_two_phases(p, on.packet);
  auto const time = [&](all_gather_options const& options) {
    return time_of(gathering_counts(p, on, options), on.tau);
  };
  return time(two) < time({}) ? two : all_gather_options{};
}

schedule_counts balance_counts(balance_plan const& plan, std::uint64_t packet) {
  phase_counter counter(static_cast<int>(plan.loads.size()), packet);
  for (auto const& phase : plan.phases) {
    for (auto const& move : phase.moves) counter.move(move.from, move.to, move.elements);
    counter.end_phase(static_cast<std::size_t>(phase.rounds));
  }
  return counter.counts();
}

detail::balance_part detail::part_of(balance_plan const& plan, int rank) {
  balance_part part{.share = plan.shares.at(static_cast<std::size_t>(rank))};
  for (auto const& move : plan.kept)
    if (move.from == rank) part.kept.push_back(move);
  for (std::size_t i = 0; i < plan.phases.size(); ++i) {
    std::map<int, balance_turn> turns;
    for (auto const& move : plan.phases[i].moves) {
      if (move.from == rank)
        turns[move.round].out = {move.to, move.source, move.target, move.elements};
      if (move.to == rank)
        turns[move.round].in = {move.from, move.source, move.target, move.elements};
    }
    for (auto& [round, turn] : turns) {
      turn.round = round;
      part.phases[i].push_back(turn);
    }
  }
  return part;
}

std::vector<block_label> detail::labels_after(balance_part const& part, int rank,
                                              std::size_t phases) {
  std::vector<block_label> labels(part.share);
  auto const fill = [&](std::size_t target, std::size_t elements, int from) {
    for (auto i = target; i < target + elements; ++i) labels[i] = {from, rank};
  };
  for (auto const& move : part.kept) fill(move.target, move.elements, rank);
  for (std::size_t i = 0; i < phases; ++i)
    for (auto const& turn : part.phases[i])
      if (turn.in.partner != nobody) fill(turn.in.target, turn.in.elements, turn.in.partner);
  return labels;
}

}  // namespace lockstep
