#include <lockstep/observer.hpp>

#include <tuple>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

bool seen_before(message_record const& left, message_record const& right) {
  auto const key = [](message_record const& of) {
    return std::tie(of.step, of.to, of.from, of.pass, of.sent, of.words, of.hops, of.way.dimension,
                    of.way.offset, of.receiver_call);
  };
  return key(left) < key(right);
}

std::vector<link> links_of(topology const& network, message_record const& crossed) {
  if (crossed.hops == 1) return {{crossed.from, crossed.to}};
  auto const stops = crossed.way.offset == 0 ? network.route(crossed.from, crossed.to)
                                             : network.route(crossed.from, crossed.way);
  std::vector<link> links;
  links.reserve(stops.size());
  int from = crossed.from;
  for (int const to : stops) {
    if (!detail::has_rank(network.size(), to))
      throw invalid_topology(
          fmt::format("{}: the route from processor {} to processor {} goes to processor {}, which "
                      "does not exist",
                      network.spec(), crossed.from, crossed.to, to));
    links.push_back({from, to});
    from = to;
  }
  return links;
}

namespace {

/// The record by which `idle_steps` finds out on this thread whether `step` is overridden; nullptr where it
/// asks nothing, or is not.
thread_local step_record const* asked_by = nullptr;

}  // namespace

void observer::step(step_record const& seen) {
  if (asked_by == &seen) asked_by = nullptr;
}

void observer::idle_steps(step_record const& first, std::uint64_t count) {
  constexpr std::uint64_t few = 4096;
  if (count == 0) return;
  auto one = first;
  asked_by = &one;
  step(one);
  bool const is_overridden = asked_by != nullptr;
  asked_by = nullptr;
  if (count > few && !is_overridden) return;
  if (count > most_idle_steps_told)
    throw incomplete_trace(fmt::format(
        "{} idle steps in a row, from step {} on, are more than an observer is told one by one "
        "({}); override observer::idle_steps, too",
        count, first.step, most_idle_steps_told));
  for (std::uint64_t told = 1; told < count; ++told) {
    ++one.step;
    step(one);
  }
}

void observer::cut_off(std::string const& why) { throw incomplete_trace(why); }

}  // namespace lockstep
