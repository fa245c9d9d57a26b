#include <lockstep/algorithms/exchange/exchange_schedule.hpp>

#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/detail/derived_values.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/errors.hpp>

#include "exchange/grid_shape.hpp"

namespace lockstep {

namespace {

/// The `spec` of a network, kept with it, for each processor compares it.
struct network_spec {
  std::string text;
};

/// The schedule of a network, if that is a torus or mesh, so that each processor looks up one value.
struct schedule_of_grid {
  exchange_schedule const* schedule;
};

[[nodiscard]] bool even(int number) { return number % 2 == 0; }

/// The remainder in 0 .. divisor-1, of a negative number too.
[[nodiscard]] int modulo(int number, int divisor) { return (number % divisor + divisor) % divisor; }

/// P(r, c) of section 3.1 takes its columns first, P(x, y, z, ...) of section 3.2 its dimensions in
/// order.
[[nodiscard]] std::vector<int> paper_order(std::size_t dimensions) {
  std::vector<int> order(dimensions);
  std::iota(order.begin(), order.end(), 0);
  if (dimensions == 2) std::ranges::reverse(order);
  return order;
}

[[nodiscard]] bool is_order_of_all(std::vector<int> order, std::size_t dimensions) {
  std::ranges::sort(order);
  std::vector<int> all(dimensions);
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

[[nodiscard]] std::string reason_against_groups(grid_shape const& shape,
                                                exchange_choice const& choice) {
  if (choice.scheme == exchange_scheme::stride_2)
    return "with stride 2 each dimension is a group of its own; leave out the groups";
  std::vector<int> all;
  for (auto const& group : choice.groups) {
    if (group.size() < 2)
      return "a group of one dimension would share links; give groups of two or more";
    all.insert(all.end(), group.begin(), group.end());
  }
  if (is_order_of_all(all, shape.sizes.size())) return {};
  return fmt::format("the groups have to hold each dimension of {} once", shape.spec());
}

}  // namespace

exchange_schedule::direction axis_and_sign(exchange_schedule::coordinates const& at,
                                           std::vector<int> const& order, int phase) {
  auto const e = [&](int k) { return order[static_cast<std::size_t>(k - 1)]; };
  auto const x = [&](int k) { return at[static_cast<std::size_t>(e(k))]; };

  for (int k = static_cast<int>(order.size()); k >= 3; --k) {
    int const t = x(k) % 4;
    if (even(t)) {
      if (phase == k) return {e(k), t == 0 ? +1 : -1};
    } else {
      if (phase == 1) return {e(k), t == 1 ? +1 : -1};
      --phase;
    }
  }
  int const q = (x(1) + x(2)) % 4;
  return {even(q) == (phase == 1) ? e(1) : e(2), q < 2 ? +1 : -1};
}

std::string exchange_schedule::unsupported_reason(topology const& network,
                                                  exchange_choice const& choice) {
  detail::check_enumerator(
      "exchange_choice::scheme", choice.scheme,
      {"exchange_scheme::paper", "exchange_scheme::virtual_nodes", "exchange_scheme::stride_2"});
  auto const shape = shape_of(network);
  if (!shape)
    return network.spec() + " is neither a torus nor a mesh; for example torus:12x12 or mesh:6x6";
  if (choice.scheme == exchange_scheme::paper)
    if (auto const reason = reason_against_paper_sizes(*shape); !reason.empty())
      return "the paper's scheme does not fit: " + reason + "; the other schemes take any sizes";
  if (choice.scheme == exchange_scheme::stride_2 && !shape->wraps)
    return fmt::format("stride 2 needs the links of a torus; for example {}, or another scheme",
                       grid_shape{shape->sizes, true}.spec());
  if (!choice.groups.empty())
    if (auto reason = reason_against_groups(*shape, choice); !reason.empty()) return reason;
  if (choice.partner_order.empty()) return {};
  if (choice.scheme == exchange_scheme::stride_2 || !shape->wraps)
    return "this exchange has no partners at distance 2; leave out their order";
  if (!is_order_of_all(choice.partner_order, shape->sizes.size()))
    return fmt::format("the partners' order has to hold each dimension of {} once", shape->spec());
  return {};
}

exchange_schedule::exchange_schedule(topology const& network, exchange_choice choice,
                                     std::source_location where)
    : m_choice(std::move(choice)), m_derived(std::make_shared<detail::derived_values>()) {
  auto const reason =
      detail::errors_at(where, [&] { return unsupported_reason(network, m_choice); });
  if (!reason.empty()) throw invalid_argument("complete exchange: " + reason, where);
  auto const shape = *shape_of(network);
  m_network = network.spec();
  m_processors = network.size();
  m_sizes = shape.sizes;
  m_wraps = shape.wraps;
  bool const by_twos = !m_wraps || m_choice.scheme == exchange_scheme::stride_2;
  m_stride = by_twos ? 2 : 4;
  if (m_sizes.size() == 1 && m_choice.scheme != exchange_scheme::stride_2) {
    m_sizes.insert(m_sizes.begin(), 1);
    m_added = 1;
  }
  for (int const size : m_sizes) m_filled_up.push_back(multiple_from(size, m_stride));
  m_weights.assign(m_sizes.size(), 1);
  for (auto a = m_sizes.size(); a-- > 1;) m_weights[a - 1] = m_weights[a] * m_sizes[a];

  auto const in_order = paper_order(m_sizes.size());
  if (m_choice.groups.empty()) add_ring_phases(in_order);
  for (auto const& group : m_choice.groups) add_ring_phases(group);
  if (m_stride == 4)
    add_exchange_phase(2, m_choice.partner_order.empty() ? in_order : m_choice.partner_order);
  add_exchange_phase(1, m_added == 0 ? in_order : std::vector{1});
}

std::vector<int> longest_rings(std::vector<int> const& lengths) {
  auto const k = static_cast<std::ptrdiff_t>(lengths.size());
  std::vector<int> longest;
  longest.reserve(lengths.size());
  for (std::ptrdiff_t p = 1; p <= k; ++p)
    longest.push_back(*std::max_element(lengths.begin(), lengths.begin() + std::max(p, k + 1 - p)));
  return longest;
}

/// By stride 2 there is one dimension a phase.
void exchange_schedule::add_ring_phases(std::vector<int> const& group) {
  std::vector<int> rings;
  rings.reserve(group.size());
  for (int const dimension : group) rings.push_back(ring_length(dimension));
  if (m_choice.scheme != exchange_scheme::stride_2) rings = longest_rings(rings);
  for (std::size_t i = 0; i < group.size(); ++i)
    m_phases.push_back({.name = fmt::format("ring {}", m_phases.size() + 1),
                        .in_rings = true,
                        .distance = m_stride,
                        .order = group,
                        .number = static_cast<int>(i) + 1,
                        .steps = rings[i] - 1});
}

void exchange_schedule::add_exchange_phase(int distance, std::vector<int> const& order) {
  auto const& last = m_phases.back();
  int const before = last.in_rings ? 0 : last.exchanges_before + last.steps;
  m_phases.push_back({.name = fmt::format("exchange distance {}", distance),
                      .distance = distance,
                      .order = order,
                      .steps = static_cast<int>(order.size()),
                      .exchanges_before = before});
}

exchange_schedule const& exchange_schedule::of(topology const& network,
                                               std::source_location where) {
  return detail::derived_values_of(network).get<exchange_schedule>(
      [&] { return exchange_schedule(network, {}, where); });
}

exchange_schedule const* exchange_schedule::of_grid(topology const& network) {
  return detail::derived_values_of(network)
      .get<schedule_of_grid>(
          [&] { return schedule_of_grid{shape_of(network) ? &of(network) : nullptr}; })
      .schedule;
}

void exchange_schedule::require_made_for(topology const& network,
                                         std::source_location where) const {
  auto const& spec = detail::derived_values_of(network)
                         .get<network_spec>([&] { return network_spec{network.spec()}; })
                         .text;
  if (spec != m_network)
    throw invalid_argument(
        fmt::format("complete exchange: its schedule was made for {}, and this is {}; make one for "
                    "this network",
                    m_network, spec),
        where);
}

int exchange_schedule::logical_steps() const {
  int steps = 0;
  for (auto const& each : m_phases) steps += each.steps;
  return steps;
}

/// On a mesh the dimensions alternate as on a torus, and every logical ring goes in the +
/// direction.
/// Partners at distance 2 are of one parity in every dimension, and take the dimensions as in ring
/// phases; at distance 1 all take them in the same order.
exchange_schedule::direction exchange_schedule::way(coordinates const& at, phase const& of,
                                                    int step) const {
  if (!of.in_rings && of.distance == 1) return {of.order[index(step - 1)], +1};
  if (m_choice.scheme == exchange_scheme::stride_2) {
    int const dimension = of.order[index(of.number - 1)];
    return {dimension, even(at[index(dimension)]) ? +1 : -1};
  }
  auto const found = axis_and_sign(at, of.order, of.in_rings ? of.number : step);
  return {found.dimension, m_wraps ? found.sign : +1};
}

bool exchange_schedule::begins_pair(phase_step when) const {
  return !even(m_phases[when.phase].exchanges_before + when.step);
}

std::optional<exchange_schedule::phase_step> exchange_schedule::exchange_before(
    phase_step when) const {
  if (when.step > 1) return phase_step{when.phase, when.step - 1};
  auto const& earlier = m_phases[when.phase - 1];
  if (earlier.in_rings) return std::nullopt;
  return phase_step{when.phase - 1, earlier.steps};
}

std::optional<exchange_schedule::phase_step> exchange_schedule::exchange_after(
    phase_step when) const {
  if (when.step < m_phases[when.phase].steps) return phase_step{when.phase, when.step + 1};
  if (when.phase + 1 == m_phases.size()) return std::nullopt;
  return phase_step{when.phase + 1, 1};
}

bool exchange_schedule::is_real(coordinates const& at) const {
  for (int a = 0; a < dimensions(); ++a)
    if (at[index(a)] >= size(a)) return false;
  return true;
}

/// Where a size is below the stride, the node before in the ring is the node itself; then the
/// partner at half the distance is the host, and with sizes of one or two nobody has any work.
int exchange_schedule::host(int dimension, int coordinate) const {
  int const size = m_sizes[index(dimension)];
  if (coordinate < size) return coordinate;
  if (coordinate >= m_stride) return coordinate - m_stride;
  int const partner = coordinate ^ (m_stride / 2);
  return size > m_stride / 2 ? partner : nobody;
}

std::vector<exchange_schedule::coordinates> exchange_schedule::hosted_by(int rank) const {
  coordinates real{};
  for (int a = 0; a < dimensions(); ++a) real[index(a)] = rank / weight(a) % size(a);
  std::vector<coordinates> nodes{real};
  for (int a = 0; a < dimensions(); ++a) {
    if (size(a) == filled_up(a)) continue;
    std::vector<coordinates> with_guests;
    for (auto node : nodes) {
      with_guests.push_back(node);
      for (int guest = size(a); guest < filled_up(a); ++guest) {
        if (host(a, guest) != real[index(a)]) continue;
        node[index(a)] = guest;
        with_guests.push_back(node);
      }
    }
    nodes = std::move(with_guests);
  }
  return nodes;
}

int exchange_schedule::host_rank(coordinates const& at) const {
  int rank = 0;
  for (int a = 0; a < dimensions(); ++a) {
    int const real = host(a, at[index(a)]);
    if (real == nobody) return nobody;
    rank += real * weight(a);
  }
  return rank;
}

along exchange_schedule::route(phase const& of, direction way, int from, int to) const {
  int const dimension = way.dimension;
  int offset = host(dimension, to) - host(dimension, from);
  if (m_wraps) {
    int const forward = modulo(offset, size(dimension));
    int const backward = forward - size(dimension);
    if (of.in_rings)
      offset = way.sign > 0 ? forward : backward;
    else if (std::min(forward, -backward) < std::abs(offset))
      offset = forward < -backward ? forward : backward;
  }
  return {dimension - m_added, offset};
}

}  // namespace lockstep
