#include <lockstep/algorithms/exchange/exchange_search.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>

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
          hosted.swap_step(phase, step);
        add_messages(hosted, rank, phase, step);
        bool const is_last = phase + 1 == m_schedule.phases().size() && step == steps;
        if (!of.in_rings && !is_last && (step % 2 == 0 || step == steps))
          for (auto& each : hosted.nodes()) each.layout = hosted.next_layout(each, phase, step);
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

[[nodiscard]] int ring_steps(std::vector<int> const& group, std::vector<int> const& sizes,
                             int stride) {
  auto const k = group.size();
  int steps = 0;
  for (std::size_t p = 1; p <= k; ++p) {
    auto const longest = sizes[static_cast<std::size_t>(group[std::max(p, k + 1 - p) - 1])];
    steps += (longest + stride - 1) / stride - 1;
  }
  return steps;
}

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

  void compare() {
    int steps = 0;
    for (auto const& group : m_split) {
      if (group.size() < 2) return;
      steps += ring_steps(group, m_sizes, m_stride);
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

/// Partners at distance 2 need two turns in each step in which a dimension is in use that is no
/// multiple of four, and the first in the order are in use in the most steps.
[[nodiscard]] std::vector<int> multiples_of_four_first(std::vector<int> const& sizes) {
  std::vector<int> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_partition(order,
                                [&](int a) { return sizes[static_cast<std::size_t>(a)] % 4 == 0; });
  return order;
}

}  // namespace

exchange_traffic traffic_of(topology const& network, exchange_schedule const& schedule) {
  largest_messages messages(schedule);
  for (int rank = 0; rank < network.size(); ++rank) {
    auto const at = schedule.hosted_by(rank).front();
    bool const is_in_first_submesh =
        std::ranges::all_of(at, [&](int coordinate) { return coordinate < schedule.stride(); });
    if (schedule.has_virtual_nodes() || is_in_first_submesh) messages.add_processor(rank);
  }
  return messages.sum();
}

groups best_groups(std::vector<int> const& sizes, int stride) {
  if (sizes.size() < 3) return {};
  return split_search(sizes, stride).best();
}

exchange_choice cheapest_exchange(topology const& network) {
  exchange_choice cheapest;
  auto least = traffic_of(network, exchange_schedule(network, cheapest));
  auto const consider = [&](exchange_choice const& other) {
    auto const traffic = traffic_of(network, exchange_schedule(network, other));
    if (traffic >= least) return;
    cheapest = other;
    least = traffic;
  };
  auto const shape = *shape_of(network);
  if (shape.sizes.size() > 2)
    consider({.groups = best_groups(shape.sizes, shape.wraps ? 4 : 2),
              .partner_order = multiples_of_four_first(shape.sizes)});
  if (shape.wraps) consider({.scheme = exchange_scheme::stride_2});
  return cheapest;
}

}  // namespace lockstep
