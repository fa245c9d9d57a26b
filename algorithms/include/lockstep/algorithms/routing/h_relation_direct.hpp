#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep {

/// The partners of the rounds in which all send to all.
enum class round_order : std::uint8_t {
  pex,  ///< pairwise exchange: in round k = 1 .. 2^ceil(log2 p) - 1 i and i xor k, if below p
  lp    ///< linear permutations: in round k = 1 .. p-1 from i to (i + k) mod p
};

/// How the rounds are counted.
enum class round_timing : std::uint8_t {
  stepwise,  ///< each is a step that all take together and pays a start-up of its own
  pipelined  ///< all pay one start-up
};

[[nodiscard]] std::string_view name_of(round_order order);    // "pex", "lp"
[[nodiscard]] std::string_view name_of(round_timing timing);  // "stepwise", "pipelined"

/// Rounds in which p processors have all met: p - 1 in linear permutations, 2^ceil(log2 p) - 1 in
/// pairwise exchange.
/// Errors: invalid_argument for p < 1.
[[nodiscard]] int rounds_of(round_order order, int processors,
                            std::source_location where = std::source_location::current());

/// A processor's partners in a round; nobody (-1) for one that is alone in it.
struct round_partners {
  int to = -1;
  int from = -1;
};
/// Finds the partners of a processor in a round; in round 0 that is the processor itself.
/// Errors: invalid_argument for p < 1, or a rank or a round that there is not.
[[nodiscard]] round_partners partners_in(
    round_order order, int round, int rank, int processors,
    std::source_location where = std::source_location::current());

namespace detail {

/// Lists the blocks that a processor has after that many rounds: those that have come, by source,
/// and those that have not gone.
[[nodiscard]] std::vector<block_label> labels_after_rounds(processor const& me, round_order order,
                                                           int rounds);

/// One block for each destination, each in the order of the elements.
/// Errors: invalid_argument for a destination that is not a rank.
template <payload_element T, class Destination>
[[nodiscard]] bins<T> sorted_by_destination(processor const& me, std::span<T const> elements,
                                            Destination const& destination_of) {
  std::vector<std::size_t> sizes(static_cast<std::size_t>(me.size()));
  for (std::size_t i = 0; i < elements.size(); ++i)
    ++sizes[checked_destination(me, elements, i, destination_of)];
  bins<T> blocks(sizes.size());
  for (std::size_t j = 0; j < sizes.size(); ++j) blocks[j].reserve(sizes[j]);
  for (auto const& element : elements)
    blocks[static_cast<std::size_t>(std::invoke(destination_of, element))].push_back(element);
  return blocks;
}

/// Each bin to its processor, in the rounds of that order. Empty ones are sent, too; a processor
/// that has no partner idles, so that all are in the same step. `show(out, in, rounds)`: in a view,
/// shows the bins that have not gone and those that have come after that many rounds.
/// Result: what came, indexed by source.
template <payload_element T, class Show>
[[nodiscard]] bins<T> exchange_in_rounds(
    processor& me, bins<T> out, round_order order, Show const& show,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  bins<T> in(out.size());
  auto const own = static_cast<std::size_t>(me.rank());
  in[own] = std::move(out[own]);
  if (me.is_shown()) show(out, in, 0);
  int const rounds = rounds_of(order, me.size());
  for (int round = 1; round <= rounds; ++round) {
    auto const [to, from] = partners_in(order, round, me.rank(), me.size());
    if (to == nobody) {
      me.idle();
    } else {
      me.send(to, std::move(out[static_cast<std::size_t>(to)]));
      in[static_cast<std::size_t>(from)] = me.receive<T>(from);
    }
    if (me.is_shown()) show(out, in, round);
  }
  return in;
}

}  // namespace detail

/// Routes an h-relation in a single phase: every processor sorts its elements by destination,
/// stably, and sends each block where it belongs. Called by all processors of a crossbar; phase
/// "route".
///
/// `elements`: any number. `destination_of(element)`: the rank that it goes to, a member or a
/// function.
/// Shows: "blocks", those that have come and those that have not gone.
/// Result: the elements for this processor, by source, within it in the source's order.
/// Errors: invalid_argument for a destination that is not a rank; those of the machine.
///
/// **Cost** on a crossbar, one-port, n_ij elements from i to j: p - 1 rounds (lp) or
/// 2^ceil(log2 p) - 1 (pex), empty messages included; strict. Stepwise: as many start-ups as rounds
/// in which something travels, and the sum over rounds of the largest block, max_i n_{i,to(i)},
/// in words. Pipelined: 1 start-up, and the most words that a processor sends or receives, which
/// are at most max(h1, h2). Stepwise is what the paper means by steps "separated by global
/// synchronizations".
///
/// **Source** Bader, Helman and JaJa 1996, section 3.2.
///
/// **Example**
/// ```
/// struct person { int home; int age; };
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([&](lockstep::processor& me) {
///   std::vector<person> people(8, person{0, me.rank()});
///   return lockstep::h_relation_direct(me, std::span<person const>(people), &person::home).size();
/// });
/// run.results()[0];    // 32
/// run.counts().words;  // 24
/// ```
template <payload_element T, class Destination>
[[nodiscard]] std::vector<T> h_relation_direct(
    processor& me, std::span<T const> elements, Destination const& destination_of,
    round_order order = round_order::pex, round_timing timing = round_timing::stepwise,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  static_cast<void>(name_of(order));  // refuses any other number
  static_cast<void>(name_of(timing));
  auto blocks = detail::sorted_by_destination(me, elements, destination_of);
  me.phase("route");
  detail::bins<T> by_source;
  auto const exchange = [&] {
    by_source = detail::exchange_in_rounds(
        me, std::move(blocks), order, [&](auto const&, auto const&, int rounds) {
          me.show("blocks", detail::labels_after_rounds(me, order, rounds));
        });
  };
  if (timing == round_timing::pipelined)
    me.pipelined(exchange);
  else
    exchange();
  auto arrived = detail::joined(by_source);
  detail::show_values(me, "arrived", arrived);
  return arrived;
}

}  // namespace lockstep
