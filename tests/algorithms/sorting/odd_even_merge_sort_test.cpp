#include <lockstep/algorithms/sorting/odd_even_merge_sort.hpp>

#include <bit>

#include <lockstep/topologies/crossbar.hpp>

#include "sorting/hypercube_sorts.hpp"

using lockstep::detail::gray_code;
using lockstep::detail::odd_even_partner;

namespace {

constexpr auto by_odd_even_merge_sort = [](lockstep::processor& me, auto values,
                                           auto const& order) {
  return lockstep::odd_even_merge_sort(me, std::move(values), order);
};

/// Runs the columns of comparators on a word of p bits, one for each line.
unsigned sorted_bits(unsigned word, unsigned p) {
  for (unsigned half = 1; half < p; half *= 2)
    for (unsigned distance = half; distance > 0; distance /= 2) {
      unsigned next = word;
      for (unsigned line = 0; line < p; ++line) {
        auto const partner = odd_even_partner(line, half, distance);
        if (partner <= line) continue;
        bool const out_of_order = (word >> line & 1U) > (word >> partner & 1U);
        if (out_of_order) next ^= 1U << line | 1U << partner;
      }
      word = next;
    }
  return word;
}

}  // namespace

TEST_CASE("Batcher's odd-even network sorts all sequences of 16 bits", "[sorting]") {
  for (unsigned const p : {1U, 2U, 4U, 8U, 16U}) {
    int wrong = 0;
    for (unsigned word = 0; word < 1U << p; ++word) {
      auto const ones = static_cast<unsigned>(std::popcount(word));
      if (sorted_bits(word, p) != ((1U << ones) - 1) << (p - ones)) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("each comparator of the odd-even network has one partner at most two links off",
          "[sorting]") {
  unsigned const p = 64;
  for (unsigned half = 1; half < p; half *= 2)
    for (unsigned distance = half; distance > 0; distance /= 2) {
      int waiting = 0;
      for (unsigned line = 0; line < p; ++line) {
        auto const partner = odd_even_partner(line, half, distance);
        REQUIRE(partner < p);
        CHECK(odd_even_partner(partner, half, distance) == line);
        if (partner == line) {
          ++waiting;
          continue;
        }
        CHECK(std::popcount(gray_code(line) ^ gray_code(partner)) == (distance == 1 ? 1 : 2));
        CHECK((distance == half ||
               std::popcount(line ^ partner) >= 2));  // not neighbours without Gray's code
      }
      CHECK(waiting == (distance == half ? 0 : static_cast<int>(p * distance / half)));
    }
}

TEST_CASE("odd-even merge sort sorts all sequences of 0 and 1", "[sorting]") {
  check_sort_of_all_bits(by_odd_even_merge_sort, lockstep::odd_even_merge_sort_claims);
}

TEST_CASE("odd-even merge sort sorts k values a processor, on both engines", "[sorting][threads]") {
  check_sort_of_all_inputs(by_odd_even_merge_sort, lockstep::odd_even_merge_sort_claims);
}

TEST_CASE("odd-even merge sort keeps each of the values that its order does not tell apart",
          "[sorting]") {
  check_sort_keeps_each(by_odd_even_merge_sort);
}

TEST_CASE("odd-even merge sort refuses processors that are not a power of two", "[sorting]") {
  lockstep::machine const on(lockstep::crossbar{3});
  CHECK_THROWS_AS(
      on.run([](lockstep::processor& me) { return odd_even_merge_sort(me, std::vector{1}); }),
      lockstep::processor_failed);
}
