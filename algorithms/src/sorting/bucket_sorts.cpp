#include <cstdint>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <lockstep/algorithms/sorting/detail/evened_out.hpp>
#include <lockstep/algorithms/sorting/detail/tagged.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

void detail::require_places(char const* of, processor const& me, std::size_t elements) {
  constexpr auto most = std::uint64_t{std::numeric_limits<std::uint32_t>::max()};
  if (elements > most)
    throw invalid_argument(fmt::format(
        "{}: processor {} has {} elements, and at most {} can be numbered; take more processors",
        of, me.rank(), elements, most));
}

detail::line_segment detail::own_segment(char const* of, processor const& me,
                                         std::span<std::uint64_t const> sizes, std::uint64_t n) {
  auto const all = std::reduce(sizes.begin(), sizes.end());
  if (all != n)
    throw invalid_argument(
        fmt::format("{}: the processors have {} elements together, not the {} that are given as n; "
                    "pass the number of elements of all processors",
                    of, all, n));
  auto const rank = static_cast<std::size_t>(me.rank());
  auto const before = sizes.first(rank);
  auto const first = std::reduce(before.begin(), before.end());
  return {first, first + sizes[rank]};
}

}  // namespace lockstep
