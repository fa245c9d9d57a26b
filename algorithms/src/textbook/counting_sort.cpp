#include <lockstep/algorithms/textbook/counting_sort.hpp>

namespace lockstep::textbook {

sorted_place place_in_even_blocks(std::uint64_t rank, std::uint64_t n, std::uint64_t p) {
  auto const size = n / p;
  auto const in_larger = n % p * (size + 1);  // the first n mod p processors hold one more
  if (rank < in_larger) return {rank / (size + 1), rank % (size + 1)};
  return {n % p + (rank - in_larger) / size, (rank - in_larger) % size};
}

}  // namespace lockstep::textbook
