#include <lockstep/algorithms/exchange/detail/rearranging_node.hpp>

#include <map>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

void throw_in_pieces(processor const& me, exchange_schedule::phase_step when) {
  incident at;
  at.rank = me.rank();
  at.step = me.now();
  throw broken_invariant(
      fmt::format("complete exchange: what processor {} sends in step {} of phase {} lies in more "
                  "than one piece; its order does not serve this send, report it",
                  me.rank(), when.step, when.phase + 1),
      at);
}

int block_travel::sends_left(int destination, exchange_send const& send) const {
  auto const& phase = m_schedule->phases()[send.when.phase];
  auto const way = m_schedule->way(m_at, send.when);
  auto const here = m_at[static_cast<std::size_t>(way.dimension)];
  auto const there =
      destination / m_schedule->weight(way.dimension) % m_schedule->size(way.dimension);
  if (!phase.in_rings) return ((here ^ there) & phase.distance) != 0 ? 1 : 0;
  int const length = m_schedule->ring_length(way.dimension);
  int const submeshes = way.sign * (there / m_schedule->stride() - here / m_schedule->stride());
  return (submeshes + length) % length;
}

block_travel::place block_travel::place_for(int destination,
                                            std::span<exchange_send const> served) const {
  std::map<int, int> sends_of_part;
  for (auto const& send : served) ++sends_of_part[send.part];
  auto const times_in = [&](int part) {
    auto const first = std::ranges::find(served, part, &exchange_send::part);
    return std::min(sends_left(destination, *first), sends_of_part[part]);
  };
  int const first_part = served.front().part;
  int const last_part = served.back().part;
  if (first_part == last_part) return {0, times_in(first_part)};
  bool const first_is_single = sends_of_part[first_part] == 1;
  int const once = times_in(first_is_single ? first_part : last_part);
  int const times = times_in(first_is_single ? last_part : first_part);
  return {once, once > 0 ? -times : times};
}

}  // namespace lockstep::detail
