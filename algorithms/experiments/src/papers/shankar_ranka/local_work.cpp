#include "papers/shankar_ranka/local_work.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/judgement.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/errata.hpp"
#include "papers/told_run.hpp"

namespace lockstep {

namespace {

/// A write of n elements by k buckets of each processor.
struct sized_write {
  int p = 4;
  std::int64_t n = 64;
  std::string k = "auto";
  double size = 1;  ///< what the writes of a row differ in
};

/// A part of a write, the order of its operations, and its phases.
struct growing_part {
  char const* figure;
  char const* formula;
  std::vector<std::string> phases;  ///< the first one, without a name, is before all others
  std::vector<order_point> points{};
  paper_cell cell{};  ///< the numbers of the last write
};

[[nodiscard]] std::vector<growing_part> parts_of_write() {
  std::vector<std::string> const source{"", "combine bucket hits", "scan bucket hits", "stage 1"};
  std::vector<std::string> const intermediate{"stage 2", "segmented scan", "one to one"};
  auto all = source;
  all.insert(all.end(), intermediate.begin(), intermediate.end());
  all.emplace_back("sends");
  return {{"operations, source", "n/p + kp", source},
          {"operations, intermediate", "n/p + kp", intermediate},
          {"operations, destination", "n/p", {"sends"}},
          {"operations, overall", "n/p + n/(kp) + kp", all}};
}

void add_point(growing_part& part, sized_write const& of, std::int64_t k, told_run const& told) {
  claimed_cells cells(
      {{"p", of.p}, {"n", static_cast<double>(of.n)}, {"k", static_cast<double>(k)}});
  auto const operations = told.most_operations_in(part.phases);
  part.points.push_back({of.size, static_cast<double>(operations) / cells.value(part.formula)});
  part.cell = cells.about(part.figure, part.formula, operations).cells().front();
}

[[nodiscard]] paper_row growth_of_writes(std::string const& input, std::string const& pattern,
                                         std::vector<sized_write> const& writes) {
  auto parts = parts_of_write();
  bool is_correct = true;
  for (auto const& of : writes) {
    auto const [told, result] = told_algorithm("random-access-write", of.p,
                                               {{"n", of.n}, {"k", of.k}, {"pattern", pattern}});
    is_correct = is_correct && result.correct;
    for (auto& part : parts)
      add_point(part, of, std::get<std::int64_t>(result.parameters.at("k")), told);
  }
  paper_row row{input + ", " + pattern, "arbitrary", {}, is_correct};
  for (auto& part : parts) {
    part.cell.judged = judge_order(part.points);
    part.cell.bound = comparison::order;
    row.cells.push_back(std::move(part.cell));
  }
  return row;
}

[[nodiscard]] std::vector<sized_write> over_elements() {
  std::vector<sized_write> writes;
  for (std::int64_t n = 256; n <= 65'536; n *= 4)
    writes.push_back({16, n, "4", static_cast<double>(n)});
  return writes;
}

/// From kp = n/p on: before, the terms of n/p and kp, whose constants differ, take turns.
[[nodiscard]] std::vector<sized_write> over_buckets() {
  std::vector<sized_write> writes;
  for (std::int64_t k = 16; k <= 256; k *= 2)
    writes.push_back({16, 4096, fmt::format("{}", k), static_cast<double>(k)});
  return writes;
}

[[nodiscard]] std::vector<sized_write> over_processors(int most) {
  std::vector<sized_write> writes;
  for (int const p : powers_up_to(most))
    writes.push_back({p, std::int64_t{1} * p * p * p, "auto", static_cast<double>(p)});
  return writes;
}

[[nodiscard]] paper_table growths(int most_processors) {
  paper_table table{
      "Section 4.5: operations of the busiest processors of a write: orders of growth, each over "
      "several runs",
      {},
      "input"};
  if (most_processors < 16) return table;  // less than three machines say nothing of growth
  for (auto const* const pattern : {"random", "one-hot"}) {
    table.rows.push_back(
        growth_of_writes("p = 16, k = 4, n = 256 .. 65536", pattern, over_elements()));
    table.rows.push_back(
        growth_of_writes("p = 16, n = 4096, k = 16 .. 256", pattern, over_buckets()));
    auto const machines = over_processors(most_processors);
    table.rows.push_back(
        growth_of_writes(fmt::format("p = 4 .. {}, n = p^3, k near sqrt(n)/p", machines.back().p),
                         pattern, machines));
  }
  return table;
}

/// Makes the row of a monotonic write, which combines what goes to one element in a pass over its own.
[[nodiscard]] paper_row row_of_segments(int p, std::int64_t n, std::string const& pattern) {
  auto const [told, result] =
      told_algorithm("random-access-write", p,
                     {{"n", n}, {"variant", std::string("monotonic")}, {"pattern", pattern}});
  claimed_cells cells({{"p", p}, {"n", static_cast<double>(n)}});
  cells.at_most("operations, segmentation", "n/p", told.most_operations_first_in("equal pointers"));
  return {fmt::format("p = {}, n = {}, {}", p, n, pattern), "monotonic write", cells.cells(),
          result.correct};
}

/// Makes the row of generalize, which copies elements in its last phase.
[[nodiscard]] paper_row row_of_copies(int p, std::int64_t n) {
  auto const [told, result] = told_algorithm("generalize", p, {{"n", n}});
  auto const operations = told.most_operations_in({"copies"});
  claimed_cells cells({{"p", p}, {"n", static_cast<double>(n)}});
  cells.about("operations, copies", "n/p", operations, operations_of_scans())
      .at_most("operations, with the scan", "ceil(n/p) + 2 log2 p", operations)
      .ours();
  return {fmt::format("p = {}, n = {}", p, n), "generalize", cells.cells(), result.correct};
}

/// The sizes of section 6's rows.
[[nodiscard]] std::array<std::int64_t, 2> elements_on(int p) {
  return {std::int64_t{1} * p * p, std::int64_t{16} * p * p};
}

[[nodiscard]] paper_table segmentations(int most_processors) {
  paper_table table{
      "Section 6: operations of the busiest processors in the pass by which a monotonic write "
      "begins",
      {},
      "input"};
  for (int const p : powers_up_to(most_processors))
    for (auto const n : elements_on(p))
      for (auto const* const pattern : {"monotonic", "one-hot"})
        table.rows.push_back(row_of_segments(p, n, pattern));
  return table;
}

[[nodiscard]] paper_table copies(int most_processors) {
  paper_table table{
      "Section 6: operations of the busiest processors in the copy scan by which generalize ends",
      {},
      "input"};
  for (int const p : powers_up_to(most_processors))
    for (auto const n : elements_on(p)) table.rows.push_back(row_of_copies(p, n));
  return table;
}

}  // namespace

std::vector<paper_table> local_work_tables(int most_processors) {
  std::vector<paper_table> tables;
  for (auto&& table :
       {growths(most_processors), segmentations(most_processors), copies(most_processors)})
    if (!table.rows.empty()) tables.push_back(table);
  return tables;
}

}  // namespace lockstep
