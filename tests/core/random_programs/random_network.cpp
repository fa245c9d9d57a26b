#include "random_network.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/graph.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>
#include <lockstep/topologies/torus.hpp>

namespace reference {
namespace {

/// A network as users write their own: a ring with links two processors on as well.
class skipping_ring : public lockstep::topology {
 public:
  explicit skipping_ring(int processors) : m_size(processors) {}
  [[nodiscard]] int size() const override { return m_size; }
  [[nodiscard]] std::string spec() const override {
    return "a skipping ring of " + std::to_string(m_size);
  }
  [[nodiscard]] std::vector<lockstep::neighbour> neighbours(int rank) const override {
    return {{(rank + 1) % m_size, "next"}, {(rank + 2) % m_size, "next but one"}};
  }

 private:
  int m_size;
};

/// One to three dimensions of at most that many processors in all.
std::vector<int> random_sizes(dice& roll, int most_processors) {
  std::vector<int> sizes;
  int processors = 1;
  int const wanted = roll.between(1, 3);
  for (int dimension = 0; dimension < wanted; ++dimension) {
    int const most = std::min(most_processors / processors, 7);
    sizes.push_back(roll.between(1, most));
    processors *= sizes.back();
  }
  if (processors == 1) sizes.front() = roll.between(2, 6);
  return sizes;
}

/// A one-way ring, so that all can reach all, and some links across.
lockstep::graph random_graph(dice& roll, int most_processors) {
  int const processors = roll.between(2, std::min(most_processors, 12));
  std::set<lockstep::link> links;
  for (int rank = 0; rank < processors; ++rank) links.insert({rank, (rank + 1) % processors});
  for (int extra = roll.below(2 * processors); extra > 0; --extra) {
    int const from = roll.below(processors);
    int const to = roll.below(processors);
    if (from == to) continue;
    links.insert({from, to});
    if (roll.chance(50)) links.insert({to, from});
  }
  return lockstep::graph(processors, {links.begin(), links.end()});
}

}  // namespace

random_network make_network(dice& roll) {
  int const most = roll.chance(60) ? 5 : roll.chance(70) ? 9 : 24;
  int const dimension =
      roll.between(1, static_cast<int>(std::bit_width(static_cast<unsigned>(most))) - 1);
  auto const sizes = random_sizes(roll, most);
  switch (roll.below(10)) {
    case 0:
    case 1:
      return {std::make_shared<lockstep::torus>(sizes), sizes};
    case 2:
      return {std::make_shared<lockstep::mesh>(sizes), sizes};
    case 3:
    case 4:
      return {std::make_shared<lockstep::hypercube>(dimension), {}};
    case 5:
      return {std::make_shared<lockstep::shuffle_exchange>(dimension), {}};
    case 6:
      return {std::make_shared<lockstep::binary_tree>(std::max(2, dimension)), {}};
    case 7:
      return {std::make_shared<skipping_ring>(roll.between(3, std::max(3, most))), {}};
    case 8:
      return {std::make_shared<lockstep::graph>(random_graph(roll, most)), {}};
    default:
      break;
  }
  return {std::make_shared<lockstep::crossbar>(roll.between(2, most)), {}};
}

lockstep::machine_options make_options(dice& roll) {
  lockstep::machine_options options;
  using lockstep::ports;
  options.ports = roll.one_of(std::vector{ports::one, ports::one, ports::all, ports::per_pass});
  if (roll.chance(40))
    options.switching =
        roll.chance(40) ? lockstep::switching::neighbour : lockstep::switching::cut_through;
  options.packet = roll.one_of(std::vector<std::uint64_t>{1, 1, 1, 2, 8});
  options.word_bytes = roll.one_of(std::vector<std::size_t>{8, 8, 1, 3});
  // By no roll of its own, so that each seed keeps its program.
  options.count = options.word_bytes == 3 ? lockstep::words::bytes : lockstep::words::elements;
  return options;
}

}  // namespace reference
