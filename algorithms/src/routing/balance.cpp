#include <lockstep/algorithms/routing/balance.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/enumerator_check.hpp>

#include "collectives/phase_counter.hpp"

namespace lockstep {

namespace {

[[nodiscard]] schedule_counts gathering_counts(int p, balance_options const& on,
                                               all_gather_options const& options) {
  auto const first_k = options.first_k == 0 ? options.k : options.first_k;
  return circulant_all_gather_counts(pieces(static_cast<std::size_t>(p), p), first_k, options.k,
                                     on.packet);
}

/// The processor that has all elements, if one has.
[[nodiscard]] std::optional<int> only_source(balance_plan const& plan) {
  std::optional<int> only;
  for (std::size_t i = 0; i < plan.loads.size(); ++i) {
    if (plan.loads[i] == 0) continue;
    if (only) return std::nullopt;
    only = static_cast<int>(i);
  }
  return only;
}

/// Computes the time of a tree whose root, the busiest processor, has as many elements for each of
/// the p. O(1) for each phase.
[[nodiscard]] double time_at_the_root(int p, std::uint64_t share, int k,
                                      balance_options const& on) {
  auto const packets = [&](int members) {
    return detail::quotient_up(detail::checked_product(static_cast<std::uint64_t>(members), share),
                               on.packet);
  };
  std::uint64_t phases = 0;
  std::uint64_t sent = 0;
  for (int members = p; members > 1; ++phases) {
    int const parts = std::min(k, members);
    int const smaller = members / parts;
    int const one_more = members % parts;  // parts have a member more, the root's among them
    sent += static_cast<std::uint64_t>(parts - one_more) * packets(smaller) +
            static_cast<std::uint64_t>(one_more) * packets(smaller + 1);
    members = one_more > 0 ? smaller + 1 : smaller;
    sent -= packets(members);
  }
  return static_cast<double>(phases) * static_cast<double>(on.tau) +
         static_cast<double>(detail::checked_product(sent, on.packet));
}

/// The k < p of the cheapest tree.
[[nodiscard]] int cheapest_arity(int p, std::uint64_t share, balance_options const& on) {
  int cheapest = 2;
  double least = time_at_the_root(p, share, cheapest, on);
  for (int k = 3; k < p; ++k)
    if (double const time = time_at_the_root(p, share, k, on); time < least) {
      least = time;
      cheapest = k;
    }
  return cheapest;
}

[[nodiscard]] schedule_counts tree_counts(balance_plan const& plan, int source, int k,
                                          std::uint64_t packet) {
  pieces const shares(plan.loads[static_cast<std::size_t>(source)],
                      static_cast<int>(plan.loads.size()), piece_sizes::larger_first);
  return piece_tree_counts(shares, k, source, packet);
}

}  // namespace

all_gather_options cheaper_of_two_ways(int p, balance_options const& on,
                                       std::source_location where) {
  return detail::errors_at(where, [&] {
    auto const two = in_two_phases(p, on.packet);
    auto const time = [&](all_gather_options const& options) {
      return time_of(gathering_counts(p, on, options), on.tau);
    };
    return time(two) < time({}) ? two : all_gather_options{};
  });
}

schedule_counts balance_counts(balance_plan const& plan, std::uint64_t packet,
                               std::source_location where) {
  return detail::errors_at(where, [&] {
    phase_counter counter(static_cast<int>(plan.loads.size()), packet);
    for (auto const& phase : plan.phases) {
      for (auto const& move : phase.moves) counter.move(move.from, move.to, move.elements);
      counter.end_phase(static_cast<std::size_t>(phase.rounds));
    }
    return counter.counts();
  });
}

balance_choice choose_balance_way(balance_plan const& plan, balance_options const& on,
                                  std::source_location where) {
  return detail::errors_at(where, [&] {
    detail::check_enumerator("balance_way", on.way,
                             {"balance_way::cheapest", "balance_way::direct"});
    balance_choice choice{.direct_time = time_of(balance_counts(plan, on.packet), on.tau)};
    auto const source = only_source(plan);
    auto const p = static_cast<int>(plan.loads.size());
    if (!source || p < 3 || on.way == balance_way::direct) return choice;
    auto const k = cheapest_arity(p, plan.shares.front(), on);
    choice.source = *source;
    choice.tree_time = time_of(tree_counts(plan, *source, k, on.packet), on.tau);
    if (choice.tree_time < choice.direct_time) choice.k = k;
    return choice;
  });
}

std::string text_of(balance_choice const& choice) {
  auto straight = fmt::format("straight ({})", choice.direct_time);
  if (choice.is_tree())
    return fmt::format("a tree of k = {} ({}), not {}", choice.k, choice.tree_time, straight);
  if (choice.tree_time == 0) return straight;
  return fmt::format("{}, not a tree ({})", straight, choice.tree_time);
}

schedule_counts balance_counts(balance_plan const& plan, balance_options const& on,
                               std::source_location where) {
  return detail::errors_at(where, [&] {
    auto const p = static_cast<int>(plan.loads.size());
    auto const choice = choose_balance_way(plan, on);
    return gathering_counts(p, on, cheaper_of_two_ways(p, on)) +
           (choice.is_tree() ? tree_counts(plan, choice.source, choice.k, on.packet)
                             : balance_counts(plan, on.packet));
  });
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
