#include <lockstep/algorithms/sorting/nassimi_sahni_sort.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "sorting/hypercube_sorts.hpp"

using lockstep::processor;

namespace {

/// Sorts one value on each of the first processors, by 2^ways lists at a time, and compares what
/// the first have in the end, what others have, and the costs.
template <class T, class Order>
void check_sorted(int d, int ways, std::vector<T> const& values, Order order,
                  lockstep::engine by = lockstep::engine::fibers) {
  lockstep::machine const on(lockstep::hypercube{d}, {.strict = true, .engine = by});
  auto const run = on.run([&](processor& me) {
    std::optional<T> mine;
    if (index(me.rank()) < values.size()) mine = values[index(me.rank())];
    return lockstep::nassimi_sahni_sort(me, mine, ways, order);
  });
  auto expected = values;
  std::ranges::stable_sort(expected, order);
  std::vector<std::optional<T>> at(expected.begin(), expected.end());
  at.resize(index(on.size()));
  INFO("d = " << d << ", l = " << ways << ", " << values.size() << " values");
  CHECK((run.results() == at));
  for (auto const& claimed : lockstep::nassimi_sahni_sort_claims(d, ways)) {
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ": "
                        << run.counts());
    CHECK(holds(claimed, run.counts()));
  }
}

}  // namespace

TEST_CASE("Nassimi and Sahni's sort takes 5l + 4m steps for each merge", "[sorting]") {
  auto const steps = [](int d, int ways) {
    return lockstep::nassimi_sahni_sort_claims(d, ways).front().value();
  };
  CHECK(steps(2, 1) == 5);
  CHECK(steps(4, 1) == 5 + (5 + 4) + (5 + 8));
  CHECK(steps(6, 2) == 10 + (10 + 8));
  CHECK(steps(7, 2) == 10 + (10 + 8) + (5 + 16));  // the last merges two lists
  CHECK(steps(3, 3) == 0);
}

TEST_CASE("Nassimi and Sahni's sort sorts all inputs, for all d up to 7 and l", "[sorting]") {
  std::mt19937 random(5);
  for (int d = 1; d <= 7; ++d)
    for (int ways = 1; ways <= d; ++ways)
      for (auto const& values : values_to_sort(std::size_t{1} << (d - ways), random))
        check_sorted(d, ways, values, std::greater<>{});
}

TEST_CASE("Nassimi and Sahni's sort sorts all sequences of 0 and 1", "[sorting]") {
  for (int const m : {0, 1, 2, 3})
    for (int const ways : {1, 2})
      for (unsigned word = 0; word < 1U << (1U << static_cast<unsigned>(m)); ++word) {
        std::vector<int> values;
        for (int i = 0; i < 1 << m; ++i) values.push_back(static_cast<int>(word >> i & 1U));
        check_sorted(m + ways, ways, values, std::less<>{});
      }
}

TEST_CASE("Nassimi and Sahni's sort is stable, of any number of values, on both engines",
          "[sorting][threads]") {
  for (int const ways : {1, 2, 3})
    for (int values = 0; values <= 8; ++values)
      for (auto const by : {lockstep::engine::fibers, lockstep::engine::threads}) {
        keyed::records all;
        for (int i = 0; i < values; ++i) all.push_back({i * 5 % 3, i});
        check_sorted(3 + ways, ways, all, keyed::key_is_less{}, by);
      }
}

TEST_CASE("Nassimi and Sahni's sort refuses values and lists that have no place", "[sorting]") {
  auto const refusal = [](lockstep::machine const& on, int ways, int values) {
    return refusal_of<lockstep::invalid_argument>(on, [&](processor& me) {
      std::optional<int> mine;
      if (me.rank() < values) mine = me.rank();
      static_cast<void>(lockstep::nassimi_sahni_sort(me, mine, ways));
    });
  };
  lockstep::machine const on(lockstep::hypercube{3});
  CHECK_THAT(refusal(on, 0, 1), has_text("take l from 1 to 3"));
  CHECK_THAT(refusal(lockstep::machine(lockstep::hypercube{0}), 1, 1),
             has_text("take hypercube:1 or larger"));
  CHECK_THAT(refusal(on, 4, 1), has_text("2^4 lists at a time"));
  CHECK_THAT(refusal(on, 1, 5), has_text("processor 4 has a value, and only processors 0 to 3"));
  CHECK_THAT(refusal(lockstep::machine(lockstep::crossbar{8}), 1, 4),
             has_text("crossbar:8 is not a hypercube"));
}
