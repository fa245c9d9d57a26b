#include <lockstep/algorithms/random_access/vector_combine.hpp>

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

using lockstep::scan_direction;
using lockstep::vector_method;
using lockstep::vector_options;

namespace {

using sequences = std::vector<text_hash>;

sequences vector_of(int rank, std::size_t words) {
  return letters(1000 * static_cast<std::size_t>(rank), words);
}

/// The combination of the vectors of ranks `first` to before `last`; nothing of none.
std::optional<sequences> combined(int first, int last, std::size_t words) {
  if (first >= last) return std::nullopt;
  auto all = vector_of(first, words);
  for (int rank = first + 1; rank < last; ++rank) {
    auto const next = vector_of(rank, words);
    for (std::size_t i = 0; i < words; ++i) all[i] = concatenation{}(all[i], next[i]);
  }
  return all;
}

std::uint64_t ceiling(std::uint64_t m, std::uint64_t parts) { return (m + parts - 1) / parts; }

/// Start-ups and words as the page has them, in other words than the library's.
lockstep::vector_counts expected_counts(int p, std::uint64_t m, std::uint64_t copies,
                                        bool exchanges) {
  if (p == 1 || m == 0) return {};
  auto const processors = static_cast<std::uint64_t>(p);
  if (exchanges) return {2 * (processors - 1), copies * (processors - 1) * ceiling(m, processors)};
  lockstep::vector_counts made;
  std::uint64_t group = 2;
  for (; group <= processors; group *= 2) {
    made.startups += 2;
    made.words += copies * ceiling(m, group);
  }
  if (group == 2 * processors) return made;
  return {made.startups + 2, made.words + copies * m};
}

lockstep::vector_counts measured(lockstep::run_record const& run) {
  return {run.counts().startups, run.counts().words};
}

/// The vector lengths that are tried on p processors.
std::vector<std::size_t> lengths(int p) {
  auto const size = static_cast<std::size_t>(p);
  return {0, 1, 2, 3, size - 1, size, size + 1, 4 * size, 37};
}

void check_sums(int p, std::size_t words, vector_options const& options) {
  INFO("p = " << p << ", m = " << words << ", " << name_of(options.method));
  bool const exchanges = options.method == vector_method::exchange;
  bool const up = options.direction == scan_direction::upward;
  auto const totals = *combined(0, p, words);
  auto const before = [&](int rank) {
    return up ? combined(0, rank, words) : combined(rank + 1, p, words);
  };
  auto const run = [&](auto const& call) {
    return strict_crossbar_of(p).run([&](processor& me) {
      auto const mine = vector_of(me.rank(), words);
      return call(me, std::span(mine));
    });
  };
  using vector = std::span<text_hash const>;
  auto const combines = run([&](processor& me, vector mine) {
    return vector_combine(me, concatenation{}, mine, options);
  });
  auto const scans = run(
      [&](processor& me, vector mine) { return vector_scan(me, concatenation{}, mine, options); });
  auto const both = run([&](processor& me, vector mine) {
    return vector_combine_scan(me, concatenation{}, mine, options);
  });
  for (int rank = 0; rank < p; ++rank) {
    auto const i = static_cast<std::size_t>(rank);
    INFO("processor " << rank);
    CHECK((combines.results()[i] == totals));
    CHECK((scans.results()[i] == before(rank)));
    CHECK((both.results()[i].totals == totals));
    CHECK((both.results()[i].before == before(rank)));
  }
  auto const once = expected_counts(p, words, 2, exchanges);
  CHECK(measured(combines) == once);
  CHECK(measured(scans) == once);
  CHECK(measured(both) == expected_counts(p, words, 3, exchanges));
  CHECK(lockstep::vector_counts_of(options.method, p, words, 2) == once);
  CHECK(combines.phases().empty());
}

}  // namespace

TEST_CASE("vectors are combined and scanned in rank order, at the counts of the page",
          "[random_access]") {
  for (int p = 1; p <= 17; ++p)
    for (auto const words : lengths(p))
      for (auto const method : {vector_method::fold, vector_method::exchange})
        check_sums(p, words, {.method = method});
}

TEST_CASE("vectors are scanned from the highest rank down, in rank order", "[random_access]") {
  for (int p = 1; p <= 17; ++p)
    for (auto const method : {vector_method::fold, vector_method::exchange})
      check_sums(p, static_cast<std::size_t>(p) + 2,
                 {.method = method, .direction = scan_direction::downward});
  check_sums(32, 5, {.method = vector_method::fold, .direction = scan_direction::downward});
  check_sums(64, 100, {.method = vector_method::fold});
}

TEST_CASE("the split of three elements on eight processors takes more than 2m words",
          "[random_access]") {
  CHECK(expected_counts(8, 3, 2, false).words == 8);
  check_sums(8, 3, {.method = vector_method::fold});
}

TEST_CASE("a hypercube combines and scans vectors with its neighbours", "[random_access]") {
  lockstep::machine const cube(lockstep::hypercube{3}, {.strict = true, .workers = 1});
  auto const run = cube.run([](processor& me) {
    auto const mine = vector_of(me.rank(), 11);
    return vector_combine_scan(me, concatenation{}, std::span(mine));
  });
  CHECK(run.results()[7].totals == *combined(0, 8, 11));
  CHECK(run.results()[7].before == combined(0, 7, 11));
  CHECK(run.counts().steps == 6);
}

TEST_CASE("vectors are combined alike on both engines", "[random_access][threads][sanitize]") {
  for (int const p : {4, 7})
    for (auto const method : {vector_method::fold, vector_method::exchange}) {
      auto const run = alike_on_both_engines([&](lockstep::engine by) {
        return strict_crossbar_of(p, by).run([&](processor& me) {
          auto const mine = vector_of(me.rank(), 9);
          return vector_combine_scan(me, concatenation{}, std::span(mine), {.method = method})
              .totals;
        });
      });
      CHECK((run.results().front() == *combined(0, p, 9)));
    }
}

TEST_CASE("the processors of a subset combine and scan vectors, on a crossbar and a torus",
          "[random_access]") {
  for (auto const& whole :
       {lockstep::machine{lockstep::crossbar{6}}, lockstep::machine{lockstep::torus{{2, 3}}}})
    for (auto const method : {vector_method::fold, vector_method::exchange}) {
      auto const run = whole.run([&](processor& me) {
        if (me.rank() == 0) return sequences();
        auto group = me.subset(std::vector<int>{1, 2, 3, 4, 5});
        auto const mine = vector_of(group.rank(), 7);
        return vector_combine(group, concatenation{}, std::span(mine), {.method = method});
      });
      CHECK(run.results().back() == *combined(0, 5, 7));
    }
}

TEST_CASE("vectors of operators that commute go by circulants, in the fewest start-ups and words",
          "[random_access][sanitize]") {
  for (int p = 1; p <= 40; ++p)
    for (auto const words : lengths(p)) {
      INFO("p = " << p << ", m = " << words);
      auto const number = [&](int rank, std::size_t i) {
        return static_cast<std::uint64_t>(rank) * 1'000'003 + i * i * 17;
      };
      vector_options const options{.method = vector_method::circulant, .commutes = true};
      auto const run = strict_crossbar_of(p).run([&](processor& me) {
        std::vector<std::uint64_t> mine(words);
        for (std::size_t i = 0; i < words; ++i) mine[i] = number(me.rank(), i);
        return vector_combine(me, std::plus<std::uint64_t>{}, std::span<std::uint64_t const>(mine),
                              options);
      });
      std::vector<std::uint64_t> totals(words);
      for (int rank = 0; rank < p; ++rank)
        for (std::size_t i = 0; i < words; ++i) totals[i] += number(rank, i);
      for (auto const& result : run.results()) CHECK(result == totals);
      CHECK(measured(run) == lockstep::vector_counts_of(vector_method::circulant, p, words, 2));
      auto const size = static_cast<std::uint64_t>(p);
      if (words > 0) CHECK(run.counts().startups == 2U * std::bit_width(size - 1));
      if (words % size == 0) CHECK(run.counts().words == 2 * (words - words / size));
    }
  CHECK(vector_counts_of(vector_method::circulant, 6, 36, 2) == lockstep::vector_counts{6, 60});
  CHECK(vector_counts_of(vector_method::fold, 6, 36, 2) == lockstep::vector_counts{6, 126});
  CHECK(vector_counts_of(vector_method::exchange, 6, 36, 2) == lockstep::vector_counts{10, 60});
}

TEST_CASE("the method is the cheaper of the two, and the split for a power of two",
          "[random_access]") {
  using lockstep::method_for;
  CHECK(method_for({}, 8, 1'000'000, 2) == vector_method::fold);
  CHECK(method_for({}, 5, 64, 2) == vector_method::fold);
  CHECK(method_for({}, 5, 1'000'000, 2) == vector_method::exchange);
  CHECK(method_for({.startup_words = 0}, 5, 64, 2) == vector_method::exchange);
  CHECK(method_for({.method = vector_method::exchange}, 8, 64, 2) == vector_method::exchange);
  CHECK(method_for({.commutes = true}, 5, 64, 2) == vector_method::circulant);
  CHECK(method_for({.commutes = true}, 8, 64, 2) == vector_method::fold);
  CHECK(lockstep::detail::method_of_sums({.commutes = true}, 5, 64, {.prefixes = true}) ==
        vector_method::fold);
  CHECK_THROWS_WITH(method_for({.method = vector_method::circulant}, 5, 64, 2),
                    has_text("the operator has to commute; set commutes where it does"));
  CHECK_THROWS_WITH(
      lockstep::detail::method_of_sums({.method = vector_method::circulant, .commutes = true}, 5,
                                       64, {.prefixes = true}),
      has_text("take the method fold or exchange"));
  CHECK_THROWS_AS(method_for({}, 0, 64, 2), lockstep::invalid_argument);
  CHECK_THROWS_AS(method_for({.method = vector_method{200}}, 4, 64, 2), lockstep::invalid_argument);
}

TEST_CASE("vectors are refused on other networks, and of different lengths", "[random_access]") {
  auto const refusal = [](lockstep::machine const& on, vector_options const& options) {
    return refusal_of<lockstep::invalid_argument>(on, [&](processor& me) {
      std::vector<int> const mine{me.rank()};
      return vector_combine(me, std::plus<int>{}, std::span<int const>(mine), options);
    });
  };
  CHECK_THAT(refusal(lockstep::machine{lockstep::torus{{2, 2}}}, {}), has_text("crossbar:4"));
  CHECK_THAT(
      refusal(lockstep::machine{lockstep::hypercube{2}}, {.method = vector_method::exchange}),
      has_text("the method fold, or crossbar:4"));
  CHECK(refusal(lockstep::machine{lockstep::hypercube{2}}, {}) == "not refused");
  CHECK_THROWS_AS(lockstep::machine{lockstep::crossbar{2}}.run([](processor& me) {
    std::vector<int> const mine(static_cast<std::size_t>(4 + 4 * me.rank()));
    return vector_combine(me, std::plus<int>{}, std::span<int const>(mine));
  }),
                  lockstep::size_mismatch);
}
