#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>

namespace lockstep {

namespace {

[[nodiscard]] bool has_tree(bdm_machine const& on) {
  return on.tau > 0 && on.packet > 0 && on.tau % on.packet == 0;
}

}  // namespace

scatter_options cheapest_scatter(bdm_machine const& on, std::size_t n, int root) {
  if (!has_tree(on)) return {.root = root};
  auto const k = tree_arity(on.tau, on.packet);
  auto const time = [&](int parts) {
    return time_of(piece_tree_counts(pieces(n, on.p), parts, root, on.packet), on.tau);
  };
  return {.k = time(k) < time(one_phase) ? k : one_phase, .root = root};
}

all_gather_options cheapest_all_gather(bdm_machine const& on, std::size_t n) {
  auto const time = [&](all_gather_options const& options) {
    auto const first_k = options.first_k == 0 ? options.k : options.first_k;
    return time_of(circulant_all_gather_counts(pieces(n, on.p), first_k, options.k, on.packet),
                   on.tau);
  };
  all_gather_options cheapest{};
  auto const consider = [&](all_gather_options const& other) {
    if (time(other) < time(cheapest)) cheapest = other;
  };
  if (n == static_cast<std::size_t>(on.p)) consider(in_two_phases(on.p, on.packet));
  if (has_tree(on)) consider({.k = tree_arity(on.tau, on.packet)});
  return cheapest;
}

}  // namespace lockstep
