#include <lockstep/algorithms/sorting/column_sort.hpp>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

std::size_t column_sort_rows(int processors, std::source_location where) {
  detail::require_processors("column_sort_rows", processors, where);
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
      fmt::format("column_sort: columns of {} elements on {} processors may end unsorted; columns "
                  "of 2(p - 1)^2 = {} never do; take {} elements or fewer processors, fill columns "
                  "up to that length, or allow shorter ones: --below-bound on the command line, "
                  "below_bound in C++",
                  rows, processors, least, p * least));
}

void detail::throw_other_column(processor const& me, std::size_t came, std::size_t expected) {
  throw size_mismatch(fmt::format("processor {} gets {} elements where {} belong: take in what was "
                                  "sent before the call, and pass the same n on every processor",
                                  me.rank(), came, expected),
                      {.rank = me.rank(), .step = me.now(), .phase = {}});
}

}  // namespace lockstep
