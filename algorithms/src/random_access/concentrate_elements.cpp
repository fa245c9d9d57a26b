#include <lockstep/algorithms/random_access/concentrate_elements.hpp>

#include <functional>
#include <source_location>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/item_scan.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/errors.hpp>

#include "random_access/monotone_claims.hpp"

namespace lockstep {

void detail::require_room(processor const& me, bucket_layout const& layout, std::size_t before,
                          std::size_t own) {
  if (before + own <= layout.elements()) return;
  throw invalid_argument(fmt::format(
      "processor {} has {} elements behind {} of lower ranks, for {} addresses; take a layout of "
      "as many as there are elements",
      me.rank(), own, before, layout.elements()));
}

void detail::require_behind(processor const& me, std::optional<std::size_t> before,
                            std::size_t address) {
  if (!before || *before < address) return;
  throw invalid_argument(
      fmt::format("an element for address {} of processor {} comes behind one for {}: pointers "
                  "have to increase; take monotonic_write for equal ones",
                  address, me.rank(), *before));
}

std::size_t detail::elements_before(processor& me, std::size_t own, std::source_location where) {
  library_frame const frame(me, where);
  return item_scan(me, counted_in(me, monoid{std::size_t{0}, std::plus<std::size_t>{}}), own);
}

namespace {

/// The paper leaves one-to-one mappings to its companion.
constexpr char const* after_section_6 = "lockstep, of Shankar and Ranka 1997, section 6";

}  // namespace

std::vector<claim> concentrate_elements_claims(int p, std::uint64_t n, std::uint64_t q) {
  return monotone_claims(p, n, q, after_section_6).equal("startups", "q + 4 ceil(log2 p)");
}

std::vector<claim> distribute_elements_claims(int p, std::uint64_t n, std::uint64_t q) {
  return monotone_claims(p, n, q, after_section_6).equal("startups", "q + 3 ceil(log2 p)");
}

}  // namespace lockstep
