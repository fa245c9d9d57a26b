#include <lockstep/algorithms/sorting/median_sort.hpp>

#include <lockstep/detail/enumerator_check.hpp>

namespace lockstep {

std::string_view name_of(median_sort_route way) {
  switch (way) {
    case median_sort_route::direct:
      return "direct";
    case median_sort_route::random:
      return "random";
  }
  detail::throw_no_such_value("median_sort_route", static_cast<std::uint64_t>(way),
                              {"median_sort_route::direct", "median_sort_route::random"});
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
