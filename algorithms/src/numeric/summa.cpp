#include <lockstep/algorithms/numeric/summa.hpp>

#include <limits>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>

#include "numeric/torus_claims.hpp"

namespace lockstep {

void detail::require_panels(product_shape const& blocks, summa_options const& options) {
  if (options.panels >= 1 && blocks.inner % static_cast<std::size_t>(options.panels) == 0) return;
  throw invalid_argument(
      fmt::format("summa: {} panels do not divide the {} columns of a block of A; give a divisor",
                  options.panels, blocks.inner));
}

std::vector<claim> summa_claims(int side, std::uint64_t packet, product_shape const& blocks,
                                std::size_t n, summa_options const& options) {
  auto claims = claims_on_torus(side, packet, n);
  detail::require_panels(blocks, options);
  claims.with("s", options.panels).with("w", static_cast<double>(blocks.inner));
  auto const panels = static_cast<std::size_t>(options.panels);
  if (options.panels > std::numeric_limits<int>::max() / (2 * side))
    throw invalid_argument(fmt::format("summa: {} panels for each of {} processors are too many",
                                       options.panels, side));
  detail::panel_schedule const schedule(side, options.panels);
  std::string const steps = steps_of_summa(side);
  claims.from("lockstep, the schedule counted");
  torus_steps counted{steps, 2.0 * schedule.slots(), packets_of(blocks.left() / panels, packet),
                      packets_of(blocks.right() / panels, packet)};
  if (n > 0) counted.words = "(" + steps + ")m ceil(b w/(s m))";
  add_steps(claims, counted);
  if (n == 0 || side == 1) return claims;
  claims.from("van de Geijn and Watts 1997, with many panels")
      .compare("words", comparison::order, "2n^2/sqrt p");
  return claims;
}

}  // namespace lockstep
