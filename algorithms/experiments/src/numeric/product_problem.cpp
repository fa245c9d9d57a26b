#include "numeric/product_problem.hpp"

#include <cstddef>
#include <vector>

#include <lockstep/claim_list.hpp>

namespace lockstep {

std::vector<claim> claims_of_multiply_adds(product_sizes const& sizes, int side, int processors,
                                           products_in_turn in_turn) {
  auto const n = sizes.n();
  auto const& [b, inner, columns] = sizes.blocks;
  if (n == 0 || inner != b) return {};
  claim_list claims({{{"p", processors},
                      {"q", side},
                      {"n", static_cast<double>(n)},
                      {"b", static_cast<double>(b)}}});
  bool const is_divided = n % static_cast<std::size_t>(side) == 0;
  if (in_turn.are_summed)
    return claims.from("lockstep, multiply-adds and additions counted")
        .equal("operations", is_divided ? "n^3 + (q - 1)n^2" : "q^3 b^3 + (q - 1)q^2 b^2")
        .at_most("work", is_divided ? "n^3/p + (q - 1)n^2/q^2" : "b^3 + (q - 1)b^2");
  claims.from("lockstep, the multiply-adds counted")
      .equal("operations", is_divided ? "n^3" : "q^3 b^3");
  if (in_turn.products == 0) return claims;
  return claims.equal("work", is_divided ? "n^3/p" : in_turn.products == 1 ? "b^3" : "q b^3");
}

}  // namespace lockstep
