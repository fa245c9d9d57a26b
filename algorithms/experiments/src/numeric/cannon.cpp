#include <lockstep/algorithms/numeric/cannon.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/claim_list.hpp>

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

/// Counts the elements that a processor holds. What a C library gives back to the system at once, it keeps
/// of smaller blocks: those of the messages of a step.
[[nodiscard]] double held_by_cannon(product_sizes const& sizes) {
  constexpr std::size_t kept_below = (std::size_t{128} << 10U) / sizeof(double);
  bool const is_kept = sizes.blocks.left() < kept_below;
  return (is_kept ? 1.8 : 1.1) * sizes.of_three_blocks();
}

/// Claims T_p of n x n matrices in square blocks. The textbook aligns them first by two messages a processor,
/// which cut through; here blocks go from neighbour to neighbour.
void claim_time(experiment_result& result, int side, std::uint64_t packet, std::size_t n,
                std::size_t block) {
  auto const q = static_cast<std::size_t>(side);
  claim_list const letters({{{"p", static_cast<double>(q * q)},
                             {"q", side},
                             {"n", static_cast<double>(n)},
                             {"b", static_cast<double>(block)},
                             {"m", static_cast<double>(packet)}}});
  std::string const products = n % q == 0 ? "n^3/p" : "q b^3";
  claim_textbook_time(result, letters,
                      products + " + (2(q - 1) + 2 floor(q/2))(t_s + m ceil(b^2/m))");
  if (packet == 1)
    claim_textbook_order(result, letters, "8.2.2", "n^3/p + 2 sqrt p t_s + 2n^2/sqrt p");
}

[[nodiscard]] experiment_result run_cannon(experiment_request const& asked) {
  auto const with_room = with_room_for_libraries(asked);
  arguments const given(with_room);
  auto const grid = blocks_of_torus(given, 1);
  std::size_t n = 0;  // of square matrices
  std::size_t block = 0;
  auto result = run_product(
      given, grid, {static_cast<std::size_t>(grid.side)},
      []<class T>(processor& me, product_shape const& blocks, std::vector<T> left,
                  std::vector<T> right, auto const& multiply) {
        return cannon(me, blocks, std::move(left), std::move(right), multiply);
      },
      [&](product_sizes const& sizes) {
        n = sizes.n();
        block = sizes.blocks.rows;
        return cannon_claims(grid.side, packet_from(given), sizes.blocks, sizes.n());
      },
      held_by_cannon);
  for (auto const& phase : result.record.phases()) {
    if (phase.name != "shift") continue;
    result.figures["shift_steps"] = static_cast<std::int64_t>(phase.steps);
    result.figures["shift_words"] = static_cast<std::int64_t>(phase.words);
  }
  if (n > 0) claim_time(result, grid.side, packet_from(given), n, block);
  return result;
}

}  // namespace

experiment cannon_experiment() {
  return {
      .name = "cannon",
      .summary =
          "product of two matrices on a square torus, whose blocks go round; generated, or those "
          "of the files --input and --second (.npy), which the output file gets",
      .topologies = "torus (square)",
      .source = cannon_1969,
      .examples = {"torus:4x4", "torus:2x2", "torus:3x3", "torus:5x5"},
      .parameters = {size_of_matrices, packet_size, second_matrix},
      .takes_files = true,
      .run = run_cannon};
}

}  // namespace lockstep
