#include "papers/shankar_ranka/write_steps.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/bucket_plan.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/errata.hpp"
#include "papers/told_run.hpp"

namespace lockstep {

namespace {

constexpr char const* algorithm_of_writes = "random-access-write";

/// The most words that a processor sends, and that one takes in, in phases of one name.
struct busiest_words {
  std::uint64_t out = 0;
  std::uint64_t in = 0;
};

[[nodiscard]] busiest_words busiest_in(told_run const& told, std::string_view phase, int p) {
  std::vector<std::uint64_t> out(static_cast<std::size_t>(p));
  std::vector<std::uint64_t> in(out.size());
  for (auto const& message : told.messages_in(phase)) {
    out[static_cast<std::size_t>(message.from)] += message.words;
    in[static_cast<std::size_t>(message.to)] += message.words;
  }
  return {std::ranges::max(out), std::ranges::max(in)};
}

/// A pattern, as `--pattern` takes it.
struct named_pattern {
  char const* name;
  access_pattern kind;
};

constexpr std::array patterns_of_hybrids{named_pattern{"random", access_pattern::random},
                                         named_pattern{"permutation", access_pattern::permutation},
                                         named_pattern{"few-hot", access_pattern::few_hot},
                                         named_pattern{"one-hot", access_pattern::one_hot},
                                         named_pattern{"singles", access_pattern::singles}};

/// Rows of the same runs.
struct write_step_tables {
  paper_table elements;
  paper_table vectors;
  paper_table passes;
};

/// Sums up the counts of the phases of some names.
[[nodiscard]] counts counts_of(run_record const& run, std::vector<std::string> const& names) {
  counts sum;
  for (auto const& phase : run.phases()) {
    if (std::ranges::count(names, phase.name) == 0) continue;
    sum.startups += phase.startups;
    sum.words += phase.words;
  }
  return sum;
}

/// Adds the operations of sequential passes: over a source's elements to count hits, before the first phase,
/// and to make messages; over buckets and elements to order those of an intermediate.
void add_passes(claimed_cells& cells, told_run const& told) {
  cells.at_most("operations, hits", "ceil(n/p)", told.most_operations_in({""}))
      .at_most("operations, messages", "ceil(n/p)", told.most_operations_in({"stage 1"}))
      .at_most("operations, reshuffling", "kp + ceil(n/p)",
               told.most_operations_after_messages("stage 2"));
}

/// Adds what the vectors take: section 2's bounds for kp and for n/(kp) words, which section 4.5 gives
/// as orders.
void add_vectors(claimed_cells& cells, run_record const& run) {
  auto const hits = counts_of(run, {"combine bucket hits", "scan bucket hits"});
  auto const partial = counts_of(run, {"segmented scan", "one to one"});
  cells.at_most("start-ups, hits", "4 log2 p", hits.startups)
      .ours()
      .at_most("words, hits", "4kp", hits.words)
      .ours()
      .at_most("start-ups, partial", "2 log2 p + 1", partial.startups)
      .ours()
      .at_most("words, partial", "3 ceil(n/(kp))", partial.words, whole_cells())
      .ours();
}

/// Writes of some size: with few buckets of a processor, with those of the shortest vectors, and with
/// one of each element.
struct written_steps {
  int p = 4;
  std::string buckets;
  std::string pattern;

  [[nodiscard]] std::int64_t n() const { return std::int64_t{1} * p * p * p; }
};

/// Adds the rows of a write to both tables: what vectors take, and what elements do.
void add_steps(write_step_tables& to, written_steps const& of) {
  auto const [told, result] = told_algorithm(
      algorithm_of_writes, of.p, {{"n", of.n()}, {"k", of.buckets}, {"pattern", of.pattern}});
  auto const k = std::get<std::int64_t>(result.parameters.at("k"));
  claimed_cells vectors(
      {{"p", of.p}, {"n", static_cast<double>(of.n())}, {"k", static_cast<double>(k)}});
  auto elements = vectors;
  auto passes = vectors;
  add_passes(passes, told);
  add_vectors(vectors, result.record);
  // A transportation's first stage takes elements from their sources, its second one to where they go.
  auto const to_middles = busiest_in(told, "stage 1", of.p);
  auto const from_middles = busiest_in(told, "stage 2", of.p);
  auto const sends = busiest_in(told, "sends", of.p);
  elements
      .at_most("start-ups, stage 1", "2p",
               counts_of(result.record, {"stage 1", "stage 2"}).startups)
      .at_most("out of a source", "ceil(n/p)", to_middles.out)
      .at_most("into an intermediate", "ceil(n/p)", from_middles.in)
      .at_most("start-ups, stage 2", "p", counts_of(result.record, {"sends"}).startups)
      .at_most("out of an intermediate", "ceil(n/p) + ceil(n/(kp))", sends.out)
      .at_most("into a destination", "ceil(n/p)", sends.in);
  auto const label = fmt::format("p = {}, n = {}, k = {}, {}", of.p, of.n(), k, of.pattern);
  to.elements.rows.push_back({label, "arbitrary", elements.cells(), result.correct});
  to.vectors.rows.push_back({label, "arbitrary", vectors.cells()});
  to.passes.rows.push_back({label, "arbitrary", passes.cells()});
}

/// The most dense buckets of a processor.
struct most_dense_buckets {
  std::size_t owned = 0;
  std::size_t begun = 0;  ///< that begin there between the stages
};

/// Counts the dense buckets of a write, by the elements that leave their processors, where the hybrid lays
/// them out.
[[nodiscard]] most_dense_buckets dense_buckets_of(access_pattern pattern, bool is_levelled,
                                                  bucket_layout const& layout) {
  auto const pointers = generated_pointers(pattern, layout, 1);
  std::vector<std::uint64_t> hits(layout.buckets());
  for (std::size_t i = 0; i < pointers.size(); ++i)
    if (layout.owner(i) != layout.owner(pointers[i])) ++hits[layout.bucket(pointers[i])];
  auto const plan = detail::plan_for_dense(layout, hits, is_levelled);
  std::vector<std::size_t> owned(static_cast<std::size_t>(layout.processors()));
  for (std::size_t bucket = 0; bucket < hits.size(); ++bucket)
    if (!plan.goes_straight[bucket])
      ++owned[static_cast<std::size_t>(layout.owner_of_bucket(bucket))];
  most_dense_buckets most{.owned = std::ranges::max(owned)};
  for (int rank = 0; rank < layout.processors(); ++rank)
    most.begun = std::max(most.begun, plan.buckets.begin_on(rank).size());
  return most;
}

/// Makes the row of a hybrid, whose elements go straight in stage 1, so that what goes out of a source and
/// into a processor is all that the run counts.
[[nodiscard]] paper_row row_of_hybrid(int p, named_pattern const& pattern,
                                      std::string const& variant) {
  auto const n = std::int64_t{1} * p * p * p;
  bool const is_levelled = variant == "hybrid";
  auto const [told, result] = told_algorithm(algorithm_of_writes, p,
                                             {{"n", n},
                                              {"pattern", std::string(pattern.name)},
                                              {"variant", variant},
                                              {"stage-1", std::string("direct")}});
  auto const k = std::get<std::int64_t>(result.parameters.at("k"));
  bucket_layout const layout(static_cast<std::size_t>(n), p, static_cast<std::size_t>(k));
  auto const dense = dense_buckets_of(pattern.kind, is_levelled, layout);
  claimed_cells cells({{"p", p},
                       {"n", static_cast<double>(n)},
                       {"k", static_cast<double>(k)},
                       {"g", static_cast<double>(dense.owned)},
                       {"h", static_cast<double>(dense.begun)}});
  auto const stage_1 = busiest_in(told, "stage 1", p);
  auto const sends = busiest_in(told, "sends", p);
  cells.at_most("out of a source", "ceil(n/p)", stage_1.out)
      .at_most("into an intermediate or destination", is_levelled ? "ceil(n/p)" : "2 ceil(n/p)",
               stage_1.in)
      .at_most("out of an intermediate, h hot buckets", "h ceil(n/(kp))", sends.out)
      .ours()
      .at_most("into a destination, g hot buckets", "g ceil(n/(kp))", sends.in)
      .ours();
  return {fmt::format("p = {}, n = {}, k = {}, {}", p, n, k, pattern.name), variant, cells.cells(),
          result.correct};
}

/// Sets hybrids beside section 5's bounds on traffic.
[[nodiscard]] paper_table traffic_of_hybrids(int most_processors) {
  paper_table table{
      "Section 5: elements of the busiest processors of a hybrid, stage 1 straight", {}, "input"};
  for (int const p : powers_up_to(most_processors))
    for (auto const& pattern : patterns_of_hybrids)
      for (auto const* const variant : {"hybrid", "hybrid-plain"})
        table.rows.push_back(row_of_hybrid(p, pattern, variant));
  return table;
}

}  // namespace

std::vector<paper_table> write_steps(int most_processors) {
  write_step_tables tables{
      {"Sections 4.2 to 4.4: elements of the busiest processors of a write", {}, "input"},
      {"Sections 4.1 and 4.3: vectors of the same writes, by few and many buckets", {}, "input"},
      {"Sections 4.1 and 4.3: operations of the busiest processors in passes of the same writes "
       "over elements "
       "and buckets",
       {},
       "input"}};
  constexpr int most_with_all_buckets = 16;  // vectors of n buckets take long
  for (int const p : powers_up_to(most_processors)) {
    auto const of_each = fmt::format("{}", p * p);
    for (auto const& buckets : {std::string("1"), std::string("auto"), of_each})
      for (auto const* const pattern : {"random", "few-hot", "one-hot", "singles", "monotonic"})
        if (p <= most_with_all_buckets || buckets == "auto")
          add_steps(tables, {p, buckets, pattern});
  }
  if (tables.elements.rows.empty()) return {};
  return {std::move(tables.elements), std::move(tables.vectors),
          traffic_of_hybrids(most_processors), std::move(tables.passes)};
}

}  // namespace lockstep
