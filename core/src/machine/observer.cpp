#include <lockstep/observer.hpp>

#include <tuple>
#include <utility>

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

/// The question of `idle_steps` on this thread: whether `step` of that observer, which is told that record, is
/// the one of `observer`. That one answers by taking the question away.
struct step_question {
  observer const* of = nullptr;
  step_record const* told = nullptr;

  friend bool operator==(step_question const&, step_question const&) = default;
};
thread_local step_question asked;

}  // namespace

void observer::step(step_record const& seen) {
  if (asked == step_question{this, &seen}) asked = {};
}

void observer::idle_steps(step_record const& first, std::uint64_t count) {
  constexpr std::uint64_t few = 4096;
  if (count == 0) return;
  auto one = first;
  step_question const question{this, &one};
  auto const before = std::exchange(asked, question);
  step(one);
  bool const is_overridden = std::exchange(asked, before) == question;
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
