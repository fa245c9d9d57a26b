#include "simulation.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "index.hpp"

namespace as_printed {

namespace {

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

node moved(node x, along const& by) {
  x[index(by.dimension)] += by.offset;
  return x;
}

node moved_round(network const& on, node x, along const& by) {
  x = moved(std::move(x), by);
  auto& coordinate = x[index(by.dimension)];
  int const size = on.sizes[index(by.dimension)];
  coordinate = (coordinate + size) % size;
  return x;
}

exchange_rules rules_of(network const& on) {
  return on.wraps ? lockstep::textbook::torus_rules() : lockstep::textbook::mesh_rules();
}

lockstep::run_of<block_list> run(network const& on, exchange_rules const& printed,
                                 lockstep::machine_options const& options) {
  return on.machine(options).run([&](lockstep::processor& me) {
    block_list blocks;
    for (int destination = 0; destination < me.size(); ++destination)
      blocks.push_back({me.rank(), destination});
    return lockstep::textbook::exchange(me, std::move(blocks), printed);
  });
}

strays strays_of(network const& on, exchange_rules::line const& printed, int number, int side) {
  strays found;
  for (int rank = 0; rank < on.processors(); ++rank) {
    auto const x = on.at(rank);
    ++found.senders;
    auto const end = moved(x, printed(x, number));
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

}  // namespace as_printed
