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

void observer::idle_steps(step_record const& first, std::uint64_t count) {
  if (count == 0) return;
  m_looks_at_steps = true;
  step(first);
  if (!m_looks_at_steps) return;
  auto const told = count <= most_idle_steps_told ? count : 2;  // the first and the last
  for (auto later = count - told + 1; later < count; ++later) {
    auto one = first;
    one.step += later;
    step(one);
  }
}

void observer::cut_off(std::string const& why) { throw incomplete_trace(why); }

}  // namespace lockstep
