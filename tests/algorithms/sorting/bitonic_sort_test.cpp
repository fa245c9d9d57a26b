#include <lockstep/algorithms/sorting/bitonic_sort.hpp>

#include <lockstep/topologies/crossbar.hpp>

#include "sorting/hypercube_sorts.hpp"

namespace {

constexpr auto by_bitonic_sort = [](lockstep::processor& me, auto values, auto const& order) {
  return lockstep::bitonic_sort(me, std::move(values), order);
};

}  // namespace

TEST_CASE("bitonic sort sorts all sequences of 0 and 1", "[sorting]") {
  check_sort_of_all_bits(by_bitonic_sort, lockstep::bitonic_sort_claims);
}

TEST_CASE("bitonic sort sorts k values a processor, on both engines", "[sorting][threads]") {
  check_sort_of_all_inputs(by_bitonic_sort, lockstep::bitonic_sort_claims);
}

TEST_CASE("bitonic sort keeps each of the values that its order does not tell apart", "[sorting]") {
  check_sort_keeps_each(by_bitonic_sort);
}

TEST_CASE("bitonic sort refuses processors that are not a power of two", "[sorting]") {
  lockstep::machine const on(lockstep::crossbar{3});
  CHECK_THROWS_AS(on.run([](lockstep::processor& me) { return bitonic_sort(me, std::vector{1}); }),
                  lockstep::processor_failed);
}
