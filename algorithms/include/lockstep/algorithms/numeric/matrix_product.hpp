#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/numeric/detail/block_groups.hpp>
#include <lockstep/algorithms/numeric/detail/show_blocks.hpp>
#include <lockstep/algorithms/numeric/detail/whole_blocks.hpp>
#include <lockstep/algorithms/numeric/local_product.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Which of the two blocks a processor P_{i,j,k} multiplies. Both cost the same.
enum class product_form : std::uint8_t {
  a,  ///< A_{i,k} B_{k,j}, added up over k into P_{i,j,0}: step 3 as the paper prints it
  b   ///< A_{i,j} B_{j,k}, added up over j into P_{i,k,0}: step 1 as the paper prints it
};

/// Options of `matrix_product`. All processors pass the same.
struct matrix_product_options {
  product_form form = product_form::a;
  int k = 2;  ///< arity of the trees: `tree_arity(tau, m)` is the paper's
  bool whole =
      false;  ///< whether blocks go whole along the trees (Theorem 3.1), not in pieces (3.3)
};

/// How the blocks of a product go, and what was compared. Times are those of the schedules.
struct product_choice {
  matrix_product_options options{};
  double time = 0;
  double printed_time = 0;  ///< in pieces, with k = tau/m + 1; 0 where tau is less than a packet
};

/// Chooses the cheapest way for blocks of that shape: in pieces or whole, by trees of every arity
/// from 2 to q. The paper's k comes first among ways of one time, then pieces.
/// Errors: invalid_argument unless p is a cube, or for packets of 0 words.
/// **Source** JaJa and Ryu 1994, Theorems 3.1, 3.3 and 5.5; the choice is lockstep.
[[nodiscard]] product_choice choose_product_way(
    bdm_machine const& on, product_shape const& blocks, product_form form,
    std::source_location where = std::source_location::current());

/// Writes "in pieces, k = 2 (96)", and which way is not taken.
[[nodiscard]] std::string text_of(product_choice const& choice);

namespace detail {

/// The processors as a cube, rank = (iq + j)q + k, and which of them have which block.
class product_cube {
 public:
  /// Errors: invalid_argument unless the machine has q^3 processors, for k < 2, or no such form.
  product_cube(processor const& me, matrix_product_options const& options);

  /// Whether this processor has a block of each matrix at first, and one of the product at last.
  [[nodiscard]] bool has_blocks() const { return m_k == 0; }

  [[nodiscard]] block_groups groups_of_left() const;
  [[nodiscard]] block_groups groups_of_right() const;
  [[nodiscard]] block_groups groups_of_result() const;

 private:
  [[nodiscard]] int rank_at(int i, int j, int k) const { return (i * m_q + j) * m_q + k; }
  /// Lists the ranks of rank_of(0), .. rank_of(q - 1).
  template <class RankOf>
  [[nodiscard]] std::vector<int> line(RankOf const& rank_of) const {
    std::vector<int> ranks;
    ranks.reserve(static_cast<std::size_t>(m_q));
    for (int at = 0; at < m_q; ++at) ranks.push_back(rank_of(at));
    return ranks;
  }

  product_form m_form;
  int m_q;
  int m_i;
  int m_j;
  int m_k;
};

/// Brings the roots' blocks to all members of their groups.
template <class T>
[[nodiscard]] std::vector<T> blocks_of_roots(
    processor& me, block_groups groups, std::span<T const> block, std::size_t elements,
    matrix_product_options const& options,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  if (options.whole)
    return whole_blocks<T>(me, std::move(groups), elements, options.k).broadcast(block);
  return group_blocks<T>(me, std::move(groups), elements, options.k).broadcast(block);
}

/// Brings the sums of the members' blocks to the roots.
template <class T>
[[nodiscard]] std::vector<T> sums_at_roots(
    processor& me, block_groups groups, std::span<T const> block,
    matrix_product_options const& options,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  if (options.whole)
    return whole_blocks<T>(me, std::move(groups), block.size(), options.k).sum(block);
  return group_blocks<T>(me, std::move(groups), block.size(), options.k).sum(block);
}

/// Errors: invalid_argument unless there are as many elements as a block has, or none without a
/// block.
void require_product_blocks(product_shape const& blocks, bool has_blocks, std::size_t left,
                            std::size_t right);

}  // namespace detail

/// q for p = q^3 processors. Errors: invalid_argument for another p, with the nearest cubes.
[[nodiscard]] int cube_side(int p, std::source_location where = std::source_location::current());

/// The product of two matrices of q x q blocks each, on p = q^3 processors P_{i,j,k}, rank
/// (iq + j)q + k. P_{i,j,0} has the blocks A_{i,j} and B_{i,j}, and gets that of the product.
/// Blocks go to the processors that multiply them, and the products' sums back, q^2 groups at once.
/// Called by all processors of a crossbar.
///
/// `blocks`: the shape of a local product: A has blocks of rows x inner elements, row by row, B of
/// inner x columns. Matrices of other sizes are padded with zeros by whoever deals them out.
/// `left`, `right`: the two blocks where k = 0; elsewhere nothing.
/// `multiply(shape, a, b, c)`: adds a product to c, as `local_product` does; `cblas_product` by
/// BLAS.
/// Shows: the blocks of "A", "B" and "C".
/// Result: where k = 0 the block of the product; elsewhere nothing.
/// Errors: invalid_argument unless p is a cube, for k < 2, no such form, or blocks of another size;
/// those of the machine.
///
/// **Cost** on a crossbar, one-port, packets of m words, k = min(k, q), blocks of b x b elements:
/// 6 ceil(log_k q) start-ups. Where q is a power of k that divides b^2,
/// 2m ceil(b^2/(km)) + 6 sum of (k - 1)m ceil(b^2/(k^i m)), i = 1 .. log_k q, words, of which the
/// first term is for roots outside their groups. Whole, 3 ceil(log_k q) start-ups. rows * inner *
/// columns multiplications. Strict. Operations: each addition of the sums, and what `multiply` counts.
///
/// **Source** JaJa and Ryu 1994, section 5.3. The paper's step 1 and step 3 do not belong together:
/// either has a form in which the other is mended.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{8}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<double> const block(me.rank() % 2 == 0 ? 1 : 0, 2.0);  // all elements are 2
///   return lockstep::matrix_product<double>(me, {1, 1, 1}, block, block);
/// });
/// run.results()[2];  // {8}
/// ```
template <class T, class Product = local_product>
  requires std::is_arithmetic_v<T>
[[nodiscard]] std::vector<T> matrix_product(
    processor& me, product_shape const& blocks, std::span<T const> left, std::span<T const> right,
    matrix_product_options const& options = {}, Product const& multiply = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::product_cube const cube(me, options);
  detail::require_product_blocks(blocks, cube.has_blocks(), left.size(), right.size());
  detail::show_blocks<T>(me, blocks, left, right, {});
  std::vector<T> product(blocks.result());
  {
    me.phase("A to all that multiply it");
    auto const a =
        detail::blocks_of_roots<T>(me, cube.groups_of_left(), left, blocks.left(), options);
    detail::show_blocks<T>(me, blocks, a, {}, {});
    me.phase("B to all that multiply it");
    auto const b =
        detail::blocks_of_roots<T>(me, cube.groups_of_right(), right, blocks.right(), options);
    multiply(blocks, a.data(), b.data(), product.data());
    detail::show_blocks<T>(me, blocks, a, b, product);
  }
  me.phase("sums of products");
  auto sums = detail::sums_at_roots<T>(me, cube.groups_of_result(), product, options);
  detail::show_blocks<T>(me, blocks, {}, {}, sums);
  return sums;
}

/// Makes the claims, the paper's and ours, about `matrix_product` of n x n matrices, dealt out in
/// blocks of b x b, b = ceil(n/q): the same in both forms.
/// Errors: invalid_argument unless p is a cube, for packets of 0 words, or k < 2, and where a count
/// passes 64 bits.
[[nodiscard]] std::vector<claim> matrix_product_claims(bdm_machine const& on, std::size_t n,
                                                       matrix_product_options const& options);

/// The same for matrices of other shapes, by the blocks that they are dealt out in: counts alone.
[[nodiscard]] std::vector<claim> matrix_product_claims(bdm_machine const& on,
                                                       product_shape const& blocks,
                                                       matrix_product_options const& options);

}  // namespace lockstep
