#include <lockstep/algorithms/sorting/column_sort.hpp>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

std::size_t column_sort_rows(int processors) {
  detail::require_processors("column_sort_rows", processors);
  auto const others = static_cast<std::size_t>(processors) - 1;
  return 2 * others * others;
}

std::size_t detail::rows_of_column_sort(std::size_t elements, int processors,
                                        column_sort_options const& options) {
  auto const p = static_cast<std::size_t>(processors);
  auto const rows = std::max(elements / p + (elements % p == 0 ? 0 : 1), options.rows);
  auto const least = column_sort_rows(processors);
  if (elements == 0 || rows >= least || options.below_bound) return rows;
  throw invalid_argument(
      fmt::format("column_sort: columns of {} elements on {} processors are too short to end "
                  "sorted whatever is in them, which takes 2(p - 1)^2 = {}; take {} elements, "
                  "fewer processors, rows = {} to fill columns up, or below_bound "
                  "to risk it",
                  rows, processors, least, p * least, least));
}

}  // namespace lockstep
