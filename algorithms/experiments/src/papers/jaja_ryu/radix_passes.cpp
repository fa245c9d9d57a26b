#include "papers/jaja_ryu/radix_passes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/column_sort.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/jaja_ryu/errata.hpp"
#include "papers/jaja_ryu/measured_block.hpp"
#include "routing/supposed_sizes.hpp"
#include "sorting/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// Computes the time of those phases of a run in which keys move, and not counts of digits.
[[nodiscard]] std::uint64_t time_of_routing(measured_block const& run) {
  std::uint64_t time = 0;
  for (auto const& phase : run.result.record.phases())
    if (phase.name.starts_with("route ")) time += phase.startups * run.tau + phase.words;
  return time;
}

/// Corollary 5.1 (1), from n >= 2p(p - 1)^2 on, for each digit.
constexpr char const* passes_of_column_sort = "(b/r)(4 tau + 3n/p + 2pm)";

/// Corollary 5.1 (3), from n on for which p^2 < n/(6 ln n).
constexpr char const* passes_of_sample_sort = "(b/r)(3 tau + (p - 1)m ceil(5 ln n/m) + 6n/p)";

/// Corollary 5.1 (2), the bound on T_comm that applies from n >= p^2 on, for each digit.
constexpr char const* passes_of_rotate_sort = "(b/r)(6 + 2ceil(log (1 + 6p^2/n)))(tau + n/p + pm)";

[[nodiscard]] paper_row sorted_by_digits(machine_of_paper const& on, std::int64_t n,
                                         int digit_bits) {
  auto const range = std::int64_t{1} << digit_bits;
  auto const run = [&](std::string const& name, std::string const& parameter) {
    return measured_on(on, name, {{"n", n}, {parameter, range}, {"blocks", std::string("padded")}});
  };
  auto const all = run("radix-sort", "radix");
  auto const pass = run("counting-sort", "range");
  std::map<std::string, double, std::less<>> const letters{
      {"n", static_cast<double>(n)},
      {"b", static_cast<double>(counted(all.result, "key_bits"))},
      {"r", digit_bits},
      {"T_comm", static_cast<double>(time_of_routing(pass))},
      {"T", static_cast<double>(pass.time())}};
  auto cells = on.cells(letters);
  cells.where(detail::elements_for_shears)
      .where(detail::sizes_of_rotate_sort(static_cast<std::size_t>(n), on.p))
      .equal("passes", "b/r", counted(all.result, "passes"))
      .at_most("time", passes_of_rotate_sort, all.time(), ranks_are_counted())
      .equal("routing", "(b/r) T_comm", time_of_routing(all))
      .ours()
      .equal("time, with counts", "(b/r) T", all.time())
      .ours()
      .where(detail::elements_of_columns)
      .at_most("time, (1)", passes_of_column_sort, all.time(), ranks_are_counted());
  auto all_cells = cells.cells();
  auto of_samples = on.cells(letters);
  of_samples.where(detail::room_with_high_probability)
      .at_most("time, (3)", passes_of_sample_sort, all.time(), ranks_are_counted());
  all_cells.push_back(of_samples.cells().front());
  return {on.text("n", n), fmt::format("r = {}", digit_bits), std::move(all_cells),
          all.result.correct && pass.result.correct};
}

/// Makes the row of a radix sort whose passes each are a stable column sort by a digit.
[[nodiscard]] paper_row sorted_by_columns(machine_of_paper const& on, std::int64_t n,
                                          int digit_bits) {
  constexpr int bits = 32;
  auto const size = static_cast<std::size_t>(n);
  auto keys = generated_keys(key_distribution::random, size, on.p);
  auto const each = size / static_cast<std::size_t>(on.p);
  begin_run("sorting digits by columns");
  machine const columns(crossbar{on.p},
                        {.strict = true, .packet = static_cast<std::uint64_t>(on.m)});
  auto const run = columns.run([&](processor& me) {
    auto const begin = keys.begin() + static_cast<std::ptrdiff_t>(each) * me.rank();
    std::vector<std::int32_t> mine(begin, begin + static_cast<std::ptrdiff_t>(each));
    for (int low = 0; low < bits; low += digit_bits) {
      auto const digit = [&](std::int32_t key) {
        return static_cast<std::uint32_t>(key) >> low & ((1U << digit_bits) - 1);
      };
      mine = column_sort(
          me, std::move(mine), size,
          [&](std::int32_t left, std::int32_t right) { return digit(left) < digit(right); },
          {.stable = true});
    }
    return mine;
  });
  std::vector<std::int32_t> sorted;
  for (auto const& part : run.results()) sorted.insert(sorted.end(), part.begin(), part.end());
  std::ranges::sort(keys);
  auto cells = on.cells(
      {{"n", static_cast<double>(n)}, {"b", bits}, {"r", static_cast<double>(digit_bits)}});
  cells.where(detail::elements_of_columns)
      .at_most("time, (1)", passes_of_column_sort,
               run.counts().startups * static_cast<std::uint64_t>(on.tau) + run.counts().words);
  return {on.text("n", n), fmt::format("r = {}", digit_bits), cells.cells(), sorted == keys};
}

}  // namespace

paper_table radix_passes_by_columns(int most_processors) {
  paper_table table{
      "Section 5.1: radix sort of keys of 32 bits, r at a time, each pass a stable column sort, "
      "beside b/r times Corollary 5.1 (1)",
      {},
      "input"};
  for (int const p : {2, 4, 8, 16})
    for (auto const& on : {machine_of_paper{p, 64, 8}, machine_of_paper{p, 1024, 16}}) {
      auto const n = std::int64_t{2} * p * p * p;
      if (p <= most_processors)
        for (int const digit_bits : {4, 8})
          table.rows.push_back(sorted_by_columns(on, n, digit_bits));
    }
  return table;
}

paper_table radix_passes_of_sort(int most_processors) {
  paper_table table{
      "Section 5.1: radix sort of keys of b bits, r at a time, beside b/r times the T_comm that "
      "Corollary 5.1 (2) bounds, (1) and (3); ours: T_comm and T of a counting sort of digits of r "
      "bits, where "
      "its keys move and in all",
      {},
      "input"};
  for (int const p : {4, 16, 64})
    for (auto const& on : {machine_of_paper{p, 64, 8}, machine_of_paper{p, 1024, 16}})
      for (int const digit_bits : {4, 8}) {
        // n/p >= 2^r, so that a pass has no more counts than keys
        auto const n = std::max(std::int64_t{8} * p * p, std::int64_t{p} << digit_bits);
        if (p <= most_processors) table.rows.push_back(sorted_by_digits(on, n, digit_bits));
      }
  return table;
}

}  // namespace lockstep
