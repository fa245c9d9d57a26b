#include <lockstep/algorithms/sorting/detail/sorted_blocks.hpp>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "catch.hpp"

using lockstep::detail::sorted_blocks;

namespace {

/// Every rank's place, told by itself and one after the other.
template <class Place>
void check_places(std::uint64_t elements, int processors) {
  INFO(elements << " elements on " << processors << " processors");
  REQUIRE(sorted_blocks<Place>::can_tell(elements, processors));
  sorted_blocks<Place> const blocks(elements, processors);
  std::vector<std::uint64_t> ranks(elements);
  std::iota(ranks.begin(), ranks.end(), std::uint64_t{0});
  auto const places = blocks.places_of(ranks);
  std::uint64_t rank = 0;
  Place next = elements > 0 ? places[0] : Place{0};
  for (int processor = 0; processor < processors; ++processor) {
    auto const size = blocks.size_of(static_cast<std::size_t>(processor));
    CHECK(size <= blocks.largest_size());
    for (std::size_t position = 0; position < size; ++position, ++rank) {
      auto const place = blocks.take(next);
      REQUIRE(place == places[rank]);
      REQUIRE(blocks.processor_of(place) == static_cast<std::size_t>(processor));
      REQUIRE(blocks.position_of(place) == position);
    }
  }
  CHECK(rank == elements);
}

}  // namespace

TEST_CASE("places are one after the other in blocks", "[sorting][sanitize]") {
  for (int const p : {1, 2, 3, 5, 8, 16, 31})
    for (std::uint64_t const n : {0U, 1U, 2U, 7U, 8U, 9U, 30U, 31U, 32U, 100U, 128U, 1000U}) {
      check_places<std::uint32_t>(n, p);
      check_places<std::uint64_t>(n, p);
    }
}

TEST_CASE("places beyond 32 bits take 64", "[sorting]") {
  constexpr auto large = std::uint64_t{1} << 31U;
  CHECK(sorted_blocks<std::uint32_t>::can_tell(large - 1, 1));
  CHECK_FALSE(sorted_blocks<std::uint32_t>::can_tell(2 * large, 1));
  CHECK_FALSE(sorted_blocks<std::uint32_t>::can_tell(2 * large, 16));
  CHECK(sorted_blocks<std::uint64_t>::can_tell(1'000'000 * large, 1000));
  sorted_blocks<std::uint64_t> const blocks(3 * large + 1, 3);
  auto const places = blocks.places_of(std::array<std::uint64_t, 3>{large, large, large + 1});
  auto const last_of_first = places[0];
  CHECK(places[1] == last_of_first);
  CHECK(blocks.processor_of(last_of_first) == 0);
  CHECK(blocks.position_of(last_of_first) == large);
  auto next = last_of_first;
  CHECK(blocks.take(next) == last_of_first);
  CHECK(next == places[2]);
  CHECK(blocks.processor_of(next) == 1);
  CHECK(blocks.position_of(next) == 0);
}
