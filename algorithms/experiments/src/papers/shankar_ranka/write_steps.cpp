#include "papers/shankar_ranka/write_steps.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

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

/// A write, what it told, and what came of it.
struct told_result {
  told_run told{};
  experiment_result result{};
};

/// `buckets`: of a processor, as `--k` takes them.
[[nodiscard]] told_result run_of_write(int p, std::int64_t n, std::string const& buckets,
                                       std::string const& pattern) {
  begin_run(fmt::format("making the input of {}", algorithm_of_writes));
  auto const* const known = find_experiment(algorithm_of_writes);
  if (known == nullptr) throw own_mistake("there is no write");
  told_result made;
  std::array<observer*, 1> const watching{&made.told};
  made.result = known->run(
      {.network = parse(crossbar_of(p)),
       .options = {.strict = true},
       .parameters = parameters_for(*known, {{"n", n}, {"k", buckets}, {"pattern", pattern}}),
       .observers = watching});
  return made;
}

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

/// Rows of the same runs.
struct write_step_tables {
  paper_table elements;
  paper_table vectors;
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
  auto const [told, result] = run_of_write(of.p, of.n(), of.buckets, of.pattern);
  auto const k = std::get<std::int64_t>(result.parameters.at("k"));
  claimed_cells vectors(
      {{"p", of.p}, {"n", static_cast<double>(of.n())}, {"k", static_cast<double>(k)}});
  auto elements = vectors;
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
}

}  // namespace

std::vector<paper_table> write_steps(int most_processors) {
  write_step_tables tables{
      {"Sections 4.2 to 4.4: elements of the busiest processors of a write", {}, "input"},
      {"Sections 4.1 and 4.3: vectors of the same writes, by few and many buckets", {}, "input"}};
  constexpr int most_with_all_buckets = 16;  // vectors of n buckets take long
  for (int const p : powers_up_to(most_processors)) {
    auto const of_each = fmt::format("{}", p * p);
    for (auto const& buckets : {std::string("1"), std::string("auto"), of_each})
      for (auto const* const pattern : {"random", "few-hot", "one-hot", "singles", "monotonic"})
        if (p <= most_with_all_buckets || buckets == "auto")
          add_steps(tables, {p, buckets, pattern});
  }
  if (tables.elements.rows.empty()) return {};
  return {std::move(tables.elements), std::move(tables.vectors)};
}

}  // namespace lockstep
