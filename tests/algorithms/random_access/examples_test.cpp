#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/concentrate_elements.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
#include <lockstep/algorithms/random_access/monotonic_write.hpp>
#include <lockstep/algorithms/random_access/random_access_read.hpp>
#include <lockstep/algorithms/random_access/random_access_write.hpp>
#include <lockstep/algorithms/random_access/segmented_vector_scan.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/algorithms/random_access/vector_combine.hpp>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

// The examples of the headers, and the results that stand beside them.

namespace {

/// Runs a program on four processors, as the examples do.
template <class Program>
auto run_on_four(Program const& program) {
  return lockstep::machine{lockstep::crossbar{4}}.run(program);
}

}  // namespace

TEST_CASE("the examples of vectors give what they say", "[random_access]") {
  auto const combined_run = run_on_four([](processor& me) {
    std::vector<int> const mine{me.rank(), 1, 10, 100};
    return vector_combine(me, std::plus<int>{}, std::span<int const>(mine));
  });
  CHECK(combined_run.results()[3] == std::vector<int>{6, 4, 40, 400});
  CHECK(combined_run.counts().startups == 4);
  CHECK(combined_run.counts().words == 6);
  auto const scanned = run_on_four([](processor& me) {
    std::vector<int> const mine{me.rank(), 1, 10, 100};
    return vector_scan(me, std::plus<int>{}, std::span<int const>(mine));
  });
  CHECK_FALSE(scanned.results()[0].has_value());
  CHECK(*scanned.results()[3] == std::vector<int>{3, 3, 30, 300});
}

TEST_CASE("the example of transportation gives what it says", "[random_access]") {
  auto const run = run_on_four([](processor& me) {
    std::vector<int> const to_the_next(8, (me.rank() + 1) % 4);
    return transportation(me, std::span(to_the_next), std::identity{}).elements.size();
  });
  CHECK(run.results()[2] == 8);
  CHECK(run.counts().startups == 6);
  CHECK(run.counts().words == 12);
}

TEST_CASE("the example of segmented vector scans gives what it says", "[random_access]") {
  auto const run = run_on_four([](processor& me) {
    std::vector<lockstep::extended<int>> const mine{me.rank() + 1};
    return segmented_vector_scan(me, std::plus<int>{}, std::span(mine), me.rank() == 1).front();
  });
  CHECK(run.results()[1].value == 7);
  CHECK_FALSE(run.results()[0].is_there);
}

TEST_CASE("the example of monotone sends gives what it says", "[random_access]") {
  auto const run = run_on_four([](processor& me) {
    std::vector<lockstep::addressed_elements<int>> halves;
    halves.push_back({me.rank() / 2, {10 * me.rank()}});
    return monotone_sends(me, std::move(halves));
  });
  CHECK(run.results()[1].front().rank == 2);
  CHECK(run.results()[1].front().elements == std::vector{20});
  CHECK(run.phases()[1].steps == 2);
}

TEST_CASE("the example of a monotonic write gives what it says", "[random_access]") {
  auto const run = run_on_four([](processor& me) {
    bucket_layout const layout(8, me.size());
    pointers const to{5, 5};
    std::vector<int> const values{1, 2};
    std::vector<int> array(layout.size_of(me.rank()));
    lockstep::monotonic_write(me, layout, to, std::span(values), std::plus<int>{},
                              std::span(array));
    return array;
  });
  CHECK(run.results()[2] == std::vector{0, 12});
  CHECK(run.results()[0] == std::vector{0, 0});
}

TEST_CASE("the examples of concentration and distribution give what they say", "[random_access]") {
  auto const together = run_on_four([](processor& me) {
    std::vector<int> const odd(me.rank() % 2 == 1 ? 2U : 0U, me.rank());
    bucket_layout const layout(8, me.size());
    return concentrate_elements(me, layout, std::span(odd));
  });
  CHECK(together.results()[1] == std::vector{3, 3});
  auto const apart = run_on_four([](processor& me) {
    bucket_layout const layout(8, me.size());
    pointers const to{static_cast<std::size_t>(2 * me.rank() + 1)};
    std::vector<int> const values{me.rank()};
    return distribute_elements(me, layout, to, std::span(values));
  });
  CHECK(apart.results()[3][1] == 3);
  CHECK_FALSE(apart.results()[3][0].has_value());
}

TEST_CASE("the examples of random access writes give what they say", "[random_access]") {
  bucket_layout const table{8, 4};
  auto const added = run_on_four([&](processor& me) {
    std::vector<std::size_t> const pointers{2, 7};
    std::vector<long> const ones(2, 1);
    std::vector<long> array(2, 100);
    random_access_write(me, table, pointers, std::span<long const>(ones), std::plus<long>{}, array);
    return array;
  });
  CHECK(added.results()[1] == std::vector<long>{104, 100});
  bucket_layout const histogram{8, 4};
  auto const run = run_on_four([&](processor& me) {
    std::vector<std::size_t> const bins{0, 5, 5};
    std::vector<long> const ones(3, 1);
    return combined_writes(me, histogram, bins, std::span(ones), std::plus<long>{}).cells;
  });
  CHECK(run.results()[2][1].value == 8);
  CHECK_FALSE(run.results()[2][0].is_there);
  auto const agreed = run_on_four([&](processor& me) {
    std::vector<std::size_t> const pointers{2, 7};
    std::vector<int> const values{20, 70};
    return agreed_writes(me, table, pointers, std::span<int const>(values)).cells;
  });
  CHECK(agreed.results()[1][0].value == 20);
  CHECK_FALSE(agreed.results()[1][1].is_there);
}

TEST_CASE("the example of a random access read gives what it says", "[random_access]") {
  bucket_layout const table(8, 4);
  auto const run = run_on_four([&](processor& me) {
    std::vector<int> const squares{4 * me.rank() * me.rank(),
                                   (2 * me.rank() + 1) * (2 * me.rank() + 1)};
    pointers const from{7, 7, 2};
    return random_access_read(me, table, from, std::span(squares)).values;
  });
  CHECK(run.results()[0] == std::vector{49, 49, 4});
}
