#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// The part of a field that a processor holds: a block of inner[0] x inner[1] x ... elements of its own, and
/// around it, along each dimension and on both sides, a rim of `width` elements. Row by row, rim included:
/// the last coordinate varies fastest.
struct halo_shape {
  std::vector<std::size_t> inner;
  std::size_t width = 1;

  /// Counts the elements along a dimension, with both rims.
  [[nodiscard]] std::size_t extent(std::size_t dimension) const {
    return inner[dimension] + 2 * width;
  }
  /// Finds an element's place in the field, by coordinates that begin with 0 in the low rims: the
  /// block begins at (width, width, ...).
  [[nodiscard]] std::size_t place(std::span<std::size_t const> coordinates) const {
    std::size_t at = 0;
    for (std::size_t d = 0; d < inner.size(); ++d) at = at * extent(d) + coordinates[d];
    return at;
  }
};

namespace detail {

/// A box of a field: where it begins, and its elements along each dimension.
struct field_box {
  std::vector<std::size_t> first;
  std::vector<std::size_t> count;

  [[nodiscard]] std::size_t elements() const {
    std::size_t product = 1;
    for (auto const along : count) product *= along;
    return product;
  }
};

/// A message of a processor that way along a dimension, and one to it from the other side.
struct halo_turn {
  along way;
  std::optional<int> to;
  std::optional<int> from;
  field_box face;  ///< of the block, the outermost elements on that way
  field_box rim;   ///< on the other side
};

/// The turns of a processor, in their order. A torus dimension of size 1 has turns of a processor with
/// itself, which send nothing: `to` and `from` are its own rank.
/// Errors: invalid_argument unless the network is a torus or mesh with a dimension for each of the shape, the
/// width is at most each size of the block, and the field has the elements of the shape.
[[nodiscard]] std::vector<halo_turn> halo_turns(processor const& me, halo_shape const& shape,
                                                std::size_t elements);

/// Calls visit(place, elements) for each contiguous piece of a box, in the order of places.
template <class Visit>
void for_each_row(halo_shape const& shape, field_box const& box, Visit&& visit) {
  if (box.elements() == 0) return;
  auto const row = box.count.back();
  auto at = box.first;
  for (std::size_t rows = box.elements() / row; rows > 0; --rows) {
    visit(shape.place(at), row);
    for (std::size_t d = at.size() - 1; d-- > 0;) {
      if (++at[d] < box.first[d] + box.count[d]) break;
      at[d] = box.first[d];
    }
  }
}

}  // namespace detail

/// Fills the rim around each processor's block of a field that is dealt out over a grid: with the elements
/// that lie there in the whole field, which on a torus goes on from its last elements to its first. On a
/// mesh the elements outside of the field stay as they are. Dimension by dimension, lowest first: a face
/// has the rims of the dimensions before it, so that corners come right. Called by all processors
/// of a torus or mesh, or of a subset that is one.
///
/// `shape`: the block and its rim, the same on every processor, with a size for each dimension of the
/// network. `field`: the elements of both.
/// Errors: invalid_argument for another network, a width of more than a size of the block, and a field of
/// another size; size_mismatch where shapes differ; those of the machine.
///
/// **Cost** for processors that call it in the same step, one-port, rims of w around blocks of n_0 x n_1 x
/// ..., packets of m words: two steps, with a start-up each, for each dimension of more than one processor, one
/// each way. The words of a step along dimension d are those of a face, w e_0 ... e_{d-1} n_{d+1} ..., where e_k is
/// n_k and the rims of it that lie in the field: 2w, but on a mesh of 2 processors w, and of 1 none.
/// Strict, contention 1. Memory of two faces.
///
/// **Source** Kjolstad and Snir, Ghost cell pattern, 2010.
///
/// **Example**
/// ```
/// lockstep::machine ring{lockstep::ring{4}};
/// auto run = ring.run([](lockstep::processor& me) {
///   std::vector<int> field{0, 2 * me.rank(), 2 * me.rank() + 1, 0};  // two elements, a rim of one
///   lockstep::exchange_halo(me, {.inner = {2}}, field);
///   return field;
/// });
/// run.results()[0];    // {7, 0, 1, 2}
/// run.counts().steps;  // 2
/// ```
template <payload_range Field>
void exchange_halo(processor& me, halo_shape const& shape, Field&& field,
                   std::source_location where = std::source_location::current()) {
  using element = std::ranges::range_value_t<Field>;
  library_call const call(me, where);
  std::span<element> const all(field);
  std::vector<element> out;
  std::vector<element> in;
  for (auto const& turn : detail::halo_turns(me, shape, all.size())) {
    out.clear();
    detail::for_each_row(shape, turn.face, [&](std::size_t place, std::size_t count) {
      auto const row = all.subspan(place, count);
      out.insert(out.end(), row.begin(), row.end());
    });
    if (turn.to == me.rank()) {
      in.swap(out);
    } else {
      in.resize(turn.from ? turn.rim.elements() : 0);
      if (turn.to && turn.from)
        me.exchange_into(turn.way, out, in, *turn.from);
      else if (turn.to)
        me.send(turn.way, out);
      else if (turn.from)
        me.receive_into(*turn.from, in);
    }
    if (!turn.from) continue;
    auto next = in.cbegin();
    detail::for_each_row(shape, turn.rim, [&](std::size_t place, std::size_t count) {
      for (auto& one : all.subspan(place, count)) one = *next++;
    });
  }
}

/// Makes the claims about its cost on that network, with packets of that many words.
/// Errors: invalid_argument for a network and a shape as `exchange_halo` refuses them, packets of 0 words,
/// and where the elements of a field pass 64 bits.
[[nodiscard]] std::vector<claim> halo_claims(topology const& network, halo_shape const& shape,
                                             std::uint64_t packet = 1);

}  // namespace lockstep
