#include "simulation.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "index.hpp"

namespace as_printed {

namespace {

/// What the processors do in one step.
struct planned_step {
  std::vector<std::optional<transmission>> sent;  ///< by sender
  std::vector<int> to;                            ///< by sender; may be network::outside
  std::vector<std::vector<int>> senders;          ///< by receiver
};

planned_step plan(network const& on, step const& printed) {
  auto const processors = index(on.processors());
  planned_step planned{{}, std::vector<int>(processors, network::outside), {}};
  planned.senders.resize(processors);
  for (int rank = 0; rank < on.processors(); ++rank) {
    auto const x = on.at(rank);
    planned.sent.push_back(printed(x));
    if (!planned.sent.back()) continue;
    int const to = on.rank_of(end_of(on, x, *planned.sent.back()));
    planned.to[index(rank)] = to;
    if (to != network::outside) planned.senders[index(to)].push_back(rank);
  }
  return planned;
}

/// Takes out of `held` what the transmission sends.
block_list taken_out(network const& on, int rank, transmission const& sent, block_list& held) {
  int const dimension = sent.dimension;
  auto const side = [&](int of) { return on.at(of)[index(dimension)] / std::abs(sent.offset); };
  auto const stays = [&, mine = side(rank)](block const& b) { return side(b.destination) == mine; };
  auto const first = std::stable_partition(held.begin(), held.end(), stays);
  block_list leaving(first, held.end());
  held.erase(first, held.end());
  return leaving;
}

void play(lockstep::processor& me, network const& on, planned_step const& planned,
          block_list& held) {
  if (auto const& sent = planned.sent[index(me.rank())]) {
    auto leaving = taken_out(on, me.rank(), *sent, held);
    int const to = planned.to[index(me.rank())];
    if (on.wraps && to != network::outside)
      me.send(lockstep::along{sent->dimension, sent->offset}, std::move(leaving));
    else
      me.send(to, std::move(leaving));
  }
  for (int const from : planned.senders[index(me.rank())]) {
    auto const came = me.receive<block>(from);
    held.insert(held.end(), came.begin(), came.end());
  }
}

bool same_submesh(node const& x, node const& y, int side) {
  return std::ranges::equal(x, y, [&](int a, int b) { return a / side == b / side; });
}

}  // namespace

int network::processors() const {
  return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
}

node network::at(int rank) const {
  node x(sizes.size());
  for (auto dimension = sizes.size(); dimension-- > 0; rank /= sizes[dimension])
    x[dimension] = rank % sizes[dimension];
  return x;
}

int network::rank_of(node const& x) const {
  int rank = 0;
  for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
    if (x[dimension] < 0 || x[dimension] >= sizes[dimension]) return outside;
    rank = rank * sizes[dimension] + x[dimension];
  }
  return rank;
}

lockstep::machine network::machine(lockstep::machine_options const& options) const {
  if (wraps) return lockstep::machine{lockstep::torus{sizes}, options};
  return lockstep::machine{lockstep::mesh{sizes}, options};
}

node end_of(network const& on, node const& x, transmission const& sent) {
  auto end = x;
  auto& coordinate = end[index(sent.dimension)];
  int const size = on.sizes[index(sent.dimension)];
  coordinate += sent.offset;
  if (sent.modulo) coordinate = (coordinate + size) % size;
  return end;
}

lockstep::run_of<block_list> run(network const& on, step_list const& printed,
                                 lockstep::machine_options const& options, alignment aligned) {
  std::vector<planned_step> planned;
  for (auto const& one : printed) planned.push_back(plan(on, one));
  return on.machine(options).run([&](lockstep::processor& me) {
    block_list held;
    for (int destination = 0; destination < me.size(); ++destination)
      held.push_back({me.rank(), destination});
    for (auto const& one : planned) {
      if (aligned == alignment::every_step) me.barrier();
      play(me, on, one, held);
    }
    return held;
  });
}

strays strays_of(network const& on, step const& printed, int side) {
  strays found;
  for (int rank = 0; rank < on.processors(); ++rank) {
    auto const x = on.at(rank);
    auto const sent = printed(x);
    if (!sent) continue;
    ++found.senders;
    auto const end = end_of(on, x, *sent);
    if (on.rank_of(end) == network::outside)
      ++found.out_of_network;
    else if (!same_submesh(x, end, side))
      ++found.out_of_submesh;
  }
  return found;
}

int misplaced(network const& on, std::vector<block_list> const& held, int side) {
  int found = 0;
  for (int rank = 0; rank < on.processors(); ++rank)
    for (auto const& one : held[index(rank)])
      if (!same_submesh(on.at(rank), on.at(one.destination), side)) ++found;
  return found;
}

way way_in_phase(node const& x, int phase) {
  for (auto k = x.size(); k > 2; --k) {
    int const unit = x[k - 1] % 4;
    auto const dimension = static_cast<int>(k) - 1;
    if (unit % 2 == 0 && phase == static_cast<int>(k)) return {dimension, unit == 0 ? 1 : -1};
    if (unit % 2 == 1 && phase == 1) return {dimension, unit == 1 ? 1 : -1};
    if (unit % 2 == 1) --phase;
  }
  int const sum = (x[0] + x[1]) % 4;
  bool const first = (sum % 2 == 0) == (phase == 1);  // along c in P(r, c), along x in P(x, y, ..)
  int const c_or_x = x.size() == 2 ? 1 : 0;
  return {first ? c_or_x : 1 - c_or_x, sum < 2 ? 1 : -1};
}

step_list ring_phases(network const& on) {
  int const longest = std::ranges::max(on.sizes) / 4 - 1;
  step_list rings;
  for (int phase = 1; phase <= static_cast<int>(on.sizes.size()); ++phase)
    for (int s = 1; s <= longest; ++s)
      rings.emplace_back([on, phase, s](node const& x) -> std::optional<transmission> {
        auto const [dimension, sign] = way_in_phase(x, phase);
        if (s > on.sizes[index(dimension)] / 4 - 1) return std::nullopt;
        return transmission{dimension, 4 * sign, true};
      });
  return rings;
}

step exchange_at_distance_2(int j) {
  return [j](node const& x) -> std::optional<transmission> {
    int const dimension = way_in_phase(x, j).dimension;
    return transmission{dimension, x[index(dimension)] % 4 < 2 ? 2 : -2, false};
  };
}

step exchange_at_distance_1(int dimension) {
  return [dimension](node const& x) -> std::optional<transmission> {
    return transmission{dimension, x[index(dimension)] % 2 == 0 ? 1 : -1, false};
  };
}

step_list torus_algorithm(network const& on) {
  auto all = ring_phases(on);
  auto const n = static_cast<int>(on.sizes.size());
  for (int j = 1; j <= n; ++j) all.push_back(exchange_at_distance_2(j));
  for (int dimension = 0; dimension < n; ++dimension)
    all.push_back(exchange_at_distance_1(dimension));
  return all;
}

}  // namespace as_printed
