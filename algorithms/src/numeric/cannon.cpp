#include <lockstep/algorithms/numeric/cannon.hpp>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>

#include "numeric/torus_claims.hpp"

namespace lockstep {

void detail::require_blocks_of_product(char const* operation, product_shape const& blocks,
                                       std::size_t left, std::size_t right) {
  if (left == blocks.left() && right == blocks.right()) return;
  throw invalid_argument(fmt::format("{}: blocks of {} and {} elements are not {} x {} and {} x {}",
                                     operation, left, right, blocks.rows, blocks.inner,
                                     blocks.inner, blocks.columns));
}

void detail::throw_other_block(processor const& me, std::size_t came, std::size_t expected) {
  throw size_mismatch(
      fmt::format(
          "cannon: processor {} gets a block of {} elements in place of one of {}; pass blocks of "
          "as many elements as those of the neighbours",
          me.rank(), came, expected),
      {.rank = me.rank(), .step = me.now(), .phase = {}});
}

std::vector<claim> cannon_claims(int side, std::uint64_t packet, product_shape const& blocks,
                                 std::size_t n) {
  auto claims = claims_on_torus(side, packet, n);
  auto const left = packets_of(blocks.left(), packet);
  auto const right = packets_of(blocks.right(), packet);
  int const half_the_steps = side - 1 + side / 2;
  claims.from("lockstep, the schedule counted");
  std::string const steps = "2(q - 1) + 2 floor(q/2)";
  torus_steps counted{steps, 2.0 * half_the_steps, left, right};
  if (n > 0) counted.words = "(" + steps + ")m ceil(b^2/m)";
  add_steps(claims, counted);
  if (n == 0 || side == 1) return claims;
  claims.equal("shift_steps", "2(q - 1)")
      .equal("shift_words", "2(q - 1)m ceil(b^2/m)")
      .from("Cannon 1969")
      .at_most("shift_steps", "2q")
      .at_most("shift_words", "2n^2/sqrt p")
      .where("q divides n")
      .where("m divides the size of a block", blocks.left() % packet == 0);
  return claims;
}

}  // namespace lockstep
