#include <lockstep/algorithms/routing/h_relation.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

void detail::throw_bin_too_large(int rank, int step, std::size_t bin, std::size_t elements,
                                 block_rule rule, std::uint64_t slots) {
  auto const* const limit = step == 2 ? "sent" : "received";
  auto const* const mend = rule == block_rule::bound || rule == block_rule::exact
                               ? "raise the limits to what is sent and received"
                               : "take the blocks \"bound\", in which every bin fits";
  throw invalid_argument(fmt::format(
      "h_relation: bin {} of processor {} in Step ({}) has {} elements, and a block \"{}\" of {} "
      "slots has room for {}, by the limit on elements {}; {}",
      bin, rank, step, elements, name_of(rule), slots, room_in(rule, slots), limit, mend));
}

}  // namespace lockstep
