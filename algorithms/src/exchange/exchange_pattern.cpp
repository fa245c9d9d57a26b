#include <lockstep/algorithms/exchange/exchange_pattern.hpp>

#include <algorithm>
#include <numeric>

#include <lockstep/errors.hpp>

#include "exchange/grid_shape.hpp"

namespace lockstep {

namespace {

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

}  // namespace

exchange_pattern::direction axis_and_sign(std::span<int const> at, std::span<int const> order,
                                          int phase) {
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

std::string exchange_pattern::why_not(topology const& network) {
  auto const shape = shape_of(network);
  if (!shape)
    return network.spec() + " is neither a torus nor a mesh; torus:12x12 or mesh:6x6 would do";
  int const unit = shape->wraps ? 4 : 2;
  auto smaller = *shape;
  auto larger = *shape;
  for (auto& size : smaller.sizes) size = std::max(unit, size / unit * unit);
  for (auto& size : larger.sizes) size = (size + unit - 1) / unit * unit;

  if (shape->sizes.size() == 1)
    return network.spec() + " has one dimension, and at least two are needed; " +
           grid_shape{{unit, larger.sizes[0]}, shape->wraps}.spec() + " would do";
  if (shape->sizes == larger.sizes) return {};
  auto const would_do =
      smaller.sizes == larger.sizes ? larger.spec() : smaller.spec() + " or " + larger.spec();
  return "the dimensions of " + network.spec() + " have to be multiples of " +
         std::to_string(unit) + "; " + would_do + " would do";
}

exchange_pattern::exchange_pattern(topology const& network, int rank) : m_rank(rank) {
  if (auto const reason = why_not(network); !reason.empty())
    throw invalid_argument("all_to_all: " + reason);
  auto const shape = *shape_of(network);
  m_sizes = shape.sizes;
  m_wraps = shape.wraps;
  m_stride = shape.wraps ? 4 : 2;
  m_order = paper_order(m_sizes.size());
  m_weights.resize(m_sizes.size());
  for (auto a = m_sizes.size(); a-- > 0;) {
    m_weights[a] = m_processors;
    m_processors *= m_sizes[a];
  }
  m_at = position(rank);
  for (int phase = 1; phase <= dimensions(); ++phase) m_rings.push_back(direction_at(m_at, phase));
}

exchange_pattern::coordinates exchange_pattern::position(int rank) const {
  coordinates at{};
  for (auto a = m_sizes.size(); a-- > 0; rank /= m_sizes[a]) at[a] = rank % m_sizes[a];
  return at;
}

/// On a mesh the dimensions alternate as on a torus, and every logical ring goes in the +
/// direction.
exchange_pattern::direction exchange_pattern::direction_at(coordinates const& at, int phase) const {
  auto const way = axis_and_sign(std::span(at).first(m_sizes.size()), m_order, phase);
  return {way.dimension, m_wraps ? way.sign : +1};
}

/// Submeshes along the source's ring, and the place in the submesh relative to the source's.
int exchange_pattern::distance_along(direction way, int from, int to) const {
  int const submeshes =
      modulo(way.sign * (to / m_stride - from / m_stride), ring_length(way.dimension));
  int const place = (from ^ to) % m_stride;
  return submeshes * m_stride + place;
}

int exchange_pattern::name_of_block_for(int destination) const {
  auto const to = position(destination);
  int name = 0;
  for (auto const& way : m_rings) {
    auto const a = index(way.dimension);
    name += distance_along(way, m_at[a], to[a]) * m_weights[a];
  }
  return name;
}

int exchange_pattern::name_of_block_from(int source) const {
  auto const from = position(source);
  int name = 0;
  for (int phase = 1; phase <= dimensions(); ++phase) {
    auto const way = direction_at(from, phase);
    auto const a = index(way.dimension);
    name += distance_along(way, from[a], m_at[a]) * m_weights[a];
  }
  return name;
}

int exchange_pattern::rank_along(int dimension, int offset) const {
  int const here = m_at[index(dimension)];
  int const there = modulo(here + offset, m_sizes[index(dimension)]);
  return m_rank + (there - here) * m_weights[index(dimension)];
}

int exchange_pattern::ring_steps(int phase) const { return ring_length(ring(phase).dimension) - 1; }

/// The dimension depends on the parities of the coordinates only.
int exchange_pattern::largest_size(int phase) const {
  int largest = 0;
  for (int parities = 0; parities < 1 << dimensions(); ++parities) {
    coordinates at{};
    for (int a = 0; a < dimensions(); ++a) at[index(a)] = parities >> a & 1;
    largest = std::max(largest, m_sizes[index(direction_at(at, phase).dimension)]);
  }
  return largest;
}

/// In step s the blocks go out whose ring distance is at least s: the end of the array.
exchange_pattern::transfer exchange_pattern::ring_step(int phase, int step) const {
  auto const [dimension, sign] = ring(phase);
  int const size = m_sizes[index(dimension)];
  int offset = sign * m_stride;
  // The last node of a line of a mesh closes the logical ring by a way back along the line.
  if (!m_wraps && m_at[index(dimension)] + offset >= size) offset -= size;
  return {.to = {dimension, offset},
          .from = rank_along(dimension, -sign * m_stride),
          .first = m_processors / ring_length(dimension) * step,
          .last = m_processors};
}

/// Nodes at distance 2 are of one parity in every dimension, and take the dimensions in the order
/// of their ring phases; at distance 1 all take them in the same order.
int exchange_pattern::exchange_dimension(int distance, int step) const {
  return distance == 2 ? ring(step).dimension : m_order[index(step - 1)];
}

/// Of the four quarters B0, B1, B3, B2 an odd step swaps the middle two, an even step the last two;
/// without a step to share them with, the last of an odd number of steps swaps the second half.
exchange_pattern::transfer exchange_pattern::exchange_step(int distance, int step) const {
  int const dimension = exchange_dimension(distance, step);
  bool const is_upper = (m_at[index(dimension)] & distance) != 0;
  int const offset = is_upper ? -distance : distance;
  bool const in_the_middle = !even(step) && step < dimensions();
  int const first = in_the_middle ? m_processors / 4 : m_processors / 2;
  return {.to = {dimension, offset},
          .from = rank_along(dimension, offset),
          .first = first,
          .last = first + m_processors / 2};
}

exchange_pattern::layout exchange_pattern::ring_layout(int phase) const {
  int const dimension = ring(phase).dimension;
  digit const distance{m_sizes[index(dimension)], m_weights[index(dimension)]};
  layout order;
  auto& slowest = order.digits.emplace_back();
  for (int u = 0; u < distance.size; ++u) slowest.push_back(u * distance.weight);
  append_other_digits(order, {distance});
  return order;
}

exchange_pattern::layout exchange_pattern::exchange_layout(int distance, int step) const {
  auto const weight = [&](int which) {
    return distance * m_weights[index(exchange_dimension(distance, which))];
  };
  layout order;
  int const first = weight(step);
  if (step == dimensions()) {
    order.digits.push_back({0, first});
    append_other_digits(order, {{2, first}});
  } else {
    int const second = weight(step + 1);
    order.digits.push_back({0, first, first + second, second});  // B0, B1, B3, B2
    append_other_digits(order, {{2, first}, {2, second}});
  }
  return order;
}

/// The digits that are not taken, in the order of the dimensions: submeshes, then the place in one.
void exchange_pattern::append_other_digits(layout& order, std::vector<digit> const& taken) const {
  auto const is_taken = [&](int weight) {
    return std::ranges::any_of(taken, [&](digit const& one) {
      return one.weight <= weight && weight < one.weight * one.size;
    });
  };
  for (int a = 0; a < dimensions(); ++a)
    for (int unit = m_stride; unit >= 1; unit /= 2) {
      digit const one{unit == m_stride ? ring_length(a) : 2, unit * m_weights[index(a)]};
      if (is_taken(one.weight)) continue;
      auto& values = order.digits.emplace_back();
      for (int value = 0; value < one.size; ++value) values.push_back(value * one.weight);
    }
}

std::vector<int> exchange_pattern::places(layout const& order) {
  std::vector<int> names{0};  // in the order of their places
  for (auto const& digit : order.digits) {
    std::vector<int> longer;
    longer.reserve(names.size() * digit.size());
    for (int const name : names)
      for (int const value : digit) longer.push_back(name + value);
    names = std::move(longer);
  }
  std::vector<int> places(names.size());
  for (int place = 0; place < static_cast<int>(names.size()); ++place)
    places[index(names[index(place)])] = place;
  return places;
}

}  // namespace lockstep
