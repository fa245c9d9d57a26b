#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/numeric/detail/show_blocks.hpp>
#include <lockstep/algorithms/numeric/detail/torus_square.hpp>
#include <lockstep/algorithms/numeric/local_product.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Errors: invalid_argument unless a processor has blocks of these sizes.
void require_blocks_of_product(char const* operation, product_shape const& blocks, std::size_t left,
                               std::size_t right);

/// Says that a processor has blocks of another shape. Errors: size_mismatch, always.
[[noreturn]] void throw_other_block(processor const& me, std::size_t came, std::size_t expected);

/// Moves a block one link along a dimension of a torus, and takes in the one from the other side.
template <class T>
void shift_block(processor& me, torus_square const& at, int dimension, int way,
                 std::vector<T>& block,
                 std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const from = dimension == 0 ? at.rank_at(-way, 0) : at.rank_at(0, -way);
  auto const elements = block.size();
  block = me.exchange(along{dimension, way}, std::move(block), from);
  if (block.size() != elements) throw_other_block(me, block.size(), elements);
}

/// Moves a block that many links backwards along a dimension of a torus of q x q, the shorter way
/// round, link by link. Takes floor(q/2) steps, whatever the distance. `show()`: shows the blocks.
template <class T, class Show>
void skew_block(processor& me, torus_square const& at, int dimension, int distance,
                std::vector<T>& block, Show const& show,
                std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const q = at.side();
  bool const backwards = distance <= q / 2;
  auto const links = backwards ? distance : q - distance;
  for (int step = 1; step <= q / 2; ++step) {
    me.note(dimension == 1 ? "turns row i of A by i, so that it meets the right blocks of B"
                           : "turns column j of B by j, so that it meets the right blocks of A");
    if (step > links) {
      me.idle();
      continue;
    }
    shift_block(me, at, dimension, backwards ? -1 : 1, block);
    show();
  }
}

}  // namespace detail

/// The product of two matrices of q x q blocks on a torus of q x q processors, where P(i, j) has
/// A_{i,j} and B_{i,j}, and gets that block of the product. Row i of A is first turned i processors to
/// the left, column j of B j processors upwards; then all blocks move one processor further between
/// products. Called by all processors of a square torus.
///
/// `blocks`: the shape of a local product: A has blocks of rows x inner elements, row by row, B of
/// inner x columns. Matrices of other sizes are padded with zeros by whoever deals them out.
/// `left`, `right`: the two blocks, which move and are not copied.
/// `multiply(shape, a, b, c)`: adds a product to c, as `local_product` does.
/// Shows: the blocks of "A", "B" and "C".
/// Result: the block of the product.
/// Errors: invalid_argument for another network, or blocks of another size; size_mismatch where a
/// neighbour has blocks of another number of elements; those of the machine.
///
/// **Cost** on a torus, one-port, packets of m words, square blocks of b x b elements:
/// 2(q - 1) + 2 floor(q/2) rounds and start-ups, the former of the shifts, the latter of the skew, in
/// each of which a block goes one link. The shifts send no more than 2n^2/sqrt(p) of the words.
/// Memory of three blocks. Strict.
///
/// **Source** Cannon, A cellular computer to implement the Kalman filter algorithm, 1969. That blocks
/// go the shorter way round in the skew, link by link, is lockstep.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::torus{{2, 2}}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const block{me.rank()};  // (0 1, 2 3)
///   return lockstep::cannon(me, {1, 1, 1}, block, block);
/// });
/// run.results()[3];  // {11}
/// ```
template <class T, class Product = local_product>
  requires std::is_arithmetic_v<T>
[[nodiscard]] std::vector<T> cannon(processor& me, product_shape const& blocks, std::vector<T> left,
                                    std::vector<T> right, Product const& multiply = {},
                                    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::torus_square const at(me, "cannon");
  detail::require_blocks_of_product("cannon", blocks, left.size(), right.size());
  std::vector<T> product(blocks.result());
  auto const show = [&] { detail::show_blocks<T>(me, blocks, left, right, product); };
  show();
  me.phase("skew");
  detail::skew_block(me, at, 1, at.row(), left, show);
  detail::skew_block(me, at, 0, at.column(), right, show);
  me.phase("shift");
  multiply(blocks, left.data(), right.data(), product.data());
  show();
  for (int step = 1; step < at.side(); ++step) {
    me.note("fetches the next block of its row of A");
    detail::shift_block(me, at, 1, -1, left);
    show();
    me.note("fetches the next block of its column of B");
    detail::shift_block(me, at, 0, -1, right);
    multiply(blocks, left.data(), right.data(), product.data());
    show();
  }
  return product;
}

/// Makes the claims, Cannon's and ours, about its cost on a torus of `side` x `side`, with packets
/// of that many words: of the counts, and of the figures shift_steps and shift_words, which are
/// those of its phase "shift". `n`: of n x n matrices, dealt out in blocks of ceil(n/q); 0 for
/// others.
/// Errors: invalid_argument for a side < 1 or > 46,340, packets of 0 words, and where the words of a
/// message pass 64 bits.
[[nodiscard]] std::vector<claim> cannon_claims(int side, std::uint64_t packet,
                                               product_shape const& blocks, std::size_t n);

}  // namespace lockstep
