#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/sorting/detail/merging_block.hpp>
#include <lockstep/algorithms/sorting/odd_even_transposition_sort.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topologies/mesh.hpp>

namespace lockstep {

/// The rows and columns of a mesh that is sorted.
struct mesh_shape {
  int rows = 1;
  int columns = 1;

  /// Finds those of a mesh of two dimensions.
  /// Errors: invalid_argument for another network.
  [[nodiscard]] static mesh_shape of(topology const& network,
                                     std::source_location where = std::source_location::current()) {
    auto const* const found = dynamic_cast<mesh const*>(&network);
    if (found == nullptr || found->sizes().size() != 2)
      throw invalid_argument("shear_sort: " + network.spec() +
                                 " is not a mesh of two dimensions; this algorithm needs rows and "
                                 "columns, for example "
                                 "mesh:4x4",
                             where);
    return {found->sizes()[0], found->sizes()[1]};
  }

  /// Counts the phases of rows and columns: log2 of the rows, rounded up.
  [[nodiscard]] int halvings() const {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(rows) - 1U));
  }
  /// The place of a rank in the order of the snake: even rows from left to right, odd ones back.
  [[nodiscard]] int place_of(int rank) const {
    int const row = rank / columns;
    return row % 2 == 0 ? rank : row * columns + columns - 1 - rank % columns;
  }
};

/// Sorts k values of each processor of a mesh into the order of a snake: ceil(log2 rows) times all rows,
/// even ones ascending and odd ones descending, and then all columns, and in the end the rows once
/// more, each by odd-even transpositions. `values`: k on every processor. Called by all processors of a
/// mesh of two dimensions.
///
/// **Result** The values of place * k to place * k + k - 1 of the sorted sequence, in order, where place
/// is `mesh_shape::place_of` the rank; not stable.
/// **Shows** "keys".
/// **Errors** invalid_argument for another network, which comes out of the run as processor_failed.
/// **Cost** k(C + l(R + C)) steps, start-ups, words and hops, l = ceil(log2 rows), R and C the rounds of
/// a column and of a row (one less than their lengths of 1 and 2): each value is a message of its own. One
/// port, strict.
/// **Source** Scherson, Sen and Shamir 1986; merge-split: Baudet and Stevenson 1978.
template <payload_element T, class Less = std::less<>>
[[nodiscard]] std::vector<T> shear_sort(
    processor& me, std::vector<T> values, Less less = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const shape = mesh_shape::of(me.topology(), call.where());
  int const row = me.rank() / shape.columns;
  int const column = me.rank() % shape.columns;
  detail::merging_block block(std::move(values), less);
  detail::show_values(me, "keys", block.values());
  auto const sort_row = [&] {
    me.phase("rows");
    detail::sort_line(me, block, column, shape.columns, row % 2 == 0,
                      [&](int place) { return row * shape.columns + place; });
  };
  for (int phase = 0; phase < shape.halvings(); ++phase) {
    sort_row();
    me.phase("columns");
    detail::sort_line(me, block, row, shape.rows, true,
                      [&](int place) { return place * shape.columns + column; });
  }
  sort_row();
  return block.take();
}

/// Claims what `shear_sort` costs for k values on each processor of a mesh of that shape.
/// Errors: invalid_argument for less than one row or column.
[[nodiscard]] inline std::vector<claim> shear_sort_claims(mesh_shape const& shape,
                                                          std::uint64_t k) {
  if (shape.rows < 1 || shape.columns < 1)
    throw invalid_argument("shear_sort_claims: a mesh has at least one row and one column");
  auto const pairs = [](int length) { return static_cast<double>(length) * (length - 1); };
  double const halvings = shape.halvings();
  double const messages =
      static_cast<double>(k) * ((halvings + 1) * shape.rows * pairs(shape.columns) +
                                halvings * shape.columns * pairs(shape.rows));
  return claim_list({{{"R", detail::transposition_rounds(shape.rows)},
                      {"C", detail::transposition_rounds(shape.columns)},
                      {"l", halvings},
                      {"k", static_cast<double>(k)}}})
      .from("lockstep, rounds of the program counted")
      .equal("steps, startups, words, hops", "k(C + l(R + C))")
      .from("lockstep, messages of the program counted")
      .equal("messages, volume", "2k for each pair of a line, over rounds and lines", messages);
}

}  // namespace lockstep
