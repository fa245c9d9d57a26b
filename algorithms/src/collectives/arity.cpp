#include <lockstep/algorithms/collectives/arity.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

int tree_arity(std::uint64_t tau, std::uint64_t packet, std::source_location where) {
  if (packet == 0)
    throw invalid_argument("a packet of 0 words carries nothing; give at least 1", where);
  if (tau == 0 || tau % packet != 0)
    throw invalid_argument(
        fmt::format("tau = {} is not a whole number of packets of {} words, at least one, which a "
                    "k-ary tree is "
                    "made for (k = tau/m + 1); give tau {}, say",
                    tau, packet, tau < packet ? packet : tau - tau % packet),
        where);
  auto const most = static_cast<std::uint64_t>(one_phase) - 1;
  return static_cast<int>(std::min(tau / packet, most) + 1);
}

bool is_power_of(std::int64_t k, int p, std::source_location where) {
  if (k < 2) throw invalid_argument(fmt::format("powers of {} do not grow; give k >= 2", k), where);
  std::int64_t power = 1;
  while (power < p) power *= k;
  return power == p;
}

int tree_phases(int p, int k, std::source_location where) {
  if (p < 1)
    throw invalid_argument(fmt::format("{} processors have no tree; give 1 or more", p), where);
  detail::require_arity("tree", k, where);
  int phases = 0;
  for (std::int64_t reached = 1; reached < p; reached *= k) ++phases;
  return phases;
}

void detail::require_arity(char const* operation, int k, std::source_location where) {
  if (k < 2)
    throw invalid_argument(
        fmt::format("{}: a tree cuts into k >= 2 parts, not {}; tree_arity(tau, m) tells the best",
                    operation, k),
        where);
}

void detail::require_root(char const* operation, int root, int processors) {
  if (root < 0 || root >= processors)
    throw invalid_rank(fmt::format("{}: there is no processor {} to be the root, only 0 to {}",
                                   operation, root, processors - 1),
                       incident{});
}

}  // namespace lockstep
