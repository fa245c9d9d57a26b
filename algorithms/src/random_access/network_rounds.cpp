#include <lockstep/algorithms/random_access/detail/network_rounds.hpp>

#include <algorithm>

#include <lockstep/topologies/torus.hpp>

#include "network_kind.hpp"

namespace lockstep::detail {

namespace {

/// A message on a torus: where it is, and where it goes.
class turning_message {
 public:
  turning_message(std::size_t number, sender_and_receiver const& ends)
      : m_number(number), m_at(ends.from), m_to(ends.to) {}

  /// Goes the way along an axis, if it has any: as the mesh does, never round.
  void cross(rank_axis const& axis, int dimension, std::vector<message_hop>& step) {
    auto const offset = axis.position_of(m_to) - axis.position_of(m_at);
    if (offset == 0) return;
    auto const next = m_at + offset * axis.stride;
    step.push_back({m_number, m_at, next, along{dimension, offset}});
    m_at = next;
    m_has_left = true;
  }
  [[nodiscard]] bool has_left() const { return m_has_left; }

 private:
  std::size_t m_number;
  int m_at;
  int m_to;
  bool m_has_left = false;
};

/// In each dimension first the messages that begin with it, then those that turn into it: one of
/// each kind may be on a processor at the same time.
[[nodiscard]] std::vector<std::vector<message_hop>> steps_on_torus(
    torus const& network, std::span<sender_and_receiver const> messages) {
  std::vector<turning_message> all;
  for (std::size_t i = 0; i < messages.size(); ++i) all.emplace_back(i, messages[i]);
  std::vector<std::vector<message_hop>> steps;
  auto stride = network.size();
  int dimension = 0;
  for (int const size : network.sizes()) {
    stride /= size;
    std::vector<message_hop> turning;
    std::vector<message_hop> beginning;
    for (auto& one : all)
      one.cross({size, stride}, dimension, one.has_left() ? turning : beginning);
    ++dimension;
    for (auto* const step : {&beginning, &turning})
      if (!step->empty()) steps.push_back(std::move(*step));
  }
  return steps;
}

}  // namespace

exchange_way exchange_way_of(processor const& me) {
  auto const kind = axes_of(me.topology()).kind;
  if (kind == network_kind::grid) return exchange_way::rings;
  if (kind != network_kind::hypercube) return exchange_way::shifts;
  return me.switching() == switching::neighbour ? exchange_way::rings : exchange_way::pairs;
}

std::vector<std::vector<message_hop>> steps_of_intervals(
    topology const& network, std::span<sender_and_receiver const> messages) {
  if (auto const* const wrapped = dynamic_cast<torus const*>(&network))
    return steps_on_torus(*wrapped, messages);
  std::vector<message_hop> step;
  for (std::size_t i = 0; i < messages.size(); ++i)
    step.push_back({i, messages[i].from, messages[i].to, std::nullopt});
  if (step.empty()) return {};
  return {std::move(step)};
}

}  // namespace lockstep::detail
