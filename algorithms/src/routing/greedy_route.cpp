#include <lockstep/algorithms/routing/greedy_route.hpp>

#include <bit>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/routing/detail/required_dimension.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

constexpr char const* greedy = "greedy route";

/// A packet whose way alone counts.
using token = routed<char>;

/// All processors, with at most one packet each.
using placed_tokens = std::vector<token>;

/// ceil(log2 d), and 1 for d = 1.
[[nodiscard]] int dimensions_of_a_group(int d) {
  return std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(d, 1)) - 1)));
}

/// Cuts the dimensions into groups; each takes as many rounds as any permutation can need.
[[nodiscard]] std::vector<greedy_group> groups_of(int d) {
  std::vector<greedy_group> groups;
  int const g = dimensions_of_a_group(d);
  for (int above = d; above > 0; above -= g) {
    int const lowest = std::max(0, above - g);
    groups.push_back({lowest, above - lowest, 1 << (above - lowest - 1)});
  }
  return groups;
}

/// Errors: invalid_argument unless the packets of 2^d processors go to different ones.
[[nodiscard]] placed_tokens tokens_to(int d, std::span<int const> destinations,
                                      std::source_location where) {
  auto const p = std::size_t{1} << d;
  if (destinations.size() != p)
    throw invalid_argument(
        fmt::format("{}: {} destinations are given for {} processors; give one for each", greedy,
                    destinations.size(), p),
        where);
  placed_tokens tokens;
  std::vector<bool> is_taken(p);
  for (auto const to : destinations) {
    tokens.push_back({'x', to});
    if (to == token::nowhere) continue;
    if (to < 0 || static_cast<std::size_t>(to) >= p)
      throw invalid_argument(
          fmt::format("{}: destination {} is not a rank; hypercube:{} has processors 0 to {}",
                      greedy, to, d, p - 1),
          where);
    if (is_taken[static_cast<std::size_t>(to)])
      throw invalid_argument(
          fmt::format("{}: two packets go to processor {}; sort them, or send one to each", greedy,
                      to),
          where);
    is_taken[static_cast<std::size_t>(to)] = true;
  }
  return tokens;
}

/// Lets one round pass on all processors. Result: whether packets are still on their way.
[[nodiscard]] bool play_round(std::vector<detail::greedy_node<char>>& nodes,
                              greedy_group const& group) {
  auto const dimensions = static_cast<std::size_t>(group.dimensions);
  std::vector<std::vector<token>> crossing(nodes.size() * dimensions);
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    for (std::size_t s = 0; s < dimensions; ++s)
      crossing[(rank ^ std::size_t{1} << group.lowest << s) * dimensions + s] = nodes[rank].take(s);
  bool on_their_way = false;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    for (auto s = dimensions; s-- > 0;)
      for (auto const& came : crossing[rank * dimensions + s]) nodes[rank].put(came);
    on_their_way = on_their_way || nodes[rank].has_packets_on_their_way();
  }
  return on_their_way;
}

/// Routes the packets over the dimensions of a group, and spreads them over the lower ones.
/// Result: the rounds.
[[nodiscard]] int play_group(placed_tokens& tokens, greedy_group const& group) {
  std::vector<detail::greedy_node<char>> nodes;
  bool on_their_way = false;
  for (std::size_t rank = 0; rank < tokens.size(); ++rank) {
    nodes.emplace_back(static_cast<int>(rank), group.lowest, group.dimensions);
    if (tokens[rank].is_there()) nodes.back().put(tokens[rank]);
    on_their_way = on_their_way || nodes.back().has_packets_on_their_way();
  }
  int rounds = 0;
  for (; on_their_way; ++rounds) on_their_way = play_round(nodes, group);
  placed_tokens spread(tokens.size());
  for (std::size_t rank = 0, next = 0; rank < nodes.size(); ++rank) {
    if (rank >> group.lowest << group.lowest == rank) next = rank;  // a subcube begins
    for (auto const& came : nodes[rank].arrived()) spread[next++] = came;
  }
  tokens = std::move(spread);
  return rounds;
}

}  // namespace

greedy_schedule::greedy_schedule(int d, std::source_location where)
    : m_dimension(detail::required_dimension(d, greedy, where)),
      m_is_for_a_pattern(false),
      m_groups(groups_of(d)) {}

greedy_schedule::greedy_schedule(int d, std::span<int const> destinations,
                                 std::source_location where)
    : m_dimension(detail::required_dimension(d, greedy, where)),
      m_is_for_a_pattern(true),
      m_groups(groups_of(d)) {
  auto tokens = tokens_to(d, destinations, where);
  for (auto& group : m_groups) group.rounds = play_group(tokens, group);
}

int greedy_schedule::rounds() const {
  int all = 0;
  for (auto const& group : m_groups) all += group.rounds;
  return all;
}

void greedy_schedule::require_made_for(topology const& network, std::source_location where) const {
  int const d = detail::required_hypercube(network, greedy, where).dimension();
  if (d != m_dimension)
    throw invalid_argument(fmt::format("{}: the schedule was made for hypercube:{}, not for {}",
                                       greedy, m_dimension, network.spec()),
                           where);
}

void detail::require_packet_destination(topology const& network, int destination) {
  if (destination >= 0 && destination < network.size()) return;
  throw invalid_argument(fmt::format("{}: destination {} is not a rank; {} has processors 0 to {}",
                                     greedy, destination, network.spec(), network.size() - 1));
}

std::vector<int> detail::counts_before(processor& me, std::size_t packets, std::size_t most,
                                       std::source_location where) {
  library_frame const frame(me, where);
  std::vector<int> counts{static_cast<int>(packets)};
  for (std::size_t t = 0; t < most; ++t) counts.push_back(packets > t ? 1 : 0);
  prefix_schedule const schedule(me.topology(), pipelined_scheme::fft, ports::all);
  return pipelined_prefix(me, monoid{0, std::plus<int>{}}, counts, schedule,
                          prefix_kind::exclusive);
}

void detail::throw_still_on_its_way(int rank) {
  throw invalid_argument(fmt::format(
      "{}: a packet is still on its way in processor {} when its group ends; make the schedule for "
      "this pattern, or for every permutation",
      greedy, rank));
}

std::vector<claim> greedy_route_claims(greedy_schedule const& schedule) {
  int const d = schedule.dimension();
  int const g = dimensions_of_a_group(d);
  claim_list claims({{{"d", d},
                      {"g", g},
                      {"K", std::exp2(g)},
                      {"m", static_cast<double>(schedule.groups().size())},
                      {"G", schedule.rounds()}}});
  bool const any = d > 0;
  std::string const spreading = "(m - 1)(3K + 3d - 2) - 3g m(m - 1)/2";
  claims.from("lockstep, after Peleg in Mayr and Plaxton 1989, concluding remarks");
  if (schedule.is_for_a_pattern()) claims.equal("steps", any ? "G + " + spreading : "0");
  return claims.at_most("steps", any ? "m K/2 + " + spreading : "0");
}

}  // namespace lockstep
