#include <lockstep/algorithms/exchange/exchange_search.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>
#include <lockstep/errors.hpp>

#include "exchange/grid_shape.hpp"

namespace lockstep {

namespace {

using groups = std::vector<std::vector<int>>;

/// The largest message of each turn of each step of each phase.
class largest_messages {
 public:
  explicit largest_messages(exchange_schedule const& schedule) : m_schedule(schedule) {}

  /// Goes through all that this processor sends.
  void add_processor(int rank) {
    detail::hosted_nodes hosted(m_schedule, rank);
    for (std::size_t phase = 0; phase < m_schedule.phases().size(); ++phase) {
      auto const& of = m_schedule.phases()[phase];
      if (of.in_rings) hosted.enter_ring(phase);
      int const steps = of.in_rings ? hosted.ring_steps(phase) : of.steps;
      for (int step = 1; step <= steps; ++step) {
        if (of.in_rings)
          hosted.ring_step(phase, step);
        else
          hosted.swap_step({phase, step});
        add_messages(hosted, rank, phase, step);
      }
    }
  }

  [[nodiscard]] exchange_traffic sum() const {
    exchange_traffic total;
    for (auto const& [when, blocks] : m_largest) {
      total.steps += 1;
      total.blocks += blocks;
    }
    return total;
  }

 private:
  void add_messages(detail::hosted_nodes const& hosted, int rank, std::size_t phase, int step) {
    std::map<int, std::size_t> blocks_to;
    for (auto const& each : hosted.nodes()) {
      if (each.out.blocks == 0 || each.out.host == rank) continue;
      auto const together = blocks_to[each.out.host] += each.out.blocks;
      auto& largest = m_largest[{phase, step, each.out.turn}];
      largest = std::max(largest, together);
    }
  }

  exchange_schedule const& m_schedule;
  std::map<std::tuple<std::size_t, int, int>, std::size_t> m_largest;
};

/// Tries all splits: each dimension in turn goes into one of the groups so far, or a new one.
class split_search {
 public:
  split_search(std::vector<int> const& sizes, int stride) : m_sizes(sizes), m_stride(stride) {
    m_ascending.resize(sizes.size());
    std::iota(m_ascending.begin(), m_ascending.end(), 0);
    std::ranges::stable_sort(m_ascending, {}, [&](int a) { return size(a); });
  }

  [[nodiscard]] groups best() {
    place(0);
    return m_best;
  }

 private:
  [[nodiscard]] int size(int dimension) const {
    return m_sizes[static_cast<std::size_t>(dimension)];
  }

  void place(std::size_t next) {
    if (next == m_ascending.size()) return compare();
    auto const groups_so_far = m_split.size();
    for (std::size_t i = 0; i < groups_so_far; ++i) {
      m_split[i].push_back(m_ascending[next]);
      place(next + 1);
      m_split[i].pop_back();
    }
    m_split.push_back({m_ascending[next]});
    place(next + 1);
    m_split.pop_back();
  }

  [[nodiscard]] int ring_steps(std::vector<int> const& group) const {
    std::vector<int> lengths;
    lengths.reserve(group.size());
    for (int const a : group) lengths.push_back((size(a) + m_stride - 1) / m_stride);
    auto const longest = longest_rings(lengths);
    return std::accumulate(longest.begin(), longest.end(), -static_cast<int>(longest.size()));
  }

  void compare() {
    int steps = 0;
    for (auto const& group : m_split) {
      if (group.size() < 2) return;
      steps += ring_steps(group);
    }
    if (!m_best.empty() && steps >= m_fewest) return;
    m_best = m_split;
    m_fewest = steps;
  }

  std::vector<int> const& m_sizes;
  int m_stride;
  std::vector<int> m_ascending;
  groups m_split;
  groups m_best;
  int m_fewest = 0;
};

/// Puts multiples of four first, which are in use in the most steps: partners at distance 2 need
/// two turns in each step in which another dimension is in use.
[[nodiscard]] std::vector<int> multiples_of_four_first(std::vector<int> const& sizes) {
  std::vector<int> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_partition(order,
                                [&](int a) { return sizes[static_cast<std::size_t>(a)] % 4 == 0; });
  return order;
}

}  // namespace

exchange_traffic traffic_of(exchange_schedule const& schedule) {
  auto const is_in_first_submesh = [&](int rank) {
    for (int a = 0; a < schedule.dimensions(); ++a)
      if (rank / schedule.weight(a) % schedule.size(a) >= schedule.stride()) return false;
    return true;
  };
  largest_messages messages(schedule);
  for (int rank = 0; rank < schedule.processors(); ++rank)
    if (schedule.has_virtual_nodes() || is_in_first_submesh(rank)) messages.add_processor(rank);
  return messages.sum();
}

groups best_groups(std::vector<int> const& sizes, int stride, std::source_location where) {
  if (stride != 2 && stride != 4)
    throw invalid_argument("best_groups: the stride of rings is 4 on a torus, 2 on a mesh", where);
  if (std::ranges::any_of(sizes, [](int size) { return size < 1; }))
    throw invalid_argument("best_groups: sizes are at least 1", where);
  if (sizes.size() < 3) return {};
  return split_search(sizes, stride).best();
}

exchange_found cheapest_exchange(topology const& network, std::source_location where) {
  using enum exchange_scheme;
  bool const as_printed = exchange_schedule::unsupported_reason(network, {.scheme = paper}).empty();
  auto const scheme = as_printed ? paper : virtual_nodes;
  exchange_choice const in_order{.scheme = scheme};
  auto const traffic = traffic_of(exchange_schedule(network, in_order, where));
  exchange_found cheapest{in_order, traffic, traffic};
  auto const consider = [&](exchange_choice const& other) {
    auto const found = traffic_of(exchange_schedule(network, other));
    if (found >= cheapest.traffic) return;
    cheapest.choice = other;
    cheapest.traffic = found;
  };
  auto const shape = *shape_of(network);
  if (shape.sizes.size() > 2) {
    exchange_choice in_groups{.scheme = scheme,
                              .groups = best_groups(shape.sizes, shape.wraps ? 4 : 2)};
    if (shape.wraps) in_groups.partner_order = multiples_of_four_first(shape.sizes);
    consider(in_groups);
  }
  if (shape.wraps) consider({.scheme = stride_2});
  return cheapest;
}

}  // namespace lockstep
