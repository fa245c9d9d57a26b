#include "exchange/exchange_simulation.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "index.hpp"

namespace exchange_simulation {

namespace {

using coordinates = std::vector<int>;

int modulo(int number, int divisor) { return (number % divisor + divisor) % divisor; }

/// Nodes are numbered as in row-major order.
struct grid {
  std::vector<int> sizes;

  [[nodiscard]] int nodes() const {
    return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
  }
  [[nodiscard]] coordinates at(int node) const {
    coordinates x(sizes.size());
    for (auto a = sizes.size(); a-- > 0; node /= sizes[a]) x[a] = node % sizes[a];
    return x;
  }
  [[nodiscard]] int node(coordinates const& x) const {
    int number = 0;
    for (std::size_t a = 0; a < sizes.size(); ++a) number = number * sizes[a] + x[a];
    return number;
  }
};

/// Numbers are those of the network filled up.
struct block {
  int source;
  int destination;
};

/// "Along `dimension`, to the node at coordinate `to`, every block whose destination is in another
/// interval of `side` nodes than I am."
struct transmission {
  int dimension;
  int to;
  int side;
  int sign;  ///< of the ring; 0: to a partner, the shorter way
};
using rule = std::function<transmission(coordinates const&)>;

struct direction {
  int dimension;
  int sign;
};

/// The dimension and the sign of node x in each phase: two dimensions first; then each further one
/// comes last in even units, and first in odd ones.
std::vector<direction> directions(coordinates const& x, std::vector<int> const& order) {
  int const sum = (x[index(order[0])] + x[index(order[1])]) % 4;
  int const sign = sum == 0 || sum == 1 ? +1 : -1;
  std::vector<direction> in_phase{{order[0], sign}, {order[1], sign}};
  if (sum == 1 || sum == 3) std::swap(in_phase[0], in_phase[1]);
  for (std::size_t k = 2; k < order.size(); ++k) {
    int const t = x[index(order[k])] % 4;
    if (t == 0) in_phase.push_back({order[k], +1});
    if (t == 2) in_phase.push_back({order[k], -1});
    if (t == 1) in_phase.insert(in_phase.begin(), {order[k], +1});
    if (t == 3) in_phase.insert(in_phase.begin(), {order[k], -1});
  }
  return in_phase;
}

/// All that one host sends to another in one step.
struct message {
  int dimension = 0;
  int offset = 0;  ///< hops, negative against the coordinates
  std::uint64_t words = 0;
  bool between_real_nodes = false;  ///< a part of it
};
using host_pair = std::pair<int, int>;
using message_map = std::map<host_pair, message>;

constexpr int nobody = -1;

class simulation {
 public:
  explicit simulation(exchange const& of);

  experiment_result run();

 private:
  [[nodiscard]] int host_coordinate(std::size_t dimension, int coordinate) const;
  [[nodiscard]] int host_of(coordinates const& x) const;
  [[nodiscard]] int offset_between(coordinates const& from, coordinates const& to,
                                   transmission const& sent) const;

  void ring_phase(rule const& sending);
  void group_of_rings(std::vector<int> const& order);
  void rings_by_twos(int dimension);
  void partners_at_distance_2(std::vector<int> const& order);
  void partners_at_distance_1(int dimension);

  /// One step of the network filled up. Result: the messages between hosts; `moved` says whether
  /// any block moved.
  message_map step(rule const& sending, bool& moved);
  std::vector<block> pack_outgoing(int node, transmission const& sent);
  void add(message_map& messages, int from, int to, transmission const& sent, std::size_t words);
  void exchange_step(rule const& sending);

  /// One step of the real network.
  void count(message_map const& messages);
  [[nodiscard]] std::uint64_t largest_link_load(message_map const& messages) const;
  void count_ports(message_map const& messages);

  exchange m_of;
  int m_stride;
  grid m_real;
  grid m_filled_up;
  std::vector<int> m_order;                ///< the dimensions as the rule takes them
  std::vector<coordinates> m_at;           ///< of each node
  std::vector<int> m_host;                 ///< of each node
  std::vector<bool> m_is_real;             ///< each node
  std::vector<std::vector<block>> m_held;  ///< by each node
  experiment_result m_outcome;
};

simulation::simulation(exchange const& of)
    : m_of(of), m_stride(of.wraps && !of.by_twos ? 4 : 2), m_real{of.sizes} {
  if (m_real.sizes.size() == 1) m_real.sizes.insert(m_real.sizes.begin(), 1);
  for (int const size : m_real.sizes)
    m_filled_up.sizes.push_back((size + m_stride - 1) / m_stride * m_stride);
  m_order.resize(m_real.sizes.size());
  std::iota(m_order.begin(), m_order.end(), 0);
  if (m_order.size() == 2) m_order = {1, 0};

  std::vector<int> real_nodes;
  for (int node = 0; node < m_filled_up.nodes(); ++node) {
    m_at.push_back(m_filled_up.at(node));
    m_host.push_back(host_of(m_at.back()));
    m_is_real.push_back(std::ranges::equal(m_at.back(), m_real.sizes, std::less<>()));
    if (m_is_real.back()) real_nodes.push_back(node);
  }
  m_held.resize(m_at.size());
  for (int const source : real_nodes)
    for (int const destination : real_nodes) m_held[index(source)].push_back({source, destination});
}

/// A virtual node is hosted by the previous member of its own ring. Three nodes of a torus are
/// fewer than a ring's stride: there 1 hosts 3. Otherwise nobody needs to.
int simulation::host_coordinate(std::size_t dimension, int coordinate) const {
  int const size = m_real.sizes[dimension];
  if (coordinate < size) return coordinate;
  if (coordinate >= m_stride) return coordinate - m_stride;
  return m_stride == 4 && size == 3 ? 1 : nobody;
}

int simulation::host_of(coordinates const& x) const {
  coordinates host;
  for (std::size_t a = 0; a < x.size(); ++a) {
    host.push_back(host_coordinate(a, x[a]));
    if (host.back() == nobody) return nobody;
  }
  return m_real.node(host);
}

/// Round the ring in its direction, or the shorter way; on a mesh there is one only.
int simulation::offset_between(coordinates const& from, coordinates const& to,
                               transmission const& sent) const {
  auto const a = index(sent.dimension);
  int const size = m_real.sizes[a];
  int const straight = to[a] - from[a];
  if (!m_of.wraps) return straight;
  if (sent.sign > 0) return modulo(straight, size);
  if (sent.sign < 0) return -modulo(-straight, size);
  int const round = straight > 0 ? straight - size : straight + size;
  return std::abs(round) < std::abs(straight) ? round : straight;
}

std::vector<block> simulation::pack_outgoing(int node, transmission const& sent) {
  auto const a = index(sent.dimension);
  int const mine = m_at[index(node)][a] / sent.side;
  std::vector<block> staying;
  std::vector<block> leaving;
  for (auto const& each : m_held[index(node)]) {
    bool const stays = m_at[index(each.destination)][a] / sent.side == mine;
    (stays ? staying : leaving).push_back(each);
  }
  m_held[index(node)] = std::move(staying);
  return leaving;
}

void simulation::add(message_map& messages, int from, int to, transmission const& sent,
                     std::size_t words) {
  int const source = m_host[index(from)];
  int const destination = m_host[index(to)];
  if (source == nobody || destination == nobody) throw std::logic_error("a block without a host");
  if (source == destination) return;
  int const offset = offset_between(m_real.at(source), m_real.at(destination), sent);
  auto const [place, is_new] =
      messages.try_emplace({source, destination}, message{sent.dimension, offset});
  auto& merged = place->second;
  if (merged.dimension != sent.dimension || merged.offset != offset)
    throw std::logic_error("messages of the same hosts take different ways");
  merged.words += words;
  if (m_is_real[index(from)] && m_is_real[index(to)]) merged.between_real_nodes = true;
}

message_map simulation::step(rule const& sending, bool& moved) {
  message_map messages;
  std::vector<std::vector<block>> arriving(m_held.size());
  moved = false;
  for (int from = 0; from < m_filled_up.nodes(); ++from) {
    auto const sent = sending(m_at[index(from)]);
    auto const leaving = pack_outgoing(from, sent);
    if (leaving.empty()) continue;
    moved = true;
    auto end = m_at[index(from)];
    end[index(sent.dimension)] = sent.to;
    int const to = m_filled_up.node(end);
    add(messages, from, to, sent, leaving.size());
    std::ranges::copy(leaving, std::back_inserter(arriving[index(to)]));
  }
  for (std::size_t node = 0; node < m_held.size(); ++node)
    std::ranges::copy(arriving[node], std::back_inserter(m_held[node]));
  return messages;
}

/// All nodes begin a phase together, and it lasts until no block is for another unit.
void simulation::ring_phase(rule const& sending) {
  for (bool moved = true; moved;) count(step(sending, moved));
}

/// A host that serves two partners meets first its own, then its guest's.
void simulation::exchange_step(rule const& sending) {
  bool moved = false;
  message_map own;
  message_map of_guests;
  for (auto const& [hosts, sent] : step(sending, moved))
    (sent.between_real_nodes ? own : of_guests).emplace(hosts, sent);
  count(own);
  count(of_guests);
}

void simulation::group_of_rings(std::vector<int> const& order) {
  for (std::size_t phase = 0; phase < order.size(); ++phase)
    ring_phase([&](coordinates const& x) {
      auto const [a, sign_on_torus] = directions(x, order)[phase];
      int const sign = m_of.wraps ? sign_on_torus : +1;
      int const length = m_filled_up.sizes[index(a)];
      return transmission{a, modulo(x[index(a)] + sign * m_stride, length), m_stride, sign};
    });
}

void simulation::rings_by_twos(int dimension) {
  ring_phase([&](coordinates const& x) {
    int const coordinate = x[index(dimension)];
    int const sign = coordinate % 2 == 0 ? +1 : -1;
    int const length = m_filled_up.sizes[index(dimension)];
    return transmission{dimension, modulo(coordinate + 2 * sign, length), 2, sign};
  });
}

void simulation::partners_at_distance_2(std::vector<int> const& order) {
  for (std::size_t j = 0; j < order.size(); ++j)
    exchange_step([&](coordinates const& x) {
      int const a = directions(x, order)[j].dimension;
      int const t = x[index(a)];
      return transmission{a, t % 4 < 2 ? t + 2 : t - 2, 2, 0};
    });
}

void simulation::partners_at_distance_1(int dimension) {
  exchange_step([&](coordinates const& x) {
    int const t = x[index(dimension)];
    return transmission{dimension, t % 2 == 0 ? t + 1 : t - 1, 1, 0};
  });
}

void simulation::count(message_map const& messages) {
  if (messages.empty()) return;
  lockstep::counts now{
      .steps = 1, .messages = messages.size(), .contention = largest_link_load(messages)};
  for (auto const& [hosts, sent] : messages) {
    now.words = std::max(now.words, sent.words);
    now.volume += sent.words;
    auto const hops = static_cast<std::uint64_t>(std::abs(sent.offset));
    now.hops = std::max(now.hops, hops);
    m_outcome.messages.push_back(
        {m_outcome.steps.size() + 1, hosts.first, hosts.second, sent.words, hops});
  }
  m_outcome.steps.push_back(now);
  count_ports(messages);
}

std::uint64_t simulation::largest_link_load(message_map const& messages) const {
  struct link {
    int node;
    int dimension;
    int sign;
    auto operator<=>(link const&) const = default;
  };
  std::map<link, std::uint64_t> load;
  std::uint64_t largest = 0;
  for (auto const& [hosts, sent] : messages) {
    int const sign = sent.offset > 0 ? +1 : -1;
    auto x = m_real.at(hosts.first);
    auto& moving = x[index(sent.dimension)];
    for (int hop = 0; hop < std::abs(sent.offset); ++hop) {
      largest = std::max(largest, ++load[{m_real.node(x), sent.dimension, sign}]);
      moving = modulo(moving + sign, m_real.sizes[index(sent.dimension)]);
    }
    if (m_real.node(x) != hosts.second) throw std::logic_error("a route leads elsewhere");
  }
  return largest;
}

void simulation::count_ports(message_map const& messages) {
  std::map<int, std::uint64_t> sends;
  std::map<int, std::uint64_t> receives;
  for (auto const& [hosts, sent] : messages) {
    m_outcome.most_sends = std::max(m_outcome.most_sends, ++sends[hosts.first]);
    m_outcome.most_receives = std::max(m_outcome.most_receives, ++receives[hosts.second]);
  }
}

experiment_result simulation::run() {
  if (m_of.by_twos)
    for (int const dimension : m_order) rings_by_twos(dimension);
  else if (m_of.groups.empty())
    group_of_rings(m_order);
  else
    for (auto const& group : m_of.groups) group_of_rings(group);
  if (m_stride == 4)
    partners_at_distance_2(m_of.partner_order.empty() ? m_order : m_of.partner_order);
  for (int const dimension : m_order) partners_at_distance_1(dimension);

  for (int node = 0; node < m_filled_up.nodes(); ++node)
    for (auto const& each : m_held[index(node)])
      ++(each.destination == node ? m_outcome.arrived : m_outcome.misplaced);
  return m_outcome;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, sent_message const& of) {
  return out << "step " << of.step << ": from " << of.from << " to " << of.to << ", " << of.words
             << " words, " << of.hops << " hops";
}

lockstep::counts experiment_result::total() const {
  lockstep::counts all;
  for (auto const& step : steps) {
    all.steps += step.steps;
    all.words += step.words;
    all.volume += step.volume;
    all.messages += step.messages;
    all.hops += step.hops;
    all.contention = std::max(all.contention, step.contention);
  }
  return all;
}

experiment_result simulate(exchange const& of) { return simulation(of).run(); }

}  // namespace exchange_simulation
