#include <lockstep/algorithms/textbook/detail/collective_parts.hpp>

#include <bit>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::textbook::detail {

void require_power_of_two(processor const& me, char const* function, std::source_location where) {
  auto const p = static_cast<unsigned>(me.size());
  if (std::has_single_bit(p)) return;
  throw invalid_argument(fmt::format("{}: {} processors are not a power of two; take {} or {}",
                                     function, p, std::bit_floor(p), std::bit_ceil(p)),
                         where);
}

void require_pieces(char const* function, pieces const& of, std::size_t elements, int processors) {
  if (of.elements() != elements || of.count() != processors)
    throw invalid_argument(fmt::format(
        "{}: {} pieces of {} elements, for {} processors with {} elements; pass a piece "
        "of them for each processor",
        function, of.count(), of.elements(), processors, elements));
}

void require_lists(char const* function, std::size_t lists, processor const& me,
                   std::source_location where) {
  if (lists != static_cast<std::size_t>(me.size()))
    throw invalid_argument(fmt::format("{}: {} lists for {} processors; pass one for each",
                                       function, lists, me.size()),
                           where);
}

void throw_blocks_differ(processor const& me, std::size_t left, std::size_t right) {
  throw size_mismatch(
      fmt::format("textbook: blocks of {} and of {} elements are to be combined; pass as many "
                  "elements on every processor",
                  left, right),
      {.rank = me.rank(), .step = me.now(), .phase = {}});
}

}  // namespace lockstep::textbook::detail
