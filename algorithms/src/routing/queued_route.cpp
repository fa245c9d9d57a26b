#include <lockstep/algorithms/routing/queued_route.hpp>

#include <algorithm>
#include <bit>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/detail/required_dimension.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

constexpr char const* queued = "queued route";
constexpr int nowhere = routed<int>::nowhere;

/// Errors: invalid_argument unless there is a destination, a rank or `nowhere`, for each record.
void require_destinations(int d, std::size_t instances, std::span<int const> destinations,
                          std::source_location where) {
  auto const p = std::size_t{1} << static_cast<unsigned>(d);
  if (destinations.size() != p * instances)
    throw invalid_argument(
        fmt::format(
            "{}: {} destinations are given for {} processors with {} records each; give one "
            "for each record, -1 for nothing",
            queued, destinations.size(), p, instances),
        where);
  for (auto const to : destinations)
    if (to != nowhere && (to < 0 || static_cast<std::size_t>(to) >= p))
      throw invalid_argument(
          fmt::format("{}: destination {} is not a rank; hypercube:{} has processors 0 to {}",
                      queued, to, d, p - 1),
          where);
}

}  // namespace

bit_fixing_pattern::bit_fixing_pattern(int d, route which, std::size_t instances,
                                       std::span<int const> destinations,
                                       std::source_location where)
    : m_dimension(detail::required_dimension(d, queued, where)),
      m_which(which),
      m_instances(instances),
      m_destinations(destinations.begin(), destinations.end()),
      m_coming(std::size_t{1} << static_cast<unsigned>(d)) {
  require_destinations(d, instances, destinations, where);
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    auto const to = destinations[i];
    if (to == nowhere) continue;
    for (auto at = static_cast<int>(i / instances); at != to; ++m_links) {
      at = next(at, to);
      ++m_coming[static_cast<std::size_t>(at)];
    }
  }
}

int bit_fixing_pattern::next(int rank, int destination) const {
  auto const differ = static_cast<unsigned>(rank ^ destination);
  auto const crossed =
      m_which == route::inverse_concentration ? std::bit_floor(differ) : differ & (~differ + 1U);
  return static_cast<int>(static_cast<unsigned>(rank) ^ crossed);
}

void bit_fixing_pattern::require_made_for(topology const& network, int rank,
                                          std::span<int const> destinations,
                                          std::source_location where) const {
  int const d = detail::required_hypercube(network, queued, where).dimension();
  if (d != m_dimension)
    throw invalid_argument(fmt::format("{}: the pattern was made for hypercube:{}, not for {}",
                                       queued, m_dimension, network.spec()),
                           where);
  auto const first = static_cast<std::size_t>(rank) * m_instances;
  if (!std::ranges::equal(destinations, std::span(m_destinations).subspan(first, m_instances)))
    throw invalid_argument(
        fmt::format("{}: the pattern was made for other records of processor {}; make it for these",
                    queued, rank),
        where);
}

void detail::throw_same_destination(std::size_t instance, int rank) {
  throw invalid_argument(
      fmt::format("{}: two records of instance {} go to processor {}; let each have its own",
                  queued, instance, rank));
}

bool detail::has_come(processor& me, int dimensions) {
  for (int dimension = 0; dimension < dimensions; ++dimension)
    if (me.pending(me.rank() ^ (1 << dimension)) > 0) return true;
  return false;
}

std::vector<claim> queued_route_claims(bit_fixing_pattern const& pattern) {
  return claim_list()
      .from("lockstep, the program's own messages")
      .equal("messages, volume", "links that the records cross, all together",
             static_cast<double>(pattern.links()));
}

}  // namespace lockstep
