#include <lockstep/algorithms/numeric/summa.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/claim.hpp>
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
#include "numeric/torus_claims.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter panels_of_block{
    "panels", "s, into which each block is cut: more of them go round in more and smaller messages",
    1, 1, 1024};

/// Claims T_p beside that of textbooks, for which this is put together: q rounds, of two one-to-all broadcasts
/// each among the q processors of a row and of a column, (t_s + t_w b^2) log2 q, and of a local product. Rings
/// take 6(q - 1) steps of a block in all (4 for q = 2) instead of 2q log2 q, more of them for 4 x 4 processors
/// only, while their slots have products of some processors each, so that 4(q - 1) of these count (3 for q = 2)
/// instead of q.
void claim_time_beside_textbooks(experiment_result& result, formula_letters const& letters,
                                 int side, std::uint64_t packet, std::size_t n, int panels) {
  auto const q = static_cast<unsigned>(side);
  bool const is_of_textbooks =
      q > 1 && std::has_single_bit(q) && n % q == 0 && panels == 1 && packet == 1;
  if (!is_of_textbooks) return;
  claim_textbook_bounds(result, claim_list(letters),
                        {"4(n^3/p + 2 sqrt p (t_s + n^2/p) log2 sqrt p)",
                         "4n^3/p + 9/4 sqrt p (t_s + n^2/p) log2 sqrt p"},
                        {{"sqrt p a power of two"}, {"sqrt p divides n"}, {"s = 1"}, {"m = 1"}});
}

/// Claims the multiply-adds on the critical path, and T_p with them, of n x n matrices in square blocks.
/// Panels come to processors one after another, and so do the products, some of them in slots in which others
/// have none.
void claim_work_and_time(experiment_result& result, int side, std::uint64_t packet, std::size_t n,
                         product_shape const& blocks, int panels) {
  formula_letters const letters{{{"p", static_cast<double>(side) * side},
                                 {"q", side},
                                 {"n", static_cast<double>(n)},
                                 {"b", static_cast<double>(blocks.rows)},
                                 {"w", static_cast<double>(blocks.inner)},
                                 {"s", panels},
                                 {"m", static_cast<double>(packet)}}};
  std::string const products = side == 1 ? "s" : side == 2 ? "(4s - 1)" : "2(s q + q - 2)";
  std::string const work = products + " b^2 w/s";
  std::string const steps = steps_of_summa(side);
  std::vector<claim> const claimed =
      claim_list(letters).from("lockstep, the schedule counted").equal("work", work);
  result.claims.insert(result.claims.end(), claimed.begin(), claimed.end());
  claim_textbook_time(result, claim_list(letters),
                      work + " + " + steps + "(t_s + m ceil(b w/(s m)))");
  claim_time_beside_textbooks(result, letters, side, packet, n, panels);
}

[[nodiscard]] experiment_result run_summa(experiment_request const& asked) {
  auto const with_room = with_room_for_libraries(asked);
  arguments const given(with_room);
  auto const panels = given[panels_of_block];
  summa_options const options{static_cast<int>(panels)};
  auto const grid = blocks_of_torus(given, panels);
  product_shape dealt_out{};
  std::size_t n = 0;  // of square matrices
  auto result = run_product(
      given, grid, {.products = 0},
      [&]<class T>(processor& me, product_shape const& blocks, std::vector<T> left,
                   std::vector<T> right, auto const& multiply) {
        return summa<T>(me, blocks, left, right, options, multiply);
      },
      [&](product_sizes const& sizes) {
        dealt_out = sizes.blocks;
        n = sizes.n();
        return summa_claims(grid.side, packet_from(given), sizes.blocks, n, options);
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
  if (n > 0)
    claim_work_and_time(result, grid.side, packet_from(given), n, dealt_out, options.panels);
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
