#include <lockstep/algorithms/random_access/generalize.hpp>

#include <source_location>

#include <source_location>

#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/random_access/detail/latest_operator.hpp>
#include <lockstep/algorithms/random_access/item_scan.hpp>
#include <lockstep/detail/library_frame.hpp>

#include "random_access/monotone_claims.hpp"

namespace lockstep {

std::optional<std::size_t> detail::last_pointer_before(processor& me,
                                                       std::span<std::size_t const> pointers,
                                                       std::source_location where) {
  library_frame const frame(me, where);
  extended<std::size_t> first;
  extended<std::size_t> last;
  me.work(pointers.size());
  for (auto const pointer : pointers) {
    if (pointer == no_pointer) continue;
    if (!first.is_there) first = pointer;
    last = pointer;
  }
  auto const before =
      item_scan(me, counted_in(me, with_identity<std::size_t>(latest_operator<std::size_t>{})),
                last)
          .as_optional();
  require_sorted_ranks(me, before, first.as_optional());
  return before;
}

std::vector<claim> generalize_claims(int p, std::uint64_t n, std::uint64_t q) {
  return monotone_claims(p, n, q).equal("startups", startups_with_five_scans);
}

}  // namespace lockstep
