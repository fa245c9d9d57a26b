#include <lockstep/algorithms/collectives/detail/circulant_all_gather.hpp>

namespace lockstep::detail {

std::vector<int> growth_of_pieces(int p, int first_k, int k) {
  std::vector<int> growth{1};
  for (std::int64_t had = 1; had < p;) {
    had = std::min<std::int64_t>(had * (had == 1 ? first_k : k), p);
    growth.push_back(static_cast<int>(had));
  }
  return growth;
}

std::vector<cycle_round> rounds_of_phase(int p, int had, int then) {
  std::vector<cycle_round> rounds;
  for (std::int64_t shift = had; shift < then; shift += had)
    rounds.push_back({rounds.size(), static_cast<int>(shift),
                      static_cast<int>(std::min<std::int64_t>(had, p - shift)), had});
  return rounds;
}

}  // namespace lockstep::detail
