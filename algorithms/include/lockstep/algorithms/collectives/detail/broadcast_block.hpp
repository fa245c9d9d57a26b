#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/block_tree.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The rule of a scheme, without the names.
struct scheme_rule {
  bool in_pieces = false;  ///< or whole, along a tree
  int k = one_phase;
  piece_sizes sizes = piece_sizes::even;
};

[[nodiscard]] scheme_rule rule_for(collective_options const& options, std::size_t elements);

/// The root deals out the pieces, and all processors gather them.
template <payload_element T>
void broadcast_in_pieces(processor& me, std::span<T> block, pieces const& of,
                         scatter_options const& options) {
  me.phase("scatter");
  auto const mine = scatter_pieces<T>(me, block, of, options);
  me.phase("all-gather");
  auto const all =
      all_gather_pieces(me, std::span<T const>(mine), of, {.k = options.k, .how = options.how},
                        piece_labels::from(options.root));
  std::ranges::copy(all, block.begin());
}

/// Broadcasts a block by a scheme of a crossbar.
template <payload_element T>
[[gnu::noinline]] void broadcast_on_crossbar(processor& me, std::span<T> block,
                                             collective_scheme scheme,
                                             collective_options const& options) {
  if (goes_at_once(me, scheme, options.how))
    return broadcast_in_phases_at_once(me, scheme, options.root, block);
  auto const rule = rule_for(options, block.size());
  if (!rule.in_pieces) {
    me.phase("broadcast");
    broadcast_along_tree(me, options.how, rule.k, options.root, block);
    return;
  }
  broadcast_in_pieces(me, block, pieces(block.size(), me.size(), rule.sizes),
                      {.k = rule.k, .root = options.root, .how = options.how});
}

/// Broadcasts a block, where the line of the program that called is noted.
template <payload_element T, std::size_t Extent>
[[gnu::always_inline]] inline void broadcast_block(processor& me, std::span<T, Extent> block,
                                                   collective_options const& options) {
  auto const scheme =
      checked_scheme(me, collective_operation::broadcast, options, block.size(), true);
  if (is_of_crossbar(scheme))
    return broadcast_on_crossbar(me, std::span<T>(block), scheme, options);
  me.barrier();
  broadcast_on_network(network_call(me, scheme, options.root), block);
}

}  // namespace lockstep::detail
