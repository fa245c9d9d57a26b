#include "papers/shankar_ranka/more_stages.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/random_access/transportation_in_stages.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/claims_row.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

constexpr std::int64_t seeds_of_each_size = 100;
constexpr std::uint64_t tau = 100;  // in words, mu = 1: both are chosen

/// Random traffic on q^m processors, and the elements that it is made of.
struct staged_case {
  int q = 4;
  int m = 2;
  std::int64_t t = 0;  ///< as `transportation` takes it

  [[nodiscard]] int processors() const {
    int p = 1;
    for (int i = 0; i < m; ++i) p *= q;
    return p;
  }
  [[nodiscard]] std::int64_t stages() const { return std::int64_t{2} * m; }
};

/// Maxima over runs, and how many of them took longer than two stages.
struct staged_runs {
  std::uint64_t r = 0;  ///< most elements that a processor sends
  std::uint64_t c = 0;  ///< most that one receives
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
  std::uint64_t slower = 0;
  bool are_correct = true;
};

[[nodiscard]] experiment_result run_with(staged_case const& of, std::int64_t stages,
                                         std::int64_t seed) {
  return run_of_algorithm(
      "transportation", crossbar_of(of.processors()),
      {{"t", of.t}, {"traffic", std::string("random")}, {"stages", stages}, {"seed", seed}});
}

[[nodiscard]] std::uint64_t time_of(experiment_result const& run) {
  auto const counts = run.record.counts();
  return tau * counts.startups + counts.words;
}

/// Adds a run with that seed.
void add_run(staged_runs& to, staged_case const& of, std::int64_t seed) {
  auto const two = run_with(of, 2, seed);
  auto const more = run_with(of, of.stages(), seed);
  to.r = std::max(to.r, counted(more, "r"));
  to.c = std::max(to.c, counted(more, "c"));
  to.startups = std::max(to.startups, more.record.counts().startups);
  to.words = std::max(to.words, more.record.counts().words);
  to.slower += time_of(more) > time_of(two) ? 1 : 0;
  to.are_correct = to.are_correct && two.correct && more.correct;
}

[[nodiscard]] staged_runs runs_of(staged_case const& of) {
  auto const stage = fmt::format("transportation on {}", crossbar_of(of.processors()));
  begin_run(stage, static_cast<std::uint64_t>(seeds_of_each_size));
  staged_runs all;
  for (std::int64_t seed = 1; seed <= seeds_of_each_size; ++seed) {
    add_run(all, of, seed);
    begin_stage(stage, static_cast<std::uint64_t>(seeds_of_each_size));
    note_done(static_cast<std::uint64_t>(seed));
  }
  return all;
}

/// Adds what the algorithm claims of a figure of all runs.
void add_claimed(claimed_cells& cells, std::vector<claim> const& claims, std::string_view figure,
                 std::string const& heading, std::uint64_t measured) {
  auto claimed = claim_about(claims, figure);
  claimed.figure = heading;
  cells.add(claimed, measured).ours();
}

[[nodiscard]] paper_row row_of_stages(staged_case const& of) {
  auto const runs = runs_of(of);
  int const p = of.processors();
  auto const claims =
      transportation_in_stages_claims(crossbar{p}, static_cast<int>(of.stages()), runs.r, runs.c);
  claimed_cells cells({});
  add_claimed(cells, claims, "startups", "most start-ups", runs.startups);
  add_claimed(cells, claims, "words", "most words", runs.words);
  cells.where("small messages: t <= p", of.t <= p)
      .equal(fmt::format("runs slower than 2 stages, tau = {} mu", tau), "0", runs.slower)
      .ours();
  return {fmt::format("p = {} = {}^{}, t = {}, {} seeds", p, of.q, of.m, of.t, seeds_of_each_size),
          fmt::format("{} stages", of.stages()), cells.cells(), runs.are_correct};
}

}  // namespace

std::vector<paper_table> more_stages(int most_processors) {
  paper_table table{"Section 4: transportation through more stages, random traffic", {}, "input"};
  for (auto const& shape : {staged_case{4, 2}, {8, 2}, {4, 3}})
    for (int const share : {4, 1}) {
      int const p = shape.processors();
      if (p <= most_processors) table.rows.push_back(row_of_stages({shape.q, shape.m, p / share}));
    }
  if (most_processors >= 16) table.rows.push_back(row_of_stages({4, 2, 4096}));
  if (table.rows.empty()) return {};
  return {std::move(table)};
}

}  // namespace lockstep
