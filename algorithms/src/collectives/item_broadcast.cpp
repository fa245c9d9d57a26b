#include <lockstep/algorithms/collectives/item_broadcast.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/errors.hpp>

#include "collectives/phase_counter.hpp"
#include "collectives/schedule_formulas.hpp"

namespace lockstep {

namespace {

using detail::checked_product;
using detail::checked_sum;

/// The last phase of the cheapest broadcast to some number of processors.
struct last_phase {
  std::uint64_t time = 0;  ///< of all phases
  int phases = 0;
  int parts = 1;   ///< of the last one
  int before = 1;  ///< processors that have the item before it
};

/// The cheapest broadcasts to p processors, and to as many as have the item before a phase.
class cheapest_phases {
 public:
  explicit cheapest_phases(bdm_machine const& on) : m_on(on) {}

  [[nodiscard]] std::vector<int> parts_for(int p) {
    std::vector<int> parts;
    while (p > 1) {
      auto const last = last_for(p);
      parts.push_back(last.parts);
      p = last.before;
    }
    std::ranges::reverse(parts);
    return parts;
  }

 private:
  /// Tries for each number of processors before the last phase the fewest parts that reach all.
  [[nodiscard]] last_phase last_for(int p) {
    if (p == 1) return {};
    if (auto const known = m_known.find(p); known != m_known.end()) return known->second;
    std::optional<last_phase> best;
    for (auto before = ceiling(p, 2);; before = next_before(p, before)) {
      auto const tried = with_last_phase(p, before);
      bool const is_better = !best || tried.time < best->time ||
                             (tried.time == best->time && tried.phases < best->phases);
      if (is_better) best = tried;
      if (before == 1) break;
    }
    return m_known[p] = *best;
  }

  [[nodiscard]] last_phase with_last_phase(int p, int before) {
    auto const first = last_for(before);
    auto const parts = ceiling(p, before);
    auto const sent = checked_product(static_cast<std::uint64_t>(parts - 1), m_on.packet);
    return {checked_sum(first.time, checked_sum(m_on.tau, sent)), first.phases + 1, parts, before};
  }

  [[nodiscard]] static int ceiling(int number, int divisor) {
    return static_cast<int>(detail::quotient_up(static_cast<std::uint64_t>(number),
                                                static_cast<std::uint64_t>(divisor)));
  }

  /// Finds the next number that is ceil(p/k) for some k.
  [[nodiscard]] static int next_before(int p, int before) {
    return ceiling(p, ceiling(p, before - 1));
  }

  bdm_machine m_on;
  std::map<int, last_phase> m_known;
};

/// Writes "7 + 8" for the rounds of each phase.
[[nodiscard]] std::string sum_of(std::vector<std::uint64_t> const& rounds) {
  return fmt::format("{}", fmt::join(rounds, " + "));
}

/// Counts the rounds of each phase.
[[nodiscard]] std::vector<std::uint64_t> rounds_of(std::vector<int> const& parts, int p) {
  std::vector<std::uint64_t> rounds;
  std::int64_t have = 1;
  for (auto const k : parts) {
    if (have == p) break;
    auto const then = std::min<std::int64_t>(have * k, p);
    rounds.push_back(detail::quotient_up(static_cast<std::uint64_t>(then - have),
                                         static_cast<std::uint64_t>(have)));
    have = then;
  }
  return rounds;
}

/// Computes the time of phases with that many rounds each.
[[nodiscard]] std::uint64_t time_of(bdm_machine const& on,
                                    std::vector<std::uint64_t> const& rounds) {
  std::uint64_t time = 0;
  for (auto const of_phase : rounds)
    time = checked_sum(time, checked_sum(on.tau, checked_product(of_phase, on.packet)));
  return time;
}

/// Whether all phases have the parts of Theorem 3.1, k = tau/m + 1.
[[nodiscard]] bool have_parts_of_the_theorem(bdm_machine const& on, std::vector<int> const& parts) {
  return std::ranges::all_of(
      parts, [&](int k) { return static_cast<std::uint64_t>(k) - 1 == on.tau / on.packet; });
}

[[nodiscard]] written_schedule written_item_broadcast(bdm_machine const& on,
                                                      std::vector<std::uint64_t> const& rounds) {
  schedule_counts counts{.startups = rounds.size()};
  for (auto const of_phase : rounds) counts.rounds += of_phase;
  counts.words = checked_product(counts.rounds, on.packet);
  counts.messages = static_cast<std::uint64_t>(on.p) - 1;
  counts.volume = checked_product(counts.messages, on.packet);
  auto const sum = sum_of(rounds);
  return {counts,     sum,    fmt::format("{}", rounds.size()), fmt::format("m({})", sum),
          "m(p - 1)", "p - 1"};
}

}  // namespace

std::vector<int> cheapest_broadcast(bdm_machine const& on, std::source_location where) {
  return detail::errors_at(where, [&] {
    require_schedule(on.p, on.packet);
    return cheapest_phases(on).parts_for(on.p);
  });
}

std::vector<claim> item_broadcast_claims(bdm_machine const& on, std::vector<int> const& parts) {
  require_schedule(on.p, on.packet);
  detail::require_item_broadcast({.parts = parts}, on.p);
  auto const rounds = rounds_of(parts, on.p);
  auto const schedule = written_item_broadcast(on, rounds);
  auto const k = static_cast<double>(on.tau) / static_cast<double>(on.packet) + 1;
  auto const least = time_of(on, rounds_of(cheapest_broadcast(on), on.p));
  bool const is_cheapest = time_of(on, rounds) == least;
  block_distributed_model const model{static_cast<double>(on.tau)};
  claim_list claims({{{"p", on.p},
                      {"tau", static_cast<double>(on.tau)},
                      {"m", static_cast<double>(on.packet)},
                      {"k", k}}});
  claims.add(exact_claims(schedule, "lockstep, the schedule counted"))
      .from(is_cheapest ? "lockstep, the least time of phases that end with a barrier"
                        : "lockstep, the schedule counted")
      .with("phases", static_cast<double>(rounds.size()))
      .with("packets", static_cast<double>(schedule.counts.rounds))
      .equal("time", "phases tau + m packets")
      .priced_by(model);
  bool const is_of_the_theorem = is_cheapest || have_parts_of_the_theorem(on, parts);
  if (on.tau == 0 || !is_of_the_theorem) return claims;
  return claims.from("JaJa and Ryu 1994, Theorem 3.1")
      .at_most("time", "2 tau ceil(log_k p), k = tau/m + 1")
      .priced_by(model)
      .where(whole_packets_of_latency(on.tau, on.packet));
}

void detail::require_item_broadcast(item_broadcast_options const& options, int processors) {
  require_root("broadcast_item", options.root, processors);
  std::int64_t reached = 1;
  for (auto const k : options.parts) {
    require_arity("broadcast_item", k);
    reached = std::min<std::int64_t>(reached * k, processors);
  }
  if (reached < processors)
    throw invalid_argument(
        fmt::format("broadcast_item: {} phases reach {} of {} processors; give more parts, as "
                    "cheapest_broadcast does",
                    options.parts.size(), reached, processors));
}

}  // namespace lockstep
