#include <lockstep/algorithms/sorting/merge.hpp>

#include <fmt/format.h>

#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

std::string_view name_of(merge_lists lists) {
  return detail::shown_name("merge_lists", lists,
                            {{merge_lists::half, "half"}, {merge_lists::whole, "whole"}});
}

void detail::throw_not_sorted() {
  throw invalid_argument(
      "a list is not sorted, or a set before its last one has fewer than k elements; sort each "
      "list, "
      "and deal it out in sets of k");
}

void detail::require_set(char const* of, std::size_t elements, std::size_t k, int rank) {
  if (elements <= k) return;
  throw invalid_argument(
      fmt::format("{}: processor {} has a set of {} elements, more than k = {}; give the same k "
                  "everywhere, that of the largest set",
                  of, rank, elements, k));
}

void detail::require_halves(processor const& me) {
  if (detail::dimensions_to_merge(me) > 0) return;
  throw invalid_argument(
      "merge: hypercube:0 has one processor, and each list needs half of them; take hypercube:1, "
      "for example, or give both lists to every processor");
}

}  // namespace lockstep
