#include "papers/shankar_ranka/primitives.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "papers/claimed_cells.hpp"
#include "papers/claims_row.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/errata.hpp"
#include "random_access/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// Vectors of that many words on each processor of a network.
struct vector_case {
  std::string network;
  std::int64_t words = 0;
  std::string method;
};

using vector_columns = std::array<claimed_figure, 3>;

[[nodiscard]] vector_columns const& columns_of_vectors() {
  static vector_columns const columns{
      {{"startups"}, {"words"}, {"words", false, "words, exactly"}}};
  return columns;
}

[[nodiscard]] experiment_result combined_vectors(std::string const& algorithm,
                                                 vector_case const& of) {
  return measured_algorithm(algorithm, of.network, {{"words", of.words}, {"method", of.method}});
}

[[nodiscard]] paper_row row_of_vectors(std::string input, std::string run,
                                       experiment_result const& result) {
  return row_of_claims(std::move(input), std::move(run), result, "Shankar and Ranka 1997", 0,
                       columns_of_vectors());
}

/// Adds vectors of each length by one method. Circulant sums are for operators that commute, and combine
/// alone.
void add_vectors(paper_table& table, std::string const& algorithm, std::string const& method,
                 int p) {
  bool const is_power = std::has_single_bit(static_cast<unsigned>(p));
  if (is_power && method != "fold") return;
  if (algorithm == "vector-scan" && method == "circulant") return;
  for (std::int64_t const m : {std::int64_t{3}, std::int64_t{16} * p})
    table.rows.push_back(row_of_vectors(fmt::format("p = {}, m = {}", p, m),
                                        fmt::format("{}, {}", algorithm, method),
                                        combined_vectors(algorithm, {crossbar_of(p), m, method})));
}

[[nodiscard]] paper_table vectors(int most_processors) {
  paper_table table{"Section 2: global vector combine and prefix scan of m words", {}, "input"};
  for (auto const* const algorithm : {"vector-combine", "vector-scan"})
    for (auto const* const method : {"fold", "exchange", "circulant"})
      for (int const p : {4, 6, 8, 12, 16, 32, 48, 64})
        if (p <= most_processors) add_vectors(table, algorithm, method, p);
  return table;
}

/// Makes the row of a hypercube. One message on a link in a step, and no message that cuts through
/// waits.
[[nodiscard]] paper_row row_on_hypercube(std::string const& algorithm, int dimensions,
                                         std::int64_t m) {
  vector_case const of{fmt::format("hypercube:{}", dimensions), m, "fold"};
  auto const result = combined_vectors(algorithm, of);
  auto row = row_of_vectors(fmt::format("{}, m = {}", of.network, m), algorithm, result);
  auto const contention =
      claimed_cells({}).at_most("contention", "1", result.record.counts().contention).ours();
  row.cells.push_back(contention.cells().front());
  return row;
}

[[nodiscard]] paper_table vectors_on_hypercubes(int most_processors) {
  paper_table table{"Sections 2 and 8: the same on hypercubes, also for m = p", {}, "input"};
  for (auto const* const algorithm : {"vector-combine", "vector-scan"})
    for (int dimensions = 2; dimensions <= 8 && 1 << dimensions <= most_processors; ++dimensions) {
      auto const p = std::int64_t{1} << dimensions;
      for (auto const m : {std::int64_t{3}, p, 16 * p})
        table.rows.push_back(row_on_hypercube(algorithm, dimensions, m));
    }
  return table;
}

[[nodiscard]] paper_table complete_exchanges(int most_processors) {
  paper_table table{"Section 2: complete exchange, t words of each processor", {}, "input"};
  for (int const p : powers_up_to(most_processors))
    for (std::int64_t const t : {std::int64_t{1} * p, std::int64_t{16} * p}) {
      auto const result = measured_algorithm(
          "transportation", crossbar_of(p),
          {{"t", t}, {"traffic", std::string("uniform")}, {"route", std::string("direct")}});
      claimed_cells cells({{"p", p}, {"t", static_cast<double>(t)}});
      cells.at_most("startups", "p", result.record.counts().startups)
          .at_most("words", "t", result.record.counts().words)
          .equal("words, exactly", "t - t/p", result.record.counts().words)
          .ours();
      table.rows.push_back({fmt::format("p = {}, t = {}", p, t), "complete exchange",
                            cells.cells_of(result), result.correct});
    }
  return table;
}

[[nodiscard]] experiment_result transported(int p, std::string const& traffic, std::int64_t t) {
  return measured_algorithm("transportation", crossbar_of(p), {{"t", t}, {"traffic", traffic}});
}

/// Adds what the run claims of each stage: of stage 1 exactly, of stage 2 with messages rounded up.
void add_stages(claimed_cells& cells, experiment_result const& result) {
  for (std::string const stage : {"1", "2"}) {
    auto claimed = claim_about(result.claims, "stage_" + stage + "_words");
    auto const words = counted(result, claimed.figure);
    claimed.figure = "stage " + stage;
    cells.add(claimed, words).ours();
  }
}

/// The same bound for the words sent and received.
[[nodiscard]] paper_row row_of_transportation(int p, std::string const& traffic, std::int64_t t) {
  auto const result = transported(p, traffic, t);
  auto const& counts = result.record.counts();
  auto const r = counted(result, "r");
  auto const c = counted(result, "c");
  claimed_cells cells({{"p", p},
                       {"t", static_cast<double>(std::max(r, c))},
                       {"r", static_cast<double>(r)},
                       {"c", static_cast<double>(c)}});
  cells.at_most("startups", "2p", counts.startups)
      .at_most("section 4.5", "2p(t/p + p)", counts.words);
  add_stages(cells, result);
  cells.where("t >= p^2").about("words", "2t", counts.words, terms_of_lower_order());
  return {fmt::format("p = {}, t = {}, {}", p, std::max(r, c), traffic), "transportation",
          cells.cells_of(result), result.correct};
}

[[nodiscard]] paper_table transportations(int most_processors) {
  paper_table table{"Section 2: transportation, t words of and for each processor", {}, "input"};
  for (int const p : {4, 5, 8, 16, 17, 32, 64}) {
    if (p > most_processors) continue;
    for (auto const* const traffic : {"uniform", "shift", "double", "random", "adversary"}) {
      if (p % 2 == 0 ? traffic == std::string("double") : traffic != std::string("double"))
        continue;
      for (std::int64_t const t :
           {std::int64_t{2} * p, std::int64_t{1} * p * p, std::int64_t{16} * p * p})
        table.rows.push_back(row_of_transportation(p, traffic, t));
    }
  }
  return table;
}

/// Bounds r and c that differ.
[[nodiscard]] paper_row row_of_bounds(int p, std::string const& traffic, std::int64_t t) {
  auto const result = transported(p, traffic, t);
  auto const& counts = result.record.counts();
  claimed_cells cells({{"p", p},
                       {"r", static_cast<double>(counted(result, "r"))},
                       {"c", static_cast<double>(counted(result, "c"))}});
  cells.at_most("startups", "2p", counts.startups)
      .at_most("words, all terms", "r + c + (p - 1)(p - 1)", counts.words)
      .ours();
  add_stages(cells, result);
  cells.where(detail::elements_of_transportation)
      .about("words", "2(r + c)", counts.words)
      .remark(doubled_bound());
  return {fmt::format("p = {}, t = {}, {}", p, t, traffic), "transportation",
          cells.cells_of(result), result.correct};
}

[[nodiscard]] paper_table bounds_that_differ(int most_processors) {
  paper_table table{"Section 2: transportation, r words sent and c received", {}, "input"};
  for (int const p : powers_up_to(most_processors))
    for (auto const* const traffic : {"hot", "gather"})
      table.rows.push_back(row_of_bounds(p, traffic, std::int64_t{4} * p * p));
  return table;
}

}  // namespace

std::vector<paper_table> primitive_tables(int most_processors) {
  return {vectors(most_processors), complete_exchanges(most_processors),
          transportations(most_processors), bounds_that_differ(most_processors),
          vectors_on_hypercubes(most_processors)};
}

}  // namespace lockstep
