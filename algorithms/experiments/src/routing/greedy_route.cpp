#include <lockstep/algorithms/routing/greedy_route.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "routing/routing_problem.hpp"

namespace lockstep {

namespace {

/// Where the packets go.
enum class packet_pattern : std::uint8_t { bit_reversal, transpose, random };

constexpr choice_parameter pattern_of_packets{
    "pattern",
    "where the packets go: bit-reversal (of the rank), transpose (the lower half of the rank's "
    "bits "
    "changes places with the upper) or random",
    std::array{named_choice{"bit-reversal", packet_pattern::bit_reversal},
               named_choice{"transpose", packet_pattern::transpose},
               named_choice{"random", packet_pattern::random}}};

constexpr flag_parameter for_any_permutation{
    "any-permutation",
    "as many rounds as some permutation can need, not as many as this one takes"};

[[nodiscard]] unsigned reversed_bits(unsigned rank, int d) {
  unsigned reversed = 0;
  for (int i = 0; i < d; ++i, rank >>= 1U) reversed = reversed << 1U | (rank & 1U);
  return reversed;
}

/// The place of an element of a matrix of 2^(d - d/2) rows in its transpose.
[[nodiscard]] unsigned transposed(unsigned rank, int d) {
  auto const low = static_cast<unsigned>(d / 2);
  auto const high = static_cast<unsigned>(d) - low;
  return rank >> low | (rank & ((1U << low) - 1)) << high;
}

[[nodiscard]] std::vector<int> shuffled_ranks(std::size_t p, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> ranks(p);
  std::iota(ranks.begin(), ranks.end(), 0);
  for (auto i = p; i > 1; --i) std::swap(ranks[i - 1], ranks[random() % i]);
  return ranks;
}

[[nodiscard]] std::vector<int> destinations_of(packet_pattern pattern, int d, std::uint64_t seed) {
  if (pattern == packet_pattern::random) return shuffled_ranks(std::size_t{1} << d, seed);
  std::vector<int> to;
  for (unsigned rank = 0; rank < 1U << static_cast<unsigned>(d); ++rank)
    to.push_back(static_cast<int>(pattern == packet_pattern::bit_reversal ? reversed_bits(rank, d)
                                                                          : transposed(rank, d)));
  return to;
}

/// Makes a record of each processor's rank, which goes to its destination.
[[nodiscard]] std::vector<routing_problem::record> packets_to(
    std::vector<int> const& destinations) {
  std::vector<routing_problem::record> packets;
  packets.reserve(destinations.size());
  for (int rank = 0; auto const to : destinations) packets.push_back({rank++, to});
  return packets;
}

[[nodiscard]] experiment_result run_greedy_route(arguments const& given) {
  int const d = detail::required_hypercube(given.network(), "greedy route").dimension();
  if (given.request().options.ports != ports::all)
    throw invalid_argument(
        "greedy route: packets cross all dimensions of a group at once; take --ports all");
  constexpr double bytes_of_a_record = 192;  // at first, under way and in the end
  require_memory(given, {.bytes_each = bytes_of_a_record * (3 * d + 1),
                         .waiting = 1700,
                         .held = "packets and what spreads them",
                         .remedy = {}});
  auto const to = destinations_of(given[pattern_of_packets], d, given.seed());
  auto const schedule = given[for_any_permutation] ? greedy_schedule(d) : greedy_schedule(d, to);
  routing_problem const problem(given.network(), 1, packets_to(to));
  auto result = solve(given, {.strict = strictness::always}, greedy_route_claims(schedule), problem,
                      [&](processor& me, std::span<routing_problem::record const> mine) {
                        return routing_problem::arrivals{greedy_route(me, mine.front(), schedule)};
                      });
  result.figures["greedy_rounds"] = schedule.rounds();
  return result;
}

}  // namespace

experiment greedy_route_experiment() {
  return {
      .name = "greedy-route",
      .summary = "packets of a permutation cross log d dimensions greedily, then are spread out",
      .topologies = "hypercube (all ports)",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:2", "hypercube:6", "hypercube:8"},
      .parameters = {pattern_of_packets, for_any_permutation},
      .default_ports = ports::all,
      .run = run_greedy_route};
}

}  // namespace lockstep
