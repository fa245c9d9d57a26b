#include <lockstep/algorithms/numeric/summa.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/claim_list.hpp>
#include <lockstep/formula.hpp>

#include "harness/bdm_parameters.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "numeric/numeric_machine.hpp"
#include "numeric/product_problem.hpp"
#include "numeric/square_torus.hpp"
#include "numeric/textbook_time.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter panels_of_block{
    "panels", "s, into which each block is cut: more of them go round in more and smaller messages",
    1, 1, 1024};

/// Claims the multiply-adds on the critical path, and T_p with them, of n x n matrices in square blocks.
/// Panels come to processors one after another, and so do the products, some of them in slots in which others
/// have none.
void claim_work_and_time(experiment_result& result, int side, std::uint64_t packet,
                         product_shape const& blocks, int panels) {
  formula_letters const letters{{{"q", side},
                                 {"b", static_cast<double>(blocks.rows)},
                                 {"w", static_cast<double>(blocks.inner)},
                                 {"s", panels},
                                 {"m", static_cast<double>(packet)}}};
  std::string const products = side == 1 ? "s" : side == 2 ? "(4s - 1)" : "2(s q + q - 2)";
  std::string const work = products + " b^2 w/s";
  std::string const steps = side == 1 ? "0" : side == 2 ? "2s q" : "2(s q + 2q - 3)";
  std::vector<claim> const claimed =
      claim_list(letters).from("lockstep, the schedule counted").equal("work", work);
  result.claims.insert(result.claims.end(), claimed.begin(), claimed.end());
  claim_textbook_time(result, claim_list(letters),
                      work + " + " + steps + "(t_s + m ceil(b w/(s m)))");
}

[[nodiscard]] experiment_result run_summa(experiment_request const& asked) {
  auto const with_room = with_room_for_libraries(asked);
  arguments const given(with_room);
  auto const panels = given[panels_of_block];
  summa_options const options{static_cast<int>(panels)};
  auto const grid = blocks_of_torus(given, panels);
  product_shape dealt_out{};
  bool is_square = false;
  auto result = run_product(
      given, grid, {.products = 0},
      [&]<class T>(processor& me, product_shape const& blocks, std::vector<T> left,
                   std::vector<T> right, auto const& multiply) {
        return summa<T>(me, blocks, left, right, options, multiply);
      },
      [&](product_sizes const& sizes) {
        dealt_out = sizes.blocks;
        is_square = sizes.n() > 0;
        return summa_claims(grid.side, packet_from(given), sizes.blocks, sizes.n(), options);
      },
      [&](product_sizes const& sizes) {
        // Both factors' blocks a second time, in panels, and panels that wait for those of the other
        // factor: on average those of a third of a ring.
        auto const& blocks = sizes.blocks;
        auto const panel = static_cast<double>(std::max(blocks.left(), blocks.right())) /
                           static_cast<double>(options.panels);
        return 1.05 * (2 * sizes.of_three_blocks() - static_cast<double>(blocks.result()) +
                       panel * grid.side / 3);
      });
  if (is_square)
    claim_work_and_time(result, grid.side, packet_from(given), dealt_out, options.panels);
  return result;
}

}  // namespace

experiment summa_experiment() {
  return {.name = "summa",
          .summary =
              "product of two matrices on a square torus, by panels broadcast in pipelined rings; "
              "generated, or those of the files --input and --second (.npy), which the output file "
              "gets",
          .topologies = "torus (square)",
          .source = van_de_geijn_watts_1997,
          .examples = {"torus:4x4", "torus:2x2", "torus:3x3", "torus:5x5"},
          .parameters = {size_of_matrices, panels_of_block, packet_size, second_matrix},
          .takes_files = true,
          .run = run_summa};
}

}  // namespace lockstep
