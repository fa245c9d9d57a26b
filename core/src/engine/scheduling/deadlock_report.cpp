#include "engine/scheduling/deadlock_report.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/runtime.hpp"

namespace lockstep::detail {

namespace {

/// Waiting processors that a report names.
constexpr std::size_t most_named = 10;

std::string_view name_of(barrier_kind kind) {
  switch (kind) {
    case barrier_kind::plain:
      return "barrier";
    case barrier_kind::phase:
      return "phase";
    case barrier_kind::begin_pipelined:
      return "the beginning of pipelined";
    case barrier_kind::end_pipelined:
      return "the end of pipelined";
    case barrier_kind::announce:
      return "deliver with .announced";
    case barrier_kind::deliver:
    case barrier_kind::mail_sent:
      return "deliver";
  }
  return "barrier";
}

call_place place_of(processor_state const& one) { return one.owner->place_of(one); }

processor_state const& state_of(std::span<processor_state const> all, int rank) {
  return all[static_cast<std::size_t>(rank)];
}

std::string what_it_waits_for(std::span<processor_state const> all, processor_state const& waiter) {
  auto const since = fmt::format("since step {}, at {}", waiter.now, place_text(place_of(waiter)));
  switch (waiter.doing) {
    case activity::receiving: {
      bool const finished = state_of(all, waiter.waiting_for).doing == activity::finished;
      return fmt::format("processor {} waits for processor {}{}{} {}", waiter.rank,
                         waiter.waiting_for, finished ? " (which has finished)" : "",
                         waiter.owner->text_of_channel(waiter.pass), since);
    }
    case activity::choosing: {
      auto const& among = waiter.more->irregular().question.among;
      auto const source = among.empty()
                              ? std::string("for any processor")
                              : fmt::format("for any of processors {}", fmt::join(among, ", "));
      return fmt::format("processor {} waits {}{} {}", waiter.rank, source,
                         waiter.owner->text_of_channel(waiter.pass), since);
    }
    case activity::in_barrier:
      return fmt::format("processor {} waits in {} {}", waiter.rank, barrier_text(waiter), since);
    case activity::in_one_sided_round:
      return fmt::format("processor {} waits in a one-sided round {}", waiter.rank, since);
    default:
      return fmt::format("processor {} has finished", waiter.rank);
  }
}

/// Writes a cycle of receives: "0 -> 1 -> 0".
std::string cycle_text(std::vector<int> const& cycle) {
  auto text = std::to_string(cycle.front());
  for (std::size_t at = 1; at < cycle.size(); ++at)
    if (at < 2 * most_named)
      text += fmt::format(" -> {}", cycle[at]);
    else if (at == 2 * most_named)
      text += " -> ...";
  return text + fmt::format(" -> {}", cycle.front());
}

/// Lists the cycle of receives that leads back to `first`.
std::vector<int> cycle_from(std::span<processor_state const> all, processor_state const& first) {
  std::vector<int> cycle;
  auto const* at = &first;
  do {
    cycle.push_back(at->rank);
    at = &state_of(all, at->waiting_for);
  } while (at != &first);
  return cycle;
}

/// Finds the first cycle of receives; empty without one.
std::vector<int> first_cycle(std::span<processor_state const> all) {
  std::vector<int> seen_from(all.size(), -1);
  for (auto const& start : all) {
    auto const* at = &start;
    auto const seen = [&]() -> int& { return seen_from[static_cast<std::size_t>(at->rank)]; };
    while (at->doing == activity::receiving && seen() < 0) {
      seen() = start.rank;
      at = &state_of(all, at->waiting_for);
    }
    if (at->doing == activity::receiving && seen() == start.rank) return cycle_from(all, *at);
  }
  return {};
}

}  // namespace

std::string barrier_text(processor_state const& member) {
  if (member.more->barrier_is == barrier_kind::phase)
    return fmt::format("phase(\"{}\")", member.more->barrier_name);
  return std::string(name_of(member.more->barrier_is));
}

bool is_behind(processor_state const& left, processor_state const& right) {
  return std::tie(left.now, left.rank) < std::tie(right.now, right.rank);
}

processor_state const* earliest(std::span<processor_state const> all) {
  processor_state const* first = nullptr;
  for (auto const& one : all)
    if (one.doing != activity::finished && (first == nullptr || is_behind(one, *first)))
      first = &one;
  return first;
}

bool all_in_barriers(std::span<processor_state const> all) {
  return std::ranges::all_of(all, [](auto const& one) {
    return one.doing == activity::finished || one.doing == activity::in_barrier;
  });
}

std::string deadlock_text(std::span<processor_state const> all) {
  std::string report = "nobody can go on, every message that is waited for was never sent:";
  std::size_t waiting = 0;
  for (auto const& one : all)
    if (one.doing != activity::finished && ++waiting <= most_named)
      report += fmt::format("\n  {}", what_it_waits_for(all, one));
  if (waiting > most_named) report += fmt::format("\n  and {} more", waiting - most_named);
  if (auto const cycle = first_cycle(all); !cycle.empty())
    report += "\n  in a cycle: " + cycle_text(cycle);
  return report +
         "\nlet one of them send before it receives, or leave out a receive that nobody serves";
}

std::shared_ptr<failure_details const> waits_of(std::span<processor_state const> all) {
  auto details = std::make_shared<failure_details>();
  for (auto const& one : all) {
    // One that the failure of a later step has stopped waits for nobody.
    bool const waits = one.doing != activity::finished && one.doing != activity::stopped;
    if (!waits || details->waits.size() == most_detailed) continue;
    bool const receives = one.doing == activity::receiving;
    std::string in = "one-sided round";
    if (receives) in = "receive";
    if (one.doing == activity::choosing) in = "receive_any";
    if (one.doing == activity::in_barrier) in = barrier_text(one);
    auto const place = place_of(one);
    details->waits.push_back({one.rank, receives ? one.waiting_for : -1, one.now, std::move(in),
                              place.in_program(), place.in_library()});
  }
  details->cycle = first_cycle(all);
  return details;
}

std::string unreachable_barrier_text(std::span<processor_state const> all,
                                     processor_state const& waiting) {
  auto const& of = *waiting.more->barrier_group;
  std::string missing;
  std::size_t named = 0;
  std::size_t others = 0;
  for (int rank = 0; rank < of.size(); ++rank) {
    auto const& member = state_of(all, of.on_machine(rank));
    if (member.doing == activity::in_barrier && member.more->barrier_group == &of) continue;
    if (named++ < most_named)
      missing += fmt::format("{}processor {} ({})", missing.empty() ? "" : ", ", member.rank,
                             member.doing == activity::finished ? "which has finished"
                                                                : what_it_waits_for(all, member));
    else
      ++others;
  }
  if (others > 0) missing += fmt::format(" and {} more", others);
  return fmt::format(
      "{} of {} members wait in a barrier ({}) that others never reach: {}; let every "
      "member make the call",
      of.waiting.size(), of.size(), barrier_text(waiting), missing);
}

}  // namespace lockstep::detail
