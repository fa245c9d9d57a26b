#include "collectives/network_collectives.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "collectives/sums_of_all.hpp"
#include "collectives/textbook_collectives.hpp"
#include "harness/bdm_parameters.hpp"
#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"
#include "network_kind.hpp"

namespace lockstep {

namespace {

/// Calls the collective. Result: what the problem judges.
[[nodiscard]] collective_problem::word_list called(processor& me, network_request const& asked,
                                                   collective_problem::word_list mine) {
  using enum collective_kind;
  if (asked.is_textbook)
    return by_textbook(me, asked.kind, asked.scheme, std::move(mine), asked.words, asked.root);
  collective_options const options{.scheme = asked.scheme, .root = asked.root};
  detail::counting_operator const add_words(me, collective_problem::add_words);
  auto const all = asked.words * static_cast<std::size_t>(me.size());
  switch (asked.kind) {
    case broadcast:
      lockstep::broadcast(me, mine, options);
      return mine;
    case reduce:
      return lockstep::reduce(me, add_words, mine, options);
    case all_reduce:
      return lockstep::all_reduce(me, add_words, mine, options);
    case scatter:
      me.phase("scatter");
      return lockstep::scatter<std::uint64_t>(me, mine, all,
                                              {.scheme = asked.scheme, .root = asked.root});
    case gather:
      me.phase("gather");
      return lockstep::gather(me, mine, {.scheme = asked.scheme, .root = asked.root});
    case all_gather:
      me.phase("all-gather");
      return lockstep::all_gather(me, mine, {.scheme = asked.scheme});
    case reduce_scatter:
      me.phase("reduce-scatter");
      return lockstep::reduce_scatter(me, add_words, mine, {.scheme = asked.scheme});
    case scan:
      me.phase("scan");
      return lockstep::scan(me, add_words, mine, options);
    case exclusive_scan:
      me.phase("exclusive scan");
      return lockstep::exclusive_scan(me, add_words, mine, options);
    case transpose:
      break;
  }
  return {};
}

/// Claims the additions of an all-reduce by recursive doubling, in which every processor of a power of two
/// adds up the whole block in each round; the others have theirs added to it before.
void claim_doubled_sums(claim_list& claims, int p) {
  if (std::has_single_bit(static_cast<unsigned>(p)))
    claims.equal("work", "n log2 p").equal("operations", "n p log2 p");
  else
    claims.equal("work", "n floor(log2 p) + n")
        .equal("operations", "n(2^floor(log2 p) floor(log2 p) + p - 2^floor(log2 p))");
}

/// Claims the additions of the sums of all processors, where each is made once, and of the doublings.
[[nodiscard]] std::vector<claim> claims_of_additions(network_request const& taken,
                                                     topology const& network) {
  using enum collective_kind;
  bool const doubles = taken.scheme == collective_scheme::recursive_doubling;
  int const p = network.size();
  bool const is_whole = taken.scheme == collective_scheme::direct;
  auto const blocks = taken.kind == reduce_scatter ? p : 1;
  claim_list claims({{{"p", p}, {"n", static_cast<double>(taken.words) * blocks}}});
  claims.from("lockstep, the additions counted");
  if (taken.kind == all_reduce && doubles)
    claim_doubled_sums(claims, p);
  else if (taken.kind == reduce || taken.kind == reduce_scatter || taken.kind == all_reduce)
    claim_sums_of_all(claims, taken.kind == all_reduce && is_whole);
  bool const is_by_distances = doubles && is<crossbar>(network);
  if (taken.kind == scan && is_by_distances)
    claims.equal("work", "2n ceil(log2 p)")
        .equal("operations", "2n(p ceil(log2 p) - 2^ceil(log2 p) + 1)");
  if (taken.kind == exclusive_scan && is_by_distances && p > 1)
    claims.equal("work", "2n ceil(log2 p) - n")
        .equal("operations", "2n(p ceil(log2 p) - 2^ceil(log2 p) + 1) - (p - 1)n");
  if (taken.kind == scan && is_whole)
    claims.equal("work", "(p - 1)n").equal("operations", "n p(p - 1)/2");
  if (taken.kind == exclusive_scan && is_whole && p > 1)
    claims.equal("work", "(p - 2)n").equal("operations", "n (p - 1)(p - 2)/2");
  return claims;
}

/// Counts the blocks that a processor holds at a time, its part of messages and of the check included:
/// what runs of a few hundred MiB took, those by the chosen schemes as tests/experiments/memory has
/// them. In a ring of all processors messages pile up where some run ahead, and where all of a crossbar's
/// are sent at once each is there.
[[nodiscard]] double blocks_held(network_request const& asked, int processors) {
  using enum collective_kind;
  double const all = processors;
  bool const is_by_tree = asked.scheme == collective_scheme::tree;
  bool const is_in_ring = asked.scheme == collective_scheme::ring;
  bool const doubles = asked.scheme == collective_scheme::recursive_doubling;
  bool const is_whole = asked.scheme == collective_scheme::direct;
  bool const is_at_once = is_whole || asked.scheme == collective_scheme::transpose;
  switch (asked.kind) {
    case broadcast:
      if (is_at_once) return 4;
      return is_by_tree ? 1.1 : is_in_ring ? 2 : 1.6;
    case reduce:
      if (is_at_once) return 5.5;
      return is_in_ring ? 2.8 : 2.2;
    case all_reduce:
      if (is_at_once) return 6 + (is_whole ? 2 * all : 0);
      return is_in_ring || doubles ? 3.2 : 2.7;
    case scatter:
    case gather:
      return is_by_tree ? 4.2 : 3.2;
    case all_gather:
      if (is_whole) return 3.2 * all;
      return (is_in_ring ? 9.6 : 1.65) * all;
    case reduce_scatter:
      if (is_whole) return 6.5 * all;
      return (is_in_ring ? 10.6 : 2.7) * all;
    case scan:
    case exclusive_scan:
      if (is_whole) return 5 + all;
      return doubles ? 4.15 : is_by_tree ? 7.8 : 6.4;
    case transpose:
      break;
  }
  return 6;
}

}  // namespace

bool is_for_network(collective_scheme asked, arguments const& given) {
  bool const is_crossbar = dynamic_cast<crossbar const*>(&given.network()) != nullptr;
  bool const is_of_papers = asked == collective_scheme::automatic ||
                            asked == collective_scheme::transpose ||
                            asked == collective_scheme::direct || asked == collective_scheme::k_ary;
  return !is_crossbar || !is_of_papers;
}

experiment_result run_on_network(arguments const& given, network_request const& asked) {
  auto taken = asked;
  auto const packet = packet_from(given);
  auto const& price = given.request().price;
  auto const with = given.request().options.ports;
  bool const all_ports = with == ports::all;
  // On a crossbar with all ports a latency chooses only where it is given, as a price does.
  std::optional<std::uint64_t> startup_words;
  if (price)
    startup_words = price->words;
  else if (!all_ports || !is<crossbar>(given.network()))
    startup_words = given[latency];
  taken.scheme = detail::scheme_for({.operation = asked.operation,
                                     .scheme = asked.scheme,
                                     .elements = asked.words,
                                     .startup_words = startup_words,
                                     .packet = packet,
                                     .all_ports = all_ports,
                                     .root = asked.root},
                                    given.network());

  require_memory(given, {.bytes_each = sizeof(std::uint64_t) * static_cast<double>(asked.words) *
                                       blocks_held(taken, given.processors()),
                         .held = fmt::format("blocks and messages of {} words", asked.words),
                         .remedy = "fewer words"});
  auto claims = collective_claims(asked.operation, given.network(), asked.words,
                                  {.scheme = taken.scheme, .root = asked.root, .commutes = true},
                                  packet, with);
  for (auto& each : claims_of_additions(taken, given.network()))
    // With all ports additions of two rounds may meet in a step, unless there is only one.
    if (!all_ports || each.figure != "work" || taken.scheme == collective_scheme::direct)
      claims.push_back(std::move(each));
  auto result = solve(given, {.strict = strictness::always, .packet = packet}, std::move(claims),
                      collective_problem{asked.kind, given, asked.words, asked.root},
                      [&](processor& me, collective_problem::word_list mine) {
                        return called(me, taken, std::move(mine));
                      });
  result.figures["scheme"] = std::string(name_of(taken.scheme));
  if (asked.scheme == collective_scheme::automatic && price)
    result.figures["start-up in words"] = static_cast<std::int64_t>(price->words);
  return result;
}

}  // namespace lockstep
