#include <lockstep/algorithms/collectives/barrier.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/library_call.hpp>

namespace lockstep {

void barrier(processor& me, collective_options const& options, std::source_location where) {
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
