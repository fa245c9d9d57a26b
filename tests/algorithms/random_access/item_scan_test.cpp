#include <lockstep/algorithms/random_access/item_scan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <lockstep/algorithms/random_access/detail/last_run.hpp>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

using lockstep::item_scan;
using lockstep::prefix_kind;

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
  bool const with_own = kind == prefix_kind::inclusive || kind == prefix_kind::backward;
  bool const upward = kind == prefix_kind::inclusive || kind == prefix_kind::exclusive;
  return upward ? from_to(0, rank + (with_own ? 1 : 0)) : from_to(rank + (with_own ? 0 : 1), p);
}

}  // namespace

TEST_CASE("an item scan combines in rank order, on any number of processors", "[random_access]") {
  for (int p = 1; p <= 17; ++p)
    for (auto const kind : {prefix_kind::inclusive, prefix_kind::exclusive, prefix_kind::backward,
                            prefix_kind::backward_exclusive}) {
      INFO("p = " << p << ", kind " << static_cast<int>(kind));
      auto const run = strict_crossbar_of(p).run([&](processor& me) {
        lockstep::monoid const row{ranks_in_a_row{}, joined};
        return item_scan(me, row, from_to(me.rank(), me.rank() + 1), kind);
      });
      for (int rank = 0; rank < p; ++rank)
        CHECK(run.results()[static_cast<std::size_t>(rank)] == expected_of(kind, rank, p));
      CHECK(run.counts().steps == logarithm_of(p));
      CHECK(run.counts().startups == logarithm_of(p));
      CHECK(run.counts().words == logarithm_of(p));
    }
}

TEST_CASE("an item scan of an operator without identity has nothing before processor 0",
          "[random_access]") {
  auto const run = strict_crossbar_of(5).run(
      [](processor& me) { return item_scan(me, std::plus<int>{}, me.rank() + 1); });
  CHECK(run.results() == std::vector<std::optional<int>>{std::nullopt, 1, 3, 6, 10});
}

TEST_CASE("an item scan counts alike on both engines", "[random_access][threads][sanitize]") {
  auto const run = alike_on_both_engines([](lockstep::engine by) {
    return strict_crossbar_of(7, by).run([](processor& me) {
      return item_scan(me, lockstep::monoid{0, std::plus<int>{}}, me.rank());
    });
  });
  CHECK(run.results().back() == 15);
}

TEST_CASE("item scans refuse a kind that there is not", "[random_access]") {
  auto const refusal = refused_on(2, [](processor& me) {
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
