#include <lockstep/algorithms/textbook/counting_sort.hpp>

#include <limits>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/errors.hpp>

namespace lockstep::textbook {

sorted_place place_in_even_blocks(std::uint64_t rank, std::uint64_t n, std::uint64_t p) {
  if (!std::in_range<int>(p))
    throw invalid_argument(fmt::format("{} processors are more than there are; give at most {}", p,
                                       std::numeric_limits<int>::max()));
  auto const processors = static_cast<int>(p);
  int const processor = rank_of_even_block(n, processors, rank);
  return {static_cast<std::uint64_t>(processor), rank - even_block(n, processors, processor).first};
}

}  // namespace lockstep::textbook
