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

}  // namespace lockstep::textbook::detail
