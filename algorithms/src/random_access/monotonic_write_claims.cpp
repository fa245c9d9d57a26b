#include <lockstep/algorithms/random_access/monotonic_write.hpp>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/random_access/item_scan.hpp>
#include <lockstep/errors.hpp>

#include "random_access/monotone_claims.hpp"

namespace lockstep {

void detail::require_way_of_network(processor const& me, monotonic_way way) {
  if (way != monotonic_way::one_all_gather || reaches_anybody(me)) return;
  throw invalid_argument(
      fmt::format("monotonic write: one all-gather makes a schedule of sends between any "
                  "processors, and {} has no "
                  "links for it; take monotonic_way::scans",
                  me.topology().spec()));
}

extended<std::size_t> detail::first_address_behind(processor& me,
                                                   extended<std::size_t> const& first) {
  return item_scan(me, counted_in(me, with_identity<std::size_t>(copy_operator<std::size_t>{})),
                   first, prefix_kind::backward_exclusive);
}

std::vector<claim> monotonic_write_claims(int p, std::uint64_t n, std::uint64_t q,
                                          monotonic_way way) {
  bool const is_one = way == monotonic_way::one_all_gather;
  return monotone_claims(p, n, q).equal("startups",
                                        is_one ? "q + ceil(log2 p)" : startups_with_five_scans);
}

}  // namespace lockstep
