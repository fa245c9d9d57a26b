#include <lockstep/algorithms/exchange/detail/exchange_node.hpp>

#include <algorithm>

namespace lockstep::detail {

namespace {

[[nodiscard]] std::size_t as_size(int number) { return static_cast<std::size_t>(number); }
[[nodiscard]] int count_of(std::vector<int> const& list) { return static_cast<int>(list.size()); }

[[nodiscard]] int sources_digit(int dimension) { return 2 * dimension; }
[[nodiscard]] int destinations_digit(int dimension) { return 2 * dimension + 1; }

}  // namespace

/// Destinations lie by their distance round the ring that the node will send along, the farthest
/// first.
exchange_node::exchange_node(exchange_schedule const& schedule, coordinates const& at)
    : m_schedule(&schedule), m_at(at), m_axes(as_size(schedule.dimensions())) {
  for (auto const& each : schedule.phases()) {
    if (!each.in_rings) continue;
    auto const [a, sign] = schedule.way(at, each);
    if (coordinate(a) < schedule.size(a)) along(a).sources = {coordinate(a)};
    int const length = schedule.ring_length(a);
    int const own = coordinate(a) / schedule.stride();
    for (int distance = length; distance-- > 0;)
      append_submesh(a, (own + sign * distance + length) % length, along(a).destinations);
  }
}

bool exchange_node::is_real() const {
  return std::ranges::none_of(m_axes, [](axis const& each) { return each.sources.empty(); });
}

std::size_t exchange_node::blocks() const { return everything().size(); }

/// The real nodes of a submesh, by their place in it relative to this node's own.
void exchange_node::append_submesh(int dimension, int submesh, std::vector<int>& list) const {
  int const stride = m_schedule->stride();
  for (int place = 0; place < stride; ++place) {
    int const other = submesh * stride + (place ^ (coordinate(dimension) % stride));
    if (other < m_schedule->size(dimension)) list.push_back(other);
  }
}

int exchange_node::real_in_submesh(int dimension, int submesh) const {
  int const first = submesh * m_schedule->stride();
  return std::min(m_schedule->size(dimension) - first, m_schedule->stride());
}

block_layout::box exchange_node::everything() const {
  block_layout::box all;
  for (int a = 0; a < dimensions(); ++a) {
    all.digits[as_size(sources_digit(a))].count = count_of(along(a).sources);
    all.digits[as_size(destinations_digit(a))].count = count_of(along(a).destinations);
  }
  return all;
}

/// All digits: these, then the others in order.
std::vector<int> exchange_node::digits_behind(std::span<int const> slowest) const {
  std::vector<int> digits(slowest.begin(), slowest.end());
  for (int digit = 0; digit < 2 * dimensions(); ++digit)
    if (std::ranges::find(slowest, digit) == slowest.end()) digits.push_back(digit);
  return digits;
}

block_layout exchange_node::layout_for(phase const& of, int step) const {
  int const a = m_schedule->way(m_at, of, step).dimension;
  auto const digit_a = destinations_digit(a);
  if (of.in_rings) return {digits_behind({{digit_a}}), {everything()}};

  auto const halves_of = [&](int dimension, block_layout::box const& whole) {
    auto const digit = as_size(destinations_digit(dimension));
    int const stays = staying_in(dimension, of.distance);
    std::array<block_layout::box, 2> halves{whole, whole};
    halves[0].digits[digit] = {0, stays};
    halves[1].digits[digit] = {stays, whole.digits[digit].count - stays};
    return halves;
  };
  auto [a0, a1] = halves_of(a, everything());
  a1.array = 1;
  if (step == of.steps) return {digits_behind({{digit_a}}), {a0, a1}};
  int const b = m_schedule->way(m_at, of, step + 1).dimension;
  auto [a0b0, a0b1] = halves_of(b, a0);
  a0b1.array = 2;
  auto const [a1b0, a1b1] = halves_of(b, a1);
  return {digits_behind({{destinations_digit(b), digit_a}}), {a0b0, a1b0, a1b1, a0b1}};
}

rank_walk exchange_node::by_destination(block_layout const& in) const {
  auto const strides = in.strides(in.boxes.front());
  rank_walk walk;
  for (int a = 0; a < dimensions(); ++a)
    walk.loops.push_back({.stride = strides[as_size(destinations_digit(a))],
                          .weight = m_schedule->weight(a),
                          .coordinates = along(a).destinations});
  return walk;
}

std::vector<rank_walk> exchange_node::by_source(block_layout const& in) const {
  std::vector<rank_walk> walks;
  for (auto const& box : in.boxes) {
    auto const strides = in.strides(box);
    auto& walk =
        walks.emplace_back(rank_walk{.loops = {}, .array = box.array, .place = in.begin(box)});
    for (int a = 0; a < dimensions(); ++a) {
      auto const digit = as_size(sources_digit(a));
      auto const [first, count] = box.digits[digit];
      walk.loops.push_back(
          {.stride = strides[digit],
           .weight = m_schedule->weight(a),
           .coordinates = std::span(along(a).sources).subspan(as_size(first), as_size(count))});
    }
  }
  return walks;
}

void exchange_node::enter_ring(phase const& of) {
  m_ring = m_schedule->way(m_at, of);
  int const a = m_ring.dimension;
  along(a).sources = sources_at(a, coordinate(a), m_schedule->stride() / 2);
  along(a).destinations.clear();
  append_submesh(a, coordinate(a) / m_schedule->stride(), along(a).destinations);
}

int exchange_node::ring_steps() const { return m_schedule->ring_length(m_ring.dimension) - 1; }

exchange_node::coordinates exchange_node::ring_node(int steps_before) const {
  int const size = m_schedule->filled_up(m_ring.dimension);
  auto node = m_at;
  auto& moved = node[index(m_ring.dimension)];
  moved = (moved - m_ring.sign * steps_before * m_schedule->stride()) % size;
  if (moved < 0) moved += size;
  return node;
}

std::size_t exchange_node::blocks_across(int dimension) const {
  auto box = everything();
  box.digits[as_size(sources_digit(dimension))] = {};
  box.digits[as_size(destinations_digit(dimension))] = {};
  return box.size();
}

/// What a node of the ring, at this coordinate, had for those at least so many submeshes ahead.
std::size_t exchange_node::blocks_beyond(int origin, int submeshes) const {
  int const a = m_ring.dimension;
  if (origin >= m_schedule->size(a)) return 0;
  int const length = m_schedule->ring_length(a);
  int destinations = m_schedule->size(a);
  for (int passed = 0; passed < submeshes; ++passed) {
    int const submesh = origin / m_schedule->stride() + m_ring.sign * passed;
    destinations -= real_in_submesh(a, (submesh + length) % length);
  }
  return as_size(destinations) * blocks_across(a);
}

std::size_t exchange_node::blocks_arriving(int step) const {
  return blocks_beyond(ring_node(step)[index(m_ring.dimension)], step);
}

std::size_t exchange_node::blocks_going_on(int step) const {
  return blocks_beyond(ring_node(step - 1)[index(m_ring.dimension)], step);
}

block_layout exchange_node::staying(int step) const {
  int const a = m_ring.dimension;
  int const source = ring_node(step)[index(a)];
  auto box = everything();
  bool const is_there = source < m_schedule->size(a);
  box.digits[as_size(sources_digit(a))] = {source / m_schedule->stride(), is_there ? 1 : 0};
  return {digits_behind({{destinations_digit(a)}}), {box}};
}

/// The sources, along one dimension, of what a node there holds before it meets its partner at that
/// distance: those of its ring, then those that each partner farther away has brought.
std::vector<int> exchange_node::sources_at(int dimension, int at, int distance) const {
  std::vector<int> sources;
  if (2 * distance == m_schedule->stride()) {
    for (int s = at % m_schedule->stride(); s < m_schedule->size(dimension);
         s += m_schedule->stride())
      sources.push_back(s);
    return sources;
  }
  sources = sources_at(dimension, at, 2 * distance);
  auto const brought = sources_at(dimension, at ^ (2 * distance), 2 * distance);
  sources.insert(sources.end(), brought.begin(), brought.end());
  return sources;
}

/// How many destinations are on this node's side; they come first.
int exchange_node::staying_in(int dimension, int distance) const {
  int const side = coordinate(dimension) / distance;
  return static_cast<int>(std::ranges::count_if(
      along(dimension).destinations, [&](int other) { return other / distance == side; }));
}

exchange_node::coordinates exchange_node::partner(phase const& of, int step) const {
  auto partner = m_at;
  partner[index(m_schedule->way(m_at, of, step).dimension)] ^= of.distance;
  return partner;
}

void exchange_node::finish_swap(phase const& of, int step, block_layout& layout) {
  int const a = m_schedule->way(m_at, of, step).dimension;
  auto& [sources, destinations] = along(a);
  auto const brought = sources_at(a, coordinate(a) ^ of.distance, of.distance);
  int const stays = staying_in(a, of.distance);
  std::size_t const array = step % 2 == 1 ? 1 : 2;
  for (auto i = array; i < std::min(array + 2, layout.boxes.size()); ++i) {
    auto& box = layout.boxes[i];
    box.digits[as_size(sources_digit(a))] = {count_of(sources), count_of(brought)};
    box.digits[as_size(destinations_digit(a))] = {0, stays};
    box.array = array;
  }
  sources.insert(sources.end(), brought.begin(), brought.end());
  destinations.resize(as_size(stays));
}

}  // namespace lockstep::detail
