// All shortest paths by Floyd and Warshall on a mesh of q x q processors, each with a block of n/q x n/q distances. In
// step k those that hold row k broadcast it down the columns, those that hold column k along the rows, and all relax
// their block. The counts, and the time T_p that textbooks have, are claims, which the run is judged by.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <vector>

#include <lockstep/lockstep.hpp>

namespace {

constexpr std::size_t nodes = 48, side = 4, each = nodes / side;  // n, q and n/q
constexpr int far = 1'000'000;

using distances = std::vector<int>;

/// The length of the edge from one node to another: about one in six is there.
int edge(std::size_t from, std::size_t to) {
  if (from == to) return 0;
  auto const mixed = (from * 2'654'435'761U + to * 40'503U) % 997U;
  return mixed % 6 == 0 ? static_cast<int>(1 + mixed % 50) : far;
}

/// Relaxes a block by the paths through one node: from each of its rows to that, and on to each of its columns.
void relax(distances& block, distances const& to_node, distances const& from_node) {
  for (std::size_t row = 0; row < to_node.size(); ++row)
    for (std::size_t column = 0; column < from_node.size(); ++column) {
      auto& distance = block[row * from_node.size() + column];
      distance = std::min(distance, to_node[row] + from_node[column]);
    }
}

/// Computes the block of a processor.
distances shortest_paths(lockstep::processor& me) {
  auto row = me.row();        // the processors beside this one
  auto column = me.column();  // those above and below
  auto const place = me.topology().coordinates(me.rank());
  auto const first_row = static_cast<std::size_t>(place[0]) * each;
  auto const first_column = static_cast<std::size_t>(place[1]) * each;
  distances block;
  for (std::size_t i = 0; i < each * each; ++i)
    block.push_back(edge(first_row + i / each, first_column + i % each));

  for (std::size_t node = 0; node < nodes; ++node) {
    int const holder = static_cast<int>(node / each);
    auto const at = node % each;
    distances from_node(
        each);  // its row of distances, as far as this column of processors holds it
    distances to_node(each);
    for (std::size_t i = 0; i < each; ++i) from_node[i] = block[at * each + i];
    for (std::size_t i = 0; i < each; ++i) to_node[i] = block[i * each + at];
    lockstep::broadcast(column, from_node, {.scheme = "binomial", .root = holder});
    lockstep::broadcast(row, to_node, {.scheme = "binomial", .root = holder});
    relax(block, to_node, from_node);
    me.work(each * each);  // a path compared with another
  }
  return block;
}

/// Claims the counts, and T_p = n^3/p + n log p (t_s + t_w n/sqrt p) with t_s = 100 and t_w = 1.
std::vector<lockstep::claim> claims_of_floyd_warshall() {
  double const tau = 100;
  lockstep::block_distributed_model const model{.tau_words = tau, .operation_words = 1};
  return lockstep::claim_list({{{"n", nodes}, {"p", side * side}, {"tau", tau}}})
      .from("textbooks, with binomial broadcasts")
      .equal("steps, startups", "n log2 p")
      .equal("words", "n^2 log2 p/sqrt p")
      .equal("work", "n^3/p")
      .equal("operations", "n^3")
      .equal("time", "n^3/p + n log2 p (tau + n/sqrt p)")
      .priced_by(model);
}

}  // namespace

int main() {
  lockstep::machine machine{"mesh:4x4", {.strict = true}};
  auto const run = machine.run(shortest_paths);

  distances whole;
  for (std::size_t i = 0; i < nodes * nodes; ++i) whole.push_back(edge(i / nodes, i % nodes));
  for (std::size_t node = 0; node < nodes; ++node)
    for (std::size_t i = 0; i < nodes * nodes; ++i)
      whole[i] =
          std::min(whole[i], whole[i / nodes * nodes + node] + whole[node * nodes + i % nodes]);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < nodes * nodes; ++i) {
    auto const row = i / nodes;
    auto const column = i % nodes;
    auto const& block = run.results()[row / each * side + column / each];
    if (block[row % each * each + column % each] == whole[i]) ++equal;
  }
  std::cout << equal << " of " << nodes * nodes << " distances as one processor computes them\n";

  bool all_hold = equal == nodes * nodes;
  for (auto const& claimed : claims_of_floyd_warshall()) {
    auto const measured = measured_for(claimed, run.counts());
    std::cout << claimed.figure << " = " << claimed.formula << " = " << claimed.value() << ": "
              << measured << " measured\n";
    all_hold = all_hold && holds(claimed, run.counts());
  }
  return all_hold ? 0 : 1;
}

// prints: 2304 of 2304 distances as one processor computes them
// prints: steps = n log2 p = 192: 192 measured
// prints: startups = n log2 p = 192: 192 measured
// prints: words = n^2 log2 p/sqrt p = 2304: 2304 measured
// prints: work = n^3/p = 6912: 6912 measured
// prints: operations = n^3 = 110592: 110592 measured
// prints: time = n^3/p + n log2 p (tau + n/sqrt p) = 28416: 28416 measured
