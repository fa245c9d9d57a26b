#include <lockstep/algorithms/exchange/detail/exchange_node.hpp>

#include <algorithm>

#include "exchange/as_size.hpp"

namespace lockstep::detail {

namespace {

[[nodiscard]] int count_of(std::span<int const> list) { return static_cast<int>(list.size()); }

}  // namespace

/// Destinations lie by their distance round the ring that the node will send along, the farthest
/// first.
exchange_node::exchange_node(exchange_schedule const& schedule, coordinates const& at)
    : m_schedule(&schedule), m_plans(&exchange_plans::of(schedule)), m_at(at) {
  for (auto const& each : schedule.phases()) {
    if (!each.in_rings) continue;
    auto const [a, sign] = schedule.way(at, each);
    along(a) = {lists(a).itself(coordinate(a)), lists(a).round_the_ring(coordinate(a), sign)};
  }
}

block_layout::box exchange_node::everything() const {
  block_layout::box all;
  for (int a = 0; a < dimensions(); ++a) {
    all.digits[source_digit(a)].count = count_of(along(a).sources);
    all.digits[destination_digit(a)].count = count_of(along(a).destinations);
  }
  return all;
}

/// All digits: these, then the others in order.
std::vector<int> exchange_node::digits_behind(std::vector<std::size_t> const& slowest) const {
  std::vector<int> digits;
  auto const add = [&](std::size_t digit) {
    auto const number = static_cast<int>(digit);
    if (std::ranges::find(digits, number) == digits.end()) digits.push_back(number);
  };
  std::ranges::for_each(slowest, add);
  for (std::size_t digit = 0; digit < source_digit(dimensions()); ++digit) add(digit);
  return digits;
}

/// Splits a box into the part that stays on this node's side in an exchange at that distance, and
/// the part that goes. The former comes first, for the destinations in a submesh lie by their
/// relative place.
std::array<block_layout::box, 2> exchange_node::halves(block_layout::box const& whole,
                                                       int dimension, int distance) const {
  auto const digit = destination_digit(dimension);
  auto const [first, count] = whole.digits[digit];
  auto const list = along(dimension).destinations.subspan(as_size(first), as_size(count));
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
  whole.order = digits_behind({destination_digit(a)});
  if (m_schedule->phases()[when.phase].in_rings) return {{whole}};
  auto const second = m_schedule->exchange_after(when);
  int const b = second ? m_schedule->way(m_at, *second).dimension : a;
  whole.order = digits_behind({destination_digit(b), destination_digit(a)});
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
  rank_walk walk{.loop_count = as_size(dimensions())};
  for (int a = 0; a < dimensions(); ++a)
    walk.loops[index(a)] = {.stride = strides[destination_digit(a)],
                            .weight = m_schedule->weight(a),
                            .coordinates = along(a).destinations};
  return walk;
}

rank_walk exchange_node::by_source(block_layout const& in, std::size_t box) const {
  auto const& of = in.boxes[box];
  auto const strides = of.strides();
  rank_walk walk{.loop_count = as_size(dimensions()), .array = of.array, .place = in.begin(of)};
  for (int a = 0; a < dimensions(); ++a) {
    auto const [first, count] = of.digits[source_digit(a)];
    walk.loops[index(a)] = {
        .stride = strides[source_digit(a)],
        .weight = m_schedule->weight(a),
        .coordinates = along(a).sources.subspan(as_size(first), as_size(count))};
  }
  return walk;
}

/// Counts through the digits of a box, the last one of its order fastest.
void exchange_node::append_labels(block_layout::box const& of,
                                  std::vector<block_label>& labels) const {
  auto const strides = of.strides();
  for (std::size_t place = 0; place < of.size(); ++place) {
    block_label label{0, 0};
    for (int a = 0; a < dimensions(); ++a) {
      auto const along_axis = [&](std::size_t digit, std::span<int const> list) {
        auto const [first, count] = of.digits[digit];
        auto const at = place / strides[digit] % as_size(count);
        return list[as_size(first) + at] * m_schedule->weight(a);
      };
      label.source += along_axis(source_digit(a), along(a).sources);
      label.destination += along_axis(destination_digit(a), along(a).destinations);
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

/// Lists the labels of the node that many steps before for those that lie farther from it, the
/// farthest first.
std::vector<block_label> exchange_node::labels_going_on(int step) const {
  int const a = m_ring.dimension;
  int const origin = ring_node(step)[index(a)];
  auto const farther = destinations_beyond(origin, std::min(step, ring_steps()) + 1);
  auto piece = *this;
  piece.along(a) = {lists(a).itself(origin),
                    lists(a).round_the_ring(origin, m_ring.sign).first(farther)};
  auto box = piece.everything();
  box.order = digits_behind({destination_digit(a)});
  return piece.labels(block_layout{{box}});
}

void exchange_node::enter_ring(std::size_t phase) {
  m_ring = m_schedule->way(m_at, {phase, 1});
  int const a = m_ring.dimension;
  int const stride = m_schedule->stride();
  along(a) = {lists(a).sources(coordinate(a), stride), lists(a).own_submesh(coordinate(a), stride)};
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
  box.digits[source_digit(dimension)] = {};
  box.digits[destination_digit(dimension)] = {};
  return box.size();
}

/// For how many a node of the ring, at this coordinate, had blocks that are at least that many
/// submeshes ahead.
std::size_t exchange_node::destinations_beyond(int origin, int submeshes) const {
  int const a = m_ring.dimension;
  int const size = m_schedule->size(a);
  if (origin >= size) return 0;
  return as_size(size - lists(a).within(origin, m_ring.sign, submeshes));
}

std::size_t exchange_node::destinations_arriving(int step) const {
  return destinations_beyond(ring_node(step)[index(m_ring.dimension)], step);
}

std::size_t exchange_node::destinations_going_on(int step) const {
  return destinations_beyond(ring_node(step - 1)[index(m_ring.dimension)], step);
}

block_layout exchange_node::staying_from_first() const {
  int const a = m_ring.dimension;
  auto box = everything();
  box.digits[source_digit(a)] = {0, 1};
  box.order = digits_behind({destination_digit(a)});
  return {{box}};
}

std::size_t exchange_node::source_in(int step) const {
  return index(ring_node(step)[index(m_ring.dimension)] / m_schedule->stride());
}

exchange_node::coordinates exchange_node::partner(int dimension, int distance) const {
  auto partner = m_at;
  partner[index(dimension)] ^= distance;
  return partner;
}

void exchange_node::finish_swap(int dimension, int distance) {
  int const here = coordinate(dimension);
  along(dimension) = {lists(dimension).sources(here, distance),
                      lists(dimension).own_submesh(here, distance)};
}

void exchange_node::finish_swap(phase_step when, block_layout& layout) {
  int const dimension = m_schedule->way(m_at, when).dimension;
  int const own_sources = count_of(along(dimension).sources);
  finish_swap(dimension, distance(when));
  int const brought = count_of(along(dimension).sources) - own_sources;
  if (m_schedule->begins_pair(when)) {
    replace_first(when, own_sources, brought, layout);
  } else {
    auto const first = *m_schedule->exchange_before(when);
    auto const came = second_of(partner(dimension, distance(when)), first, dimension, own_sources);
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
    boxes[i].digits[source_digit(a)] = {own_sources, brought};
    boxes[i].digits[destination_digit(a)] = like.digits[destination_digit(a)];
  }
}

/// B3 and B2 as the partner has laid them, which in the first step of the pair may have taken
/// another dimension than this node: B3 has the sources that were brought to it then, B2 its own.
std::vector<block_layout::box> exchange_node::second_of(coordinates const& partner,
                                                        phase_step first, int dimension,
                                                        int own_sources) const {
  int const a = m_schedule->way(partner, first).dimension;
  int const at = partner[index(a)];
  int const met = distance(first);
  int const own = count_of(lists(a).sources(at, 2 * met));
  int const brought = count_of(lists(a).sources(at ^ met, 2 * met));
  auto box = everything();
  box.array = 2;
  box.order = digits_behind({destination_digit(dimension), destination_digit(a)});
  auto& sources = box.digits[source_digit(dimension)];
  sources = {own_sources, sources.count - own_sources};
  int const before = a == dimension ? own_sources : 0;
  box.digits[source_digit(a)] = {before + own, brought};
  std::vector<block_layout::box> came{box, box};
  came[1].digits[source_digit(a)] = {before, own};
  return came;
}

}  // namespace lockstep::detail
