#include "papers/jaja_ryu/whole_number_sorts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/sorting/column_sort.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/algorithms/sorting/rotate_sort.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"

namespace lockstep {

namespace {

using numbers = std::vector<std::uint32_t>;

/// The order of whole numbers below p^digits, which sorts a processor's numbers by their digits to base p.
/// Operations are comparisons, increments and additions of counts, and moves of numbers.
class order_by_digits {
 public:
  order_by_digits(processor& me, int digits) : m_me(&me), m_digits(digits) {}

  [[nodiscard]] bool operator()(std::uint32_t one, std::uint32_t other) const {
    m_me->work(1);
    return one < other;
  }

  void sort(std::span<std::uint32_t> elements) const {
    auto const base = static_cast<std::uint32_t>(std::max(m_me->size(), 2));
    numbers from(elements.begin(), elements.end());
    numbers to(from.size());
    std::uint32_t weight = 1;
    for (int digit = 0; digit < m_digits; ++digit, weight *= base) {
      std::vector<std::size_t> first(base + 1);
      for (auto const number : from) ++first[number / weight % base + 1];
      std::partial_sum(first.begin(), first.end(), first.begin());
      for (auto const number : from) to[first[number / weight % base]++] = number;
      std::swap(from, to);
      m_me->work(2 * elements.size() + base);
    }
    std::ranges::copy(from, elements.begin());
  }

 private:
  processor* m_me;
  int m_digits;
};

/// A sort of a processor's numbers by that order.
struct sort_of_numbers {
  char const* name;
  numbers (*sort)(processor& me, numbers mine, std::size_t n, order_by_digits const& less);
};

constexpr int digits_of_numbers = 2;

/// The operations of a run on the critical path.
struct counted_sort {
  std::uint64_t operations = 0;
  bool is_correct = false;
};

[[nodiscard]] counted_sort run_of_sort(sort_of_numbers const& by, int p, std::size_t n) {
  begin_run("sorting whole numbers");
  numbers keys;
  for (auto const key : generated_keys(key_distribution::random, n, p))
    keys.push_back(static_cast<std::uint32_t>(key) % static_cast<std::uint32_t>(p * p));
  auto const each = n / static_cast<std::size_t>(p);
  machine const columns(crossbar{p}, {.strict = true});
  auto const run = columns.run([&](processor& me) {
    auto const begin = keys.begin() + static_cast<std::ptrdiff_t>(each) * me.rank();
    numbers mine(begin, begin + static_cast<std::ptrdiff_t>(each));
    return by.sort(me, std::move(mine), n, order_by_digits(me, digits_of_numbers));
  });
  numbers sorted;
  for (auto const& part : run.results()) sorted.insert(sorted.end(), part.begin(), part.end());
  std::ranges::sort(keys);
  return {run.counts().work, sorted == keys};
}

/// How many numbers are sorted, and on how many processors.
struct sizes_of_run {
  int p = 2;
  std::size_t n = 4;
  double size = 1;  ///< what the runs of a row differ in
};

[[nodiscard]] paper_row growth_of_sort(sort_of_numbers const& by, std::string input,
                                       std::vector<sizes_of_run> const& runs) {
  std::vector<order_point> points;
  paper_cell cell;
  bool is_correct = true;
  for (auto const& [p, n, size] : runs) {
    auto const counted = run_of_sort(by, p, n);
    is_correct = is_correct && counted.is_correct;
    claimed_cells cells({{"p", p}, {"n", static_cast<double>(n)}});
    cell = cells.about("operations", "n/p", counted.operations).cells().front();
    points.push_back({size, static_cast<double>(counted.operations) / cells.value("n/p")});
  }
  cell.bound = comparison::order;
  cell.judged = judge_order(points);
  return {std::move(input),
          std::string("Corollary 5.1, numbers below p^2, ") + by.name,
          {std::move(cell)},
          is_correct};
}

/// Elements n = least, 4 least, .. up to `most` on one machine.
[[nodiscard]] std::vector<sizes_of_run> sizes_over_elements(int p, std::size_t least,
                                                            std::size_t most) {
  std::vector<sizes_of_run> runs;
  for (auto n = least; n <= most; n *= 4) runs.push_back({p, n, static_cast<double>(n)});
  return runs;
}

[[nodiscard]] std::vector<sizes_of_run> over_machines(std::vector<int> const& processors,
                                                      std::size_t (*elements_of)(std::size_t p)) {
  std::vector<sizes_of_run> runs;
  for (int const p : processors)
    runs.push_back({p, elements_of(static_cast<std::size_t>(p)), static_cast<double>(p)});
  return runs;
}

}  // namespace

paper_table growths_of_whole_number_sorts(int most_processors) {
  paper_table table{
      "Corollary 5.1: operations of sorts of whole numbers, whose local sorts are radix sorts, on "
      "the critical "
      "path: orders of growth, each over several runs",
      {},
      "input"};
  if (most_processors < 64) return table;  // less than three machines say nothing of growth
  sort_of_numbers const columns{
      "column-sort", [](processor& me, numbers mine, std::size_t n, order_by_digits const& less) {
        return column_sort(me, std::move(mine), n, less);
      }};
  sort_of_numbers const rotating{
      "rotate-sort", [](processor& me, numbers mine, std::size_t n, order_by_digits const& less) {
        return rotate_sort(me, std::move(mine), n, less);
      }};
  table.rows = {
      growth_of_sort(columns, "p = 8, n = 1024 .. 65536", sizes_over_elements(8, 1024, 65'536)),
      growth_of_sort(columns, "p = 2 .. 32, n = 2p^3",
                     over_machines({2, 4, 8, 16, 32}, [](std::size_t p) { return 2 * p * p * p; })),
      growth_of_sort(rotating, "p = 16, n = 2048 .. 131072",
                     sizes_over_elements(16, 2048, 131'072)),
      growth_of_sort(rotating, "p = 4 .. 64, n = 8p^2",
                     over_machines({4, 16, 64}, [](std::size_t p) { return 8 * p * p; }))};
  return table;
}

}  // namespace lockstep
