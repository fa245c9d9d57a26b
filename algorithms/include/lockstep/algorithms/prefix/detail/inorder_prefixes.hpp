#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/detail/relayed_prefixes.hpp>
#include <lockstep/options.hpp>
#include <lockstep/topologies/hypercube.hpp>

namespace lockstep::detail {

/// Section 2.2: k prefixes on the inorder tree in a hypercube. The last processor is not a
/// node of it, and gets the sums of all nodes from the root.
template <class Monoid>
[[nodiscard]] std::vector<typename Monoid::value_type> inorder_prefixes(
    processor& me, hypercube const& cube, directed<Monoid> const& plus,
    std::span<typename Monoid::value_type const> x, ports with) {
  using value = typename Monoid::value_type;
  std::vector<value> before(x.size(), plus.identity());
  if (cube.dimension() > 0) {
    auto const tree = embedding::inorder(cube.dimension());
    auto const role = [&](int rank) { return plus.role(rank, cube.size()); };
    if (!tree.has(role(me.rank()))) {
      for (auto& each : before) each = me.receive_value<value>(role(tree.root()));
    } else {
      embedded_node node(tree, role(me.rank()), role);
      if (node.is_root()) node.above_root = role(cube.size() - 1);
      relayed_prefixes<Monoid> passes(me, node, plus, x);
      passes.run(with);
      for (std::size_t i = 0; i < x.size(); ++i) before[i] = passes.before(i);
    }
  }
  if (plus.is_inclusive())
    for (std::size_t i = 0; i < x.size(); ++i) before[i] = plus(before[i], x[i]);
  return before;
}

}  // namespace lockstep::detail
