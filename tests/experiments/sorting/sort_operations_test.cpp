#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/sorting/column_sort.hpp>
#include <lockstep/algorithms/sorting/median_sort.hpp>
#include <lockstep/algorithms/sorting/merge_sort.hpp>
#include <lockstep/algorithms/sorting/multiway_merge_sort.hpp>
#include <lockstep/algorithms/sorting/nassimi_sahni_sort.hpp>
#include <lockstep/algorithms/sorting/rotate_sort.hpp>
#include <lockstep/algorithms/sorting/sample_sort.hpp>
#include <lockstep/counted.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "sorting/sort_requests.hpp"

// What sorts count of their local work: by hand, and beside counts that are made without `processor::work`.

using lockstep::processor;

namespace {

using numbers = std::vector<long>;
using counts_by_rank = std::vector<std::uint64_t>;

numbers different_numbers(std::size_t n, std::uint32_t seed) {
  numbers all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<long>(i);
  std::ranges::shuffle(all, std::mt19937(seed));
  return all;
}

/// Sorts such numbers in a file.
lockstep::experiment_result sorted_file(std::string const& name, std::string const& on,
                                        numbers const& keys, given_parameters const& given = {}) {
  std::string text;
  for (auto const key : keys) text += std::to_string(key) + '\n';
  temporary_file const file(text);
  auto asked = requests::make(name, on, given);
  asked.input = file.path();
  auto result = requests::run(name, asked);
  check_right_sort(result);
  return result;
}

counts_by_rank operations_of(lockstep::experiment_result const& result) {
  counts_by_rank operations;
  for (auto const& one : result.record.processors()) operations.push_back(one.operations);
  return operations;
}

/// Runs `sort(me, block, less)` and counts the calls of `less` on each processor.
template <class Sort>
counts_by_rank comparisons_of(std::string const& on, lockstep::ports ports, numbers const& keys,
                              Sort const& sort) {
  lockstep::machine machine{lockstep::parse(on), {.ports = ports, .workers = 1}};
  counts_by_rank calls(static_cast<std::size_t>(machine.size()));
  machine.run([&](processor& me) {
    auto const [first, count] = lockstep::even_block(keys.size(), me.size(), me.rank());
    auto const begin = keys.begin() + static_cast<std::ptrdiff_t>(first);
    numbers const mine(begin, begin + static_cast<std::ptrdiff_t>(count));
    auto const less = [&calls, rank = static_cast<std::size_t>(me.rank())](long a, long b) {
      ++calls[rank];
      return a < b;
    };
    static_cast<void>(sort(me, mine, less));
  });
  return calls;
}

using counted_numbers = std::vector<lockstep::counted<long>>;

/// Column sort as one processor does it, column by column, with numbers that count their comparisons.
class sequential_column_sort {
 public:
  sequential_column_sort(processor& me, std::size_t columns, numbers const& keys)
      : m_me(me), m_q(keys.size() / columns), m_columns(columns) {
    for (std::size_t i = 0; i < keys.size(); ++i) m_columns[i / m_q].push_back(keys[i]);
    step([](counted_numbers& column) { std::ranges::sort(column); });
    auto const p = columns;
    deal([&](std::size_t at) { return at % p; });
    deal([&](std::size_t at) { return (at % m_q * p + at / m_q) / m_q; });
    shift();
  }

  [[nodiscard]] std::uint64_t operations() const { return m_operations; }
  [[nodiscard]] std::uint64_t work() const { return m_work; }

 private:
  template <class Compute>
  void step(Compute const& compute) {
    std::uint64_t most = 0;
    for (auto& column : m_columns) {
      auto const did = m_me.operations_of([&] { compute(column); }).comparisons;
      m_operations += did;
      most = std::max(most, did);
    }
    m_work += most;
  }

  /// Deals the array out, read by columns, and merges what comes to each.
  template <class ColumnOf>
  void deal(ColumnOf const& column_of) {
    auto const p = m_columns.size();
    std::vector<std::vector<counted_numbers>> runs(p, std::vector<counted_numbers>(p));
    for (std::size_t at = 0; at < p * m_q; ++at)
      runs[column_of(at)][at / m_q].push_back(m_columns[at / m_q][at % m_q]);
    std::size_t next = 0;
    step([&](counted_numbers& column) { column = merged(runs[next++]); });
  }

  static counted_numbers merged(std::vector<counted_numbers> runs) {
    std::erase_if(runs, [](counted_numbers const& run) { return run.empty(); });
    while (runs.size() > 1) {
      std::vector<counted_numbers> pairs;
      for (std::size_t i = 0; i < runs.size(); i += 2) {
        pairs.emplace_back();
        counted_numbers const none;
        auto const& other = i + 1 < runs.size() ? runs[i + 1] : none;
        std::ranges::merge(runs[i], other, std::back_inserter(pairs.back()));
      }
      runs = std::move(pairs);
    }
    return runs.front();
  }

  /// Steps 6 and 7: half a column moves on, and is merged with what stays.
  void shift() {
    auto const before = m_columns;
    auto const half = static_cast<std::ptrdiff_t>(m_q / 2);
    std::size_t next = 0;
    step([&](counted_numbers& column) {
      counted_numbers moved;
      if (next > 0) moved.assign(before[next - 1].end() - half, before[next - 1].end());
      counted_numbers const stays(before[next].begin(), before[next].end() - half);
      column.clear();
      std::ranges::merge(moved, stays, std::back_inserter(column));
      ++next;
    });
  }

  processor& m_me;
  std::size_t m_q;
  std::vector<counted_numbers> m_columns;
  std::uint64_t m_operations = 0;
  std::uint64_t m_work = 0;
};

}  // namespace

TEST_CASE("counting-sort counts increments, additions and moves", "[sorting]") {
  // Two processors with two keys each, and a digit for each to add up.
  auto const result =
      sorted_file("counting-sort", "crossbar:2", {1, 0, 0, 1}, {{"range", std::int64_t{2}}});
  auto const& counts = result.record.counts();
  // Increments 4; of 2 processors 2 counts to scan and 2 pairs to add up; and 4 keys moved 3 times.
  CHECK(counts.operations == 4 + 2 * (2 + 2 * 2) + 3 * 4);
  CHECK(counts.work == 2 + (2 + 2 * 2) + 2 + 2 + 2);  // two keys pass each processor in between
}

TEST_CASE("radix-sort counts a counting sort for each digit, in the short form, too", "[sorting]") {
  for (int const p : {1, 3, 8})
    for (std::size_t const n : {0U, 5U, 1000U}) {
      auto const on = "crossbar:" + std::to_string(p);
      INFO(on << ", n = " << n);
      auto const keys = different_numbers(n, 7);
      given_parameters given{{"radix", std::int64_t{64}}, {"keys", std::string("int32")}};
      auto const result = sorted_file("radix-sort", on, keys, given);
      auto const passes = static_cast<std::uint64_t>(number_in(result.figures, "passes"));
      CHECK(passes == 6);
      auto const processors = static_cast<std::uint64_t>(p);
      auto const q = (64 + processors - 1) / processors;
      CHECK(result.record.counts().operations ==
            passes * (4 * n + 3 * processors * processors * q));
      given["textbook"] = true;
      auto const textbook = sorted_file("radix-sort", on, keys, given);
      CHECK(operations_of(textbook) == operations_of(result));
      CHECK(textbook.record.counts().work == result.record.counts().work);
    }
}

TEST_CASE("column-sort counts the comparisons of its steps", "[sorting]") {
  // Columns of two: in steps 3 and 5 two runs of one key, in step 7 the second processor alone has two.
  auto const small = sorted_file("column-sort", "crossbar:2", {3, 1, 0, 2});
  CHECK(number_in(small.figures, "merging") == 1 + 1 + 1);
  for (int const p : {2, 3, 4})
    for (std::uint32_t const seed : {1U, 2U}) {
      auto const columns = static_cast<std::size_t>(p);
      auto const keys = different_numbers(columns * columns * 24, seed);
      INFO("p = " << p << ", seed " << seed);
      auto const& counts =
          sorted_file("column-sort", "crossbar:" + std::to_string(p), keys).record.counts();
      lockstep::machine{lockstep::crossbar{1}}.run([&](processor& me) {
        sequential_column_sort const sequential(me, columns, keys);
        CHECK(counts.operations == sequential.operations());
        CHECK(counts.work == sequential.work());
      });
    }
}

TEST_CASE("sorts by comparisons count each call of the order", "[sorting]") {
  auto const keys = different_numbers(1024, 3);
  auto const n = keys.size();
  auto const one = lockstep::ports::one;
  CHECK(operations_of(sorted_file("column-sort", "crossbar:4", keys)) ==
        comparisons_of("crossbar:4", one, keys, [n](processor& me, auto mine, auto const& less) {
          return lockstep::column_sort(me, std::move(mine), n, less);
        }));
  CHECK(operations_of(sorted_file("rotate-sort", "crossbar:4", keys)) ==
        comparisons_of("crossbar:4", one, keys, [n](processor& me, auto mine, auto const& less) {
          return lockstep::rotate_sort(me, std::move(mine), n, less);
        }));
  for (auto const way :
       {lockstep::median_sort_route::direct, lockstep::median_sort_route::random}) {
    auto const result = sorted_file("median-sort", "crossbar:4", keys,
                                    {{"way", std::string(lockstep::name_of(way))}, {"c", 16.0}});
    auto const calls =
        comparisons_of("crossbar:4", one, keys, [&](processor& me, auto mine, auto const& less) {
          return lockstep::median_sort(me, std::move(mine), n, less, {.way = way, .c = 16});
        });
    std::uint64_t all = way == lockstep::median_sort_route::random ? 2 * n : 0;  // put in slots
    for (auto const each : calls) all += each;
    CHECK(result.record.counts().operations == all);
  }
  auto const sampled = sorted_file("sample-sort", "crossbar:4", keys, {{"c", 16.0}});
  auto const calls =
      comparisons_of("crossbar:4", one, keys, [n](processor& me, auto mine, auto const& less) {
        return lockstep::sample_sort(me, mine, n, less, {.c = 16});
      });
  std::uint64_t all = 2 * n;  // put in slots
  for (auto const each : calls) all += each;
  CHECK(sampled.record.counts().operations == all);
}

TEST_CASE("sorts by merging count each call of the order", "[sorting]") {
  auto const keys = different_numbers(128, 5);
  auto const all_ports = lockstep::ports::all;
  CHECK(operations_of(sorted_file("merge-sort", "hypercube:4", keys)) ==
        comparisons_of("hypercube:4", all_ports, keys,
                       [](processor& me, auto mine, auto const& less) {
                         return lockstep::merge_sort(me, std::move(mine), {.k = 8}, less);
                       }));
  lockstep::multiway_sort_plan const plan(4, keys.size(), 2);
  CHECK(operations_of(
            sorted_file("multiway-merge-sort", "hypercube:4", keys, {{"l", std::string("2")}})) ==
        comparisons_of("hypercube:4", all_ports, keys,
                       [&](processor& me, auto mine, auto const& less) {
                         return lockstep::multiway_merge_sort(me, std::move(mine), plan, less);
                       }));
  auto const few = different_numbers(16, 5);
  CHECK(operations_of(sorted_file("nassimi-sahni-sort", "hypercube:6", few)) ==
        comparisons_of("hypercube:6", lockstep::ports::one, few,
                       [](processor& me, auto mine, auto const& less) {
                         auto const own = mine.empty() ? std::nullopt : std::optional(mine.front());
                         return lockstep::nassimi_sahni_sort(me, own, 2, less);
                       }));
}

TEST_CASE("merges count comparisons that take no step", "[sorting]") {
  auto const of = [](std::string const& name, std::int64_t k) {
    auto asked = requests::make(name, "hypercube:2", {{"k", k}});
    asked.options.ports = lockstep::ports::all;
    auto const result = requests::run(name, asked);
    check_right_sort(result);
    return result.record.counts();
  };
  CHECK(of("merge", 1).operations > 0);
  CHECK(of("merge", 64).work > 4 * of("merge", 4).work);
  CHECK(of("multiway-merge", 8).work > 0);
}

TEST_CASE("sorts by samples have the T_p of a textbook, as an order of growth", "[sorting]") {
  struct sizes {
    int p;
    std::int64_t n;
    double size;
  };
  auto const verdict = [](std::string const& name, std::vector<sizes> const& runs) {
    std::vector<lockstep::order_point> points;
    for (auto const& [p, n, size] : runs) {
      auto const result =
          requests::run(name, requests::make(name, "crossbar:" + std::to_string(p), {{"n", n}}));
      check_right_sort(result);
      auto const claimed = std::ranges::find_if(result.claims, [](lockstep::claim const& one) {
        return one.figure == "T_p" && one.bound == lockstep::comparison::order;
      });
      REQUIRE(claimed != result.claims.end());
      auto const& counted = result.record.counts();
      auto const time = std::get<std::int64_t>(result.figures.at("T_p"));
      CHECK(std::cmp_equal(time, counted.work + 100 * counted.startups + counted.words));
      points.push_back({size, static_cast<double>(time) / claimed->value()});
    }
    return lockstep::judge_order(points).verdict;
  };
  using enum lockstep::claim_verdict;
  CHECK(verdict("median-sort",
                {{8, 1024, 1024}, {8, 4096, 4096}, {8, 16'384, 16'384}, {8, 65'536, 65'536}}) ==
        holds);
  CHECK(verdict("median-sort",
                {{2, 16, 2}, {4, 128, 4}, {8, 1024, 8}, {16, 8192, 16}, {32, 65'536, 32}}) ==
        holds);
  CHECK(verdict("sample-sort", {{8, 8192, 8192}, {8, 32'768, 32'768}, {8, 131'072, 131'072}}) ==
        holds);
}
