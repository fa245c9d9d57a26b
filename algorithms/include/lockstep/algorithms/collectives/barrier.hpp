#pragma once

#include <cstdint>
#include <functional>
#include <source_location>
#include <span>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Synchronises all processors of a machine or subset by messages of one word, as a machine without
/// a barrier of its own has to: nobody goes on before all have called it. (`processor::barrier` is the
/// machine's, and free.)
///
/// Errors: invalid_argument for a scheme that does not fit the network; those of the machine, among
/// them port_conflict on a strict one, where processors come to it in different steps.
///
/// **Cost** one-port, where all come to it in the same step, contention 1: `dissemination`, on a
/// crossbar, and `recursive_doubling` on a hypercube ceil(log2 p) rounds, of a word; `binomial`
/// twice the sum of ceil(log2) over the sizes of the dimensions; `tree` twice the rounds of a
/// breadth-first tree; `direct`, on a crossbar with all ports, one round.
///
/// **Source** Hensgen, Finkel and Manber, Two Algorithms for Barrier Synchronization, 1988, for
/// dissemination.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{6}};
/// auto run = machine.run([](lockstep::processor& me) {
///   me.idle(me.rank() == 3 ? 10 : 0);  // one of them is late
///   lockstep::barrier(me);
///   return me.now();
/// });
/// run.results()[0];  // 14
/// ```
inline void barrier(processor& me, collective_options const& options = {},
                    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const scheme = detail::scheme_for(
      {.operation = collective_operation::barrier, .scheme = options.scheme}, me);
  std::uint8_t word = 0;
  std::span<std::uint8_t> const token(&word, 1);
  auto const p = me.size();
  detail::network_call const tokens(me, scheme);
  constexpr std::string_view not_shown;  // a token has no value
  auto const exchange_with = [&](int to, int from) { me.exchange_into(to, token, token, from); };
  switch (scheme) {
    case collective_scheme::dissemination:
      for (std::int64_t distance = 1; distance < p; distance *= 2) {
        auto const ahead = static_cast<int>(distance);
        exchange_with((me.rank() + ahead) % p, (me.rank() - ahead + p) % p);
      }
      break;
    case collective_scheme::direct:
      detail::to_all_at_once(
          me, [&](int to) { me.send(to, std::span<std::uint8_t const>(token)); },
          [&](int from) { me.receive_into(from, token); });
      break;
    case collective_scheme::tree: {
      auto walk = tokens.walk_of_centre();
      detail::reduce_up(me, walk, std::bit_or<>{}, token, not_shown);
      detail::broadcast_down(me, walk, token, not_shown);
      break;
    }
    case collective_scheme::binomial: {
      auto const rounds = tokens.rounds();
      auto const middle =
          detail::reduce_by_rounds(me, me.now(), rounds, std::bit_or<>{}, token, not_shown);
      detail::broadcast_by_rounds(me, middle, rounds, token, not_shown);
      break;
    }
    default:
      detail::folded(
          me, std::bit_or<>{}, token,
          [&](detail::folded_ranks const& ranks) {
            for (int distance = 1; distance < ranks.ranks(); distance *= 2) {
              auto const partner = ranks.processor_of(ranks.rank() ^ distance);
              exchange_with(partner, partner);
            }
          },
          not_shown);
  }
}

}  // namespace lockstep
