#include "papers/bader_helman_jaja/passes.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "papers/bader_helman_jaja/formulas.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/in_binary.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

constexpr std::int64_t bits_of_keys = 32;

[[nodiscard]] std::uint64_t words_in(experiment_result const& result, std::string_view phase) {
  std::uint64_t words = 0;
  for (auto const& each : result.record.phases())
    if (each.name == phase) words += each.words;
  return words;
}

/// Makes the row of a counting sort of n = 16p^2 keys of R values. The paper states the blocks of Steps 2
/// and 4; their words, and the sums, are ours.
[[nodiscard]] paper_row row_of_counting(int p, std::int64_t values, std::string const& blocks) {
  auto const n = std::int64_t{16} * p * p;
  auto const result = measured_algorithm("counting-sort", crossbar_of(p),
                                         {{"n", n}, {"range", values}, {"blocks", blocks}});
  claimed_cells cells(
      {{"p", p}, {"n", static_cast<double>(n)}, {"R", static_cast<double>(values)}});
  auto const all = result.record.counts();
  cells.equal("words, step 2", "(R/p)(p - 1)", words_in(result, "counts"))
      .ours()
      .equal("words, step 4", "(2R/p)(p - 1)", words_in(result, "ranks"))
      .ours()
      .at_most("step 6, out", of_section_3::words_of_step_2, words_in(result, "route 1"))
      .at_most("step 6, on", of_section_3::words_of_step_2, words_in(result, "route 2"))
      .equal("startups", "4", all.startups)
      .ours()
      .at_most("words", "(3R/p + 2(n/p^2 + p/2))(p - 1)", all.words)
      .ours();
  return {fmt::format("p = {}, n = {}, R = {}", p, n, values), fmt::format("{} blocks", blocks),
          cells.cells_of(result), result.correct};
}

/// Makes the row of a radix sort of keys of 32 bits, R = n/p.
[[nodiscard]] paper_row row_of_choice(int p, std::int64_t keys_each) {
  auto const n = keys_each * p;
  auto const result =
      measured_algorithm("radix-sort", crossbar_of(p),
                         {{"n", n}, {"radix", keys_each}, {"blocks", std::string("padded")}});
  auto const r = std::countr_zero(static_cast<std::uint64_t>(keys_each));
  auto const all = result.record.counts();
  auto const passes = counted(result, "passes");
  claimed_cells cells({{"p", p},
                       {"n", static_cast<double>(n)},
                       {"R", static_cast<double>(keys_each)},
                       {"b", static_cast<double>(bits_of_keys)},
                       {"r", r}});
  cells.equal("passes", "ceil(b/r)", passes)
      .ours()
      .equal("startups", "4 ceil(b/r)", all.startups)
      .ours()
      .equal("words", "ceil(b/r) (3R/p + 2(n/p^2 + p/2))(p - 1)", all.words)
      .ours()
      .where("r divides b")
      .equal("passes, section 4.2", "b/r", passes);
  return {fmt::format("p = {}, n/p = R = {}", p, in_binary(keys_each)), "padded blocks",
          cells.cells_of(result), result.correct};
}

}  // namespace

paper_table counting_sort_table(std::span<int const> processors) {
  paper_table table{"Section 4.1: the communications of counting sort", {}, "input"};
  for (int const p : processors)
    for (std::int64_t const values :
         {std::int64_t{1} * p, std::int64_t{16} * p, std::int64_t{1024}})
      for (auto const* const blocks : {"padded", "real"})
        table.rows.push_back(row_of_counting(p, values, blocks));
  return table;
}

paper_table chosen_radix_table(std::span<int const> processors) {
  paper_table table{"Section 4.2: radix sort of 32 bits, R = n/p", {}, "input"};
  constexpr std::int64_t most_keys = 1 << 19;
  for (int const p : processors)
    for (std::int64_t const keys : {16, 256, 1024, 65536})
      if (keys >= p && keys * p <= most_keys) table.rows.push_back(row_of_choice(p, keys));
  return table;
}

}  // namespace lockstep
