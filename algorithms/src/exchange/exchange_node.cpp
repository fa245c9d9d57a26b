#include <lockstep/algorithms/exchange/detail/exchange_node.hpp>

#include <algorithm>

#include "exchange/as_size.hpp"

namespace lockstep::detail {

namespace {

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
  std::vector<int> digits;
  auto const add = [&](int digit) {
    if (std::ranges::find(digits, digit) == digits.end()) digits.push_back(digit);
  };
  std::ranges::for_each(slowest, add);
  for (int digit = 0; digit < 2 * dimensions(); ++digit) add(digit);
  return digits;
}

/// What stays on this node's side in an exchange at that distance, and what goes. What stays comes
/// first, for the destinations in a submesh lie by their relative place.
std::array<block_layout::box, 2> exchange_node::halves(block_layout::box const& whole,
                                                       int dimension, int distance) const {
  auto const digit = as_size(destinations_digit(dimension));
  auto const [first, count] = whole.digits[digit];
  auto const list =
      std::span(along(dimension).destinations).subspan(as_size(first), as_size(count));
  auto const stays = static_cast<int>(std::ranges::count_if(
      list, [&](int other) { return ((other ^ coordinate(dimension)) & distance) == 0; }));
  std::array<block_layout::box, 2> halves{whole, whole};
  halves[0].digits[digit] = {first, stays};
  halves[1].digits[digit] = {first + stays, count - stays};
  return halves;
}

block_layout exchange_node::layout_for(phase_step when) const {
  int const a = m_schedule->way(m_at, when).dimension;
  auto whole = everything();
  whole.order = digits_behind({{destinations_digit(a)}});
  if (m_schedule->phases()[when.phase].in_rings) return {{whole}};
  auto const second = m_schedule->exchange_after(when);
  int const b = second ? m_schedule->way(m_at, *second).dimension : a;
  whole.order = digits_behind({{destinations_digit(b), destinations_digit(a)}});
  auto [a0, a1] = halves(whole, a, distance(when));
  a1.array = 1;
  if (!second) return {{a0, a1}};
  auto [a0b0, a0b1] = halves(a0, b, distance(*second));
  a0b1.array = 2;
  auto const [a1b0, a1b1] = halves(a1, b, distance(*second));
  return {{a0b0, a1b0, a1b1, a0b1}};
}

rank_walk exchange_node::by_destination(block_layout const& in) const {
  auto const strides = in.boxes.front().strides();
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
    auto const strides = box.strides();
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

/// Counts through the digits of a box, the last one of its order fastest.
void exchange_node::append_labels(block_layout::box const& of,
                                  std::vector<block_label>& labels) const {
  auto const strides = of.strides();
  for (std::size_t place = 0; place < of.size(); ++place) {
    block_label label{0, 0};
    for (int a = 0; a < dimensions(); ++a) {
      auto const along_axis = [&](int digit, std::vector<int> const& list) {
        auto const [first, count] = of.digits[as_size(digit)];
        auto const at = place / strides[as_size(digit)] % as_size(count);
        return list[as_size(first) + at] * m_schedule->weight(a);
      };
      label.source += along_axis(sources_digit(a), along(a).sources);
      label.destination += along_axis(destinations_digit(a), along(a).destinations);
    }
    labels.push_back(label);
  }
}

std::vector<block_label> exchange_node::labels(block_layout const& in) const {
  std::vector<block_label> labels;
  for (auto const& box : in.boxes) append_labels(box, labels);
  return labels;
}

std::vector<block_label> exchange_node::labels_so_far(block_layout const& in, int step) const {
  int const a = m_ring.dimension;
  std::vector<bool> came(as_size(m_schedule->filled_up(a)));
  for (int s = 0; s <= std::min(step, ring_steps()); ++s)
    came[as_size(ring_node(s)[index(a)])] = true;
  auto labels = this->labels(in);
  for (auto& label : labels) {
    int const from = label.source / m_schedule->weight(a) % m_schedule->size(a);
    if (!came[as_size(from)]) label = {};
  }
  return labels;
}

/// What the node that many steps before had for those that lie farther from it, the farthest first.
std::vector<block_label> exchange_node::labels_going_on(int step) const {
  int const a = m_ring.dimension;
  int const length = m_schedule->ring_length(a);
  int const origin = ring_node(step)[index(a)];
  auto piece = *this;
  auto& [sources, destinations] = piece.along(a);
  sources.clear();
  if (origin < m_schedule->size(a)) sources.push_back(origin);
  destinations.clear();
  int const own = origin / m_schedule->stride();
  for (int distance = length; --distance > step;)
    append_submesh(a, (own + m_ring.sign * distance + length * length) % length, destinations);
  auto box = piece.everything();
  box.order = digits_behind({{destinations_digit(a)}});
  return piece.labels(block_layout{{box}});
}

void exchange_node::enter_ring(std::size_t phase) {
  m_ring = m_schedule->way(m_at, {phase, 1});
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

/// What a node of the ring, at this coordinate, had for those at least that many submeshes ahead.
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
  box.order = digits_behind({{destinations_digit(a)}});
  return {{box}};
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

exchange_node::coordinates exchange_node::partner(phase_step when) const {
  auto partner = m_at;
  partner[index(m_schedule->way(m_at, when).dimension)] ^= distance(when);
  return partner;
}

void exchange_node::finish_swap(phase_step when, block_layout& layout) {
  int const dimension = m_schedule->way(m_at, when).dimension;
  auto& [sources, destinations] = along(dimension);
  auto const brought =
      sources_at(dimension, coordinate(dimension) ^ distance(when), distance(when));
  int const own_sources = count_of(sources);
  std::erase_if(destinations,
                [&](int other) { return ((other ^ coordinate(dimension)) & distance(when)) != 0; });
  sources.insert(sources.end(), brought.begin(), brought.end());
  if (m_schedule->begins_pair(when)) {
    replace_first(when, own_sources, count_of(brought), layout);
  } else {
    auto const first = *m_schedule->exchange_before(when);
    auto const came = second_of(partner(when), first, dimension, own_sources);
    std::ranges::copy(came, layout.boxes.begin() + 2);
  }
}

/// B1 and B3 have come from a node with the same layout: where it had what goes, this one has what
/// stays, as in B0 and B2.
void exchange_node::replace_first(phase_step when, int own_sources, int brought,
                                  block_layout& layout) const {
  int const a = m_schedule->way(m_at, when).dimension;
  auto& boxes = layout.boxes;
  for (std::size_t i = 1; i < std::min<std::size_t>(3, boxes.size()); ++i) {
    auto const& like = boxes[i == 1 ? 0 : 3];
    boxes[i].digits[as_size(sources_digit(a))] = {own_sources, brought};
    boxes[i].digits[as_size(destinations_digit(a))] = like.digits[as_size(destinations_digit(a))];
  }
}

/// B3 and B2 as the partner has laid them, which in the first step of the pair may have taken
/// another dimension than this node: B3 has the sources that were brought to it then, B2 its own.
std::vector<block_layout::box> exchange_node::second_of(coordinates const& partner,
                                                        phase_step first, int dimension,
                                                        int own_sources) const {
  int const a = m_schedule->way(partner, first).dimension;
  int const at = partner[index(a)];
  int const own = count_of(sources_at(a, at, distance(first)));
  int const brought = count_of(sources_at(a, at ^ distance(first), distance(first)));
  auto box = everything();
  box.array = 2;
  box.order = digits_behind({{destinations_digit(dimension), destinations_digit(a)}});
  auto& sources = box.digits[as_size(sources_digit(dimension))];
  sources = {own_sources, sources.count - own_sources};
  int const before = a == dimension ? own_sources : 0;
  box.digits[as_size(sources_digit(a))] = {before + own, brought};
  std::vector<block_layout::box> came{box, box};
  came[1].digits[as_size(sources_digit(a))] = {before, own};
  return came;
}

}  // namespace lockstep::detail
