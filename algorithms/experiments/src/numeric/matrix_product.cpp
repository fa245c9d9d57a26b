#include <lockstep/algorithms/numeric/matrix_product.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "harness/bdm_parameters.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "network_kind.hpp"
#include "numeric/numeric_machine.hpp"
#include "numeric/product_problem.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter form_of_product{
    "form", "a (products A_ik B_kj, added up over k) or b (products A_ij B_jk, added up over j)",
    std::array{named_choice{"a", product_form::a}, named_choice{"b", product_form::b}}};

constexpr choice_parameter way_of_blocks{
    "way",
    "how blocks go: cheapest (in pieces or whole, by trees of the best k) or paper (in pieces, k = "
    "tau/m + 1)",
    std::array{named_choice{"cheapest", true}, named_choice{"paper", false}}};

/// q for a crossbar of q^3 processors. Errors: invalid_argument for another network.
[[nodiscard]] int side_of_cube(arguments const& given) {
  auto const cube = [](std::int64_t side) { return side * side * side; };
  int side = 1;
  while (cube(side + 1) <= given.processors()) ++side;
  if (is<crossbar>(given.network()) && cube(side) == given.processors()) return side;
  throw invalid_argument(
      fmt::format("{} is not a crossbar of q x q x q processors; take crossbar:{} or crossbar:{}",
                  given.network().spec(), cube(side), cube(side + 1)));
}

[[nodiscard]] experiment_result run_matrix_product(experiment_request const& asked) {
  auto const with_room = with_room_for_libraries(asked);
  arguments const given(with_room);
  auto const q = side_of_cube(given);
  bdm_machine const on{given.processors(), given[latency], packet_from(given)};
  auto const form = given[form_of_product];
  auto const printed_k = arity_from(on);
  auto const choice_for = [&](product_shape const& blocks) {
    if (given[way_of_blocks]) return choose_product_way(on, blocks, form);
    return product_choice{.options = {form, printed_k, false}};
  };
  product_choice taken;
  block_grid const grid{q, 1, [q](int rank) { return rank % q == 0 ? rank / q : -1; }};
  auto result = run_product(
      given, grid, {.products = 1, .are_summed = true},
      [&]<class T>(processor& me, product_shape const& blocks, std::vector<T> left,
                   std::vector<T> right, auto const& multiply) {
        return matrix_product<T>(me, blocks, left, right, choice_for(blocks).options, multiply);
      },
      [&](product_sizes const& sizes) {
        taken = choice_for(sizes.blocks);
        auto const& options = taken.options;
        if (sizes.n() > 0 || sizes.whole.rows == 0)
          return matrix_product_claims(on, sizes.n(), options);
        return matrix_product_claims(on, sizes.blocks, options);
      },
      [q](product_sizes const& sizes) {
        // Those that have the factors hold their blocks twice more.
        auto const factors = static_cast<double>(sizes.blocks.left() + sizes.blocks.right());
        return 1.1 * sizes.of_three_blocks() + 2 * factors / q;
      });
  result.figures["k"] = std::int64_t{std::min(taken.options.k, std::max(q, 2))};
  if (given[way_of_blocks]) result.figures["way"] = text_of(taken);
  return result;
}

}  // namespace

experiment matrix_product_experiment() {
  return {.name = "matrix-product",
          .summary =
              "product of two matrices on q x q x q processors; generated, or those of the files "
              "--input and --second (.npy), which the output file gets",
          .topologies = "crossbar (cubes)",
          .source = cited(jaja_ryu_1994, "section 5.3"),
          .examples = {"crossbar:8", "crossbar:27", "crossbar:64"},
          .parameters = {size_of_matrices, form_of_product, way_of_blocks, latency, packet_size,
                         second_matrix},
          .takes_files = true,
          .run = run_matrix_product};
}

}  // namespace lockstep
