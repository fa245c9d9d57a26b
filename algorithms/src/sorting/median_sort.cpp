#include <lockstep/algorithms/sorting/median_sort.hpp>

#include <lockstep/detail/enumerator_names.hpp>

namespace lockstep {

std::string_view name_of(median_sort_route way) {
  return detail::shown_name(
      "median_sort_route", way,
      {{median_sort_route::direct, "direct"}, {median_sort_route::random, "random"}});
}

std::vector<std::size_t> detail::regular_indices(std::size_t elements, int processors) {
  std::vector<std::size_t> indices;
  if (elements == 0) return indices;
  auto const p = static_cast<std::size_t>(processors);
  for (std::size_t i = 1; i < p; ++i)
    indices.push_back(i * (elements / p) + i * (elements % p) / p);
  return indices;
}

std::vector<std::size_t> detail::middle_ranks(std::size_t samples, int processors) {
  std::vector<std::size_t> ranks;
  auto const p = static_cast<std::size_t>(processors);
  for (std::size_t i = 1; i < p; ++i) ranks.push_back((i * p - p / 2) * samples / (p * (p - 1)));
  return ranks;
}

}  // namespace lockstep
