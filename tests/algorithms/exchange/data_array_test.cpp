#include <lockstep/algorithms/exchange/detail/data_array.hpp>

#include <array>
#include <set>
#include <vector>

#include "catch.hpp"

using lockstep::detail::block_layout;
using lockstep::detail::data_array;
using lockstep::detail::exchange_plan;

namespace {

using array_piece = std::vector<int>;

/// Blocks with these indices, of one digit, in that array.
block_layout::box box_of_one_digit(int first, int count, std::size_t array) {
  block_layout::box box{.order = {0}, .array = array};
  box.digits[0] = {first, count};
  return box;
}

/// Boxes of blocks 0 | 1, 2 | 3 in three arrays.
block_layout const in_pairs{{box_of_one_digit(0, 1, 0), box_of_one_digit(1, 1, 1),
                             box_of_one_digit(2, 1, 1), box_of_one_digit(3, 1, 2)}};

/// Block b has the elements 10 b and 10 b + 1.
data_array<int> filled_in_pairs() {
  data_array<int> data(2);
  data.make_room_for(in_pairs.sizes());
  auto const fill = [&](std::size_t array, std::size_t place, int number) {
    auto const block = data.block(array, place);
    block[0] = 10 * number;
    block[1] = 10 * number + 1;
  };
  fill(0, 0, 0);
  fill(1, 0, 1);
  fill(1, 1, 2);
  fill(2, 0, 3);
  return data;
}

}  // namespace

TEST_CASE("a data array sends the second array, then the end of it and the third") {
  auto data = filled_in_pairs();
  CHECK(data.elements() == 8);
  array_piece piece;
  data.pack_outgoing(true, 0, piece);
  CHECK(piece == array_piece{10, 11, 20, 21});
  piece = {50, 51, 60, 61};
  data.put_incoming(true, piece);
  data.pack_outgoing(false, 1, piece);
  CHECK(piece == array_piece{60, 61, 30, 31});
  CHECK(data.block(1, 0)[0] == 50);
  data.put_incoming(false, piece);
  CHECK(data.block(2, 1)[1] == 31);
  CHECK(data.elements() == 8);
}

TEST_CASE("a data array is laid anew in the memory in which it lay before") {
  auto data = filled_in_pairs();
  auto const sizes = in_pairs.sizes();
  auto const as_it_is = lockstep::detail::copies(in_pairs, in_pairs);
  auto const places = [&] { return std::array{data.at(0, 0), data.at(1, 0), data.at(2, 0)}; };
  data.rearrange(as_it_is, sizes);
  std::set<int*> known;
  for (auto* const place : places()) known.insert(place);
  data.rearrange(as_it_is, sizes);
  for (auto* const place : places()) known.insert(place);
  for (int time = 0; time < 4; ++time) {
    data.rearrange(as_it_is, sizes);
    for (auto* const place : places()) CHECK(known.contains(place));
    CHECK(data.block(1, 1)[1] == 21);
  }
}

TEST_CASE("large buffers are not kept") {
  lockstep::detail::spare_buffers<int> spare;
  spare.keep(std::vector<int>(5000));
  auto const taken = spare.take_empty(10);
  CHECK(taken.capacity() < 5000);
}

TEST_CASE("a data array keeps the end of a piece in a ring phase") {
  data_array<int> data(2);
  block_layout const all{{box_of_one_digit(0, 3, 0)}};
  data.make_room_for(all.sizes());
  array_piece piece;
  data.begin_ring(all.sizes(), piece);
  CHECK(piece == array_piece(6));
  piece = {20, 21, 10, 11, 0, 1};
  // Block s comes from source s of the ring.
  auto const from_first = copies(block_layout{{box_of_one_digit(0, 1, 0)}}, all);
  exchange_plan::ring_phase const ring{.staying = 1, .kept = {{from_first.front(), 1}}};
  data.keep_blocks_of_own_submesh(ring, 1, piece);
  CHECK(piece == array_piece{20, 21, 10, 11});
  CHECK(data.block(0, 1)[0] == 0);
  CHECK(data.block(0, 1)[1] == 1);
  array_piece nothing;
  data.keep_blocks_of_own_submesh(ring, 1, nothing);
  CHECK(nothing.empty());
}

TEST_CASE("a data array is rearranged from one layout to another") {
  auto data = filled_in_pairs();
  block_layout const backwards{{box_of_one_digit(3, 1, 0), box_of_one_digit(2, 1, 0),
                                box_of_one_digit(1, 1, 0), box_of_one_digit(0, 1, 0)}};
  data.rearrange(copies(in_pairs, backwards), backwards.sizes());
  for (std::size_t place = 0; place < 4; ++place) {
    CHECK(data.block(0, place)[0] == 30 - 10 * static_cast<int>(place));
    CHECK(data.block(0, place)[1] == 31 - 10 * static_cast<int>(place));
  }
}
