#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>

namespace lockstep {

scatter_options cheapest_scatter(block_machine const& on, std::size_t n, int root) {
  auto const k = tree_arity(on.tau, on.packet);
  auto const time = [&](int parts) {
    return time_of(piece_tree_counts(pieces(n, on.p), parts, root, on.packet), on.tau);
  };
  return {.k = time(k) < time(one_phase) ? k : one_phase, .root = root};
}

all_gather_options cheapest_all_gather(block_machine const& on, std::size_t n) {
  auto const k = tree_arity(on.tau, on.packet);
  auto const time = [&](all_gather_options const& options) {
    auto const first_k = options.first_k == 0 ? options.k : options.first_k;
    return time_of(piece_cycle_counts(pieces(n, on.p), first_k, options.k, on.packet), on.tau);
  };
  all_gather_options cheapest{};
  auto const consider = [&](all_gather_options const& other) {
    if (time(other) < time(cheapest)) cheapest = other;
  };
  if (n == static_cast<std::size_t>(on.p)) consider(in_two_phases(on.p, on.packet));
  consider({.k = k});
  return cheapest;
}

}  // namespace lockstep
