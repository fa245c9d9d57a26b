#include <lockstep/algorithms/random_access/item_scan.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <lockstep/algorithms/random_access/detail/last_run.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "random_access/access_samples.hpp"

using lockstep::item_scan;
using lockstep::prefix_kind;
using lockstep::processor;

namespace {

/// Ranks one after the other: does not commute, and shows the order of operands.
struct ranks_in_a_row {
  std::array<std::int8_t, 24> ranks{};
  std::size_t count = 0;

  friend bool operator==(ranks_in_a_row const&, ranks_in_a_row const&) = default;
};

ranks_in_a_row joined(ranks_in_a_row first, ranks_in_a_row const& second) {
  for (std::size_t i = 0; i < second.count; ++i) first.ranks[first.count++] = second.ranks[i];
  return first;
}

ranks_in_a_row from_to(int begin, int end) {
  ranks_in_a_row row;
  for (int rank = begin; rank < end; ++rank)
    row.ranks[row.count++] = static_cast<std::int8_t>(rank);
  return row;
}

ranks_in_a_row expected_of(prefix_kind kind, int rank, int p) {
  switch (kind) {
    case prefix_kind::inclusive:
      return from_to(0, rank + 1);
    case prefix_kind::exclusive:
      return from_to(0, rank);
    case prefix_kind::backward:
      return from_to(rank, p);
    case prefix_kind::backward_exclusive:
      return from_to(rank + 1, p);
  }
  return {};
}

lockstep::machine strict_crossbar_of_items(int p,
                                           lockstep::engine engine = lockstep::engine::fibers) {
  return lockstep::machine(lockstep::crossbar{p}, {.strict = true, .engine = engine, .workers = 1});
}

}  // namespace

TEST_CASE("an item scan combines in rank order, on any number of processors", "[random_access]") {
  for (int p = 1; p <= 17; ++p)
    for (auto const kind : {prefix_kind::inclusive, prefix_kind::exclusive, prefix_kind::backward,
                            prefix_kind::backward_exclusive}) {
      INFO("p = " << p << ", kind " << static_cast<int>(kind));
      auto const run = strict_crossbar_of_items(p).run([&](processor& me) {
        lockstep::monoid const row{ranks_in_a_row{}, joined};
        return item_scan(me, row, from_to(me.rank(), me.rank() + 1), kind);
      });
      for (int rank = 0; rank < p; ++rank)
        CHECK(run.results()[static_cast<std::size_t>(rank)] == expected_of(kind, rank, p));
      auto const rounds = std::bit_width(static_cast<unsigned>(p - 1));
      CHECK(run.counts().steps == static_cast<std::uint64_t>(rounds));
      CHECK(run.counts().startups == static_cast<std::uint64_t>(rounds));
      CHECK(run.counts().words == static_cast<std::uint64_t>(rounds));
    }
}

TEST_CASE("an item scan of an operator without identity has nothing before processor 0",
          "[random_access]") {
  auto const run = strict_crossbar_of_items(5).run(
      [](processor& me) { return item_scan(me, std::plus<int>{}, me.rank() + 1); });
  CHECK(run.results() == std::vector<std::optional<int>>{std::nullopt, 1, 3, 6, 10});
}

TEST_CASE("an item scan counts alike on both engines", "[random_access][threads][sanitize]") {
  auto const program = [](processor& me) {
    return item_scan(me, lockstep::monoid{0, std::plus<int>{}}, me.rank());
  };
  auto const on_fibers = strict_crossbar_of_items(7).run(program);
  auto const on_threads = strict_crossbar_of_items(7, lockstep::engine::threads).run(program);
  CHECK(on_fibers.counts() == on_threads.counts());
  CHECK(on_fibers.results() == on_threads.results());
  CHECK(on_fibers.results().back() == 15);
}

TEST_CASE("item scans refuse a kind that there is not", "[random_access]") {
  auto const refusal =
      refusal_of<lockstep::invalid_argument>(strict_crossbar_of_items(2), [](processor& me) {
        return item_scan(me, lockstep::monoid{0, std::plus<int>{}}, 1, prefix_kind{200});
      });
  CHECK_THAT(refusal, has_text("prefix_kind is 200: take one of prefix_kind::inclusive, "));
}

TEST_CASE("the last run of elements goes on where the next ones begin with its key",
          "[random_access]") {
  using lockstep::detail::last_run;
  auto const join = lockstep::detail::of_last_runs<int>(std::plus<int>{});
  auto const same = [](last_run<int> const& a, last_run<int> const& b) {
    return a.key == b.key && a.value == b.value && a.is_only_key == b.is_only_key &&
           a.is_there == b.is_there;
  };
  last_run<int> const nothing;
  last_run<int> const only_5{5, 1, true, true};
  last_run<int> const ends_in_5{5, 10, false, true};
  last_run<int> const only_6{6, 100, true, true};
  CHECK(same(join(nothing, only_5), only_5));
  CHECK(same(join(only_5, nothing), only_5));
  CHECK(same(join(only_5, only_5), {5, 2, true, true}));
  CHECK(same(join(ends_in_5, only_5), {5, 11, false, true}));
  CHECK(same(join(only_5, ends_in_5), ends_in_5));  // which begins with another key
  CHECK(same(join(only_5, only_6), {6, 100, false, true}));
  std::vector const all{nothing, only_5, ends_in_5, only_6};
  for (auto const& a : all)
    for (auto const& b : all)
      for (auto const& c : all) CHECK(same(join(join(a, b), c), join(a, join(b, c))));
}
