#include "papers/mayr_plaxton/tables.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/topologies/parse.hpp>

#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "papers/entries.hpp"
#include "papers/mayr_plaxton/merging_tables.hpp"
#include "papers/mayr_plaxton/one_port_tables.hpp"
#include "papers/mayr_plaxton/operation_growths.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

constexpr std::string_view authors = "Mayr and Plaxton";

/// Watches where messages come in: the first of every step, and the words at each processor.
class in_port_watch : public observer {
 public:
  explicit in_port_watch(int processors) : m_words(static_cast<std::size_t>(processors)) {}

  void message(message_record const& seen) override {
    m_words[static_cast<std::size_t>(seen.to)] += seen.words;
    if (m_first.empty() || m_first.back().step < seen.step)
      m_first.push_back({.step = seen.step, .processor = seen.to, .from = seen.from});
  }
  [[nodiscard]] std::optional<breach> after(double bound) const {
    for (auto each : m_first)
      if (static_cast<double>(each.step) > bound) {
        each.busiest = busiest();
        each.most_words = m_words[static_cast<std::size_t>(each.busiest)];
        return each;
      }
    return std::nullopt;
  }

 private:
  /// Of several the one in the middle.
  [[nodiscard]] int busiest() const {
    auto const most = std::ranges::max(m_words);
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < m_words.size(); ++rank)
      if (m_words[rank] == most) ranks.push_back(static_cast<int>(rank));
    return ranks[(ranks.size() - 1) / 2];
  }

  std::vector<std::uint64_t> m_words;  ///< by processor
  std::vector<breach> m_first;
};

/// Errors: broken_invariant without such a claim.
template <class Predicate>
[[nodiscard]] claim const& claim_of_steps(experiment_result const& result, Predicate matches) {
  auto const found = std::ranges::find_if(
      result.claims, [&](claim const& one) { return one.figure == "steps" && matches(one); });
  if (found == result.claims.end()) throw own_mistake("an operation without a claim of steps");
  return *found;
}

/// A run of an operation, with its parameters' own values where none are given.
struct measured_operation {
  experiment_result result;
  in_port_watch in_ports;
};

[[nodiscard]] measured_operation measured(claimed_operation const& of, std::string const& network,
                                          std::optional<std::int64_t> k) {
  auto const& known = *find_experiment(of.algorithm);
  auto parameters = parameters_for(known, of.parameters);
  if (k) parameters["k"] = *k;
  auto const on = parse(network);
  in_port_watch in_ports(on->size());
  std::array<observer*, 1> const observers{&in_ports};
  begin_run("making the input of " + of.algorithm);
  auto result = known.run({.network = on,
                           .options = {.ports = of.with, .workers = 1},
                           .parameters = std::move(parameters),
                           .observers = observers});
  return {std::move(result), std::move(in_ports)};
}

/// A run beside the paper's bound and the program's own formula.
[[nodiscard]] paper_cell cell_of(claimed_operation const& of, measured_operation const& run) {
  auto const& [result, in_ports] = run;
  auto const& bound = claim_of_steps(result, [&](claim const& one) {
    return one.source.starts_with(authors) && one.source.ends_with(of.place) &&
           (of.bound.empty() || one.formula == of.bound);
  });
  auto const& exact =
      claim_of_steps(result, [](claim const& one) { return one.bound == comparison::equal; });
  bool const is_explained = of.is_explained == nullptr || of.is_explained(result);
  return bounded_cell(bound, exact, result.record.counts().steps,
                      is_explained ? in_ports.after(bound.value()) : std::nullopt,
                      of.erratum_number);
}

[[nodiscard]] std::vector<claimed_operation> single_prefixes() {
  return {{.title = "Prefix on a tree", .algorithm = "prefix", .network = "tree"},
          {.title = "Prefix on a hypercube", .algorithm = "prefix", .network = "hypercube"},
          {.title = "Prefix on a shuffle-exchange",
           .algorithm = "prefix",
           .network = "shuffle-exchange"}};
}

/// Makes Prefix' of section 2.4 of a Prefix: the prefix of a processor leaves out its own value.
[[nodiscard]] claimed_operation without_own_value(claimed_operation of, std::string title) {
  of.title = std::move(title);
  of.parameters["kind"] = std::string("exclusive");
  return of;
}

[[nodiscard]] std::vector<claimed_operation> single_prefixes_without_own_values() {
  auto all = single_prefixes();
  for (auto& of : all) of = without_own_value(of, "Prefix' on a " + of.network);
  return all;
}

/// k prefixes on a network by a scheme.
[[nodiscard]] claimed_operation prefixes(std::string const& title, std::string const& network,
                                         std::string const& scheme, ports with,
                                         int erratum_number = 0) {
  return {.title = fmt::format("k prefixes on a {}, {}", network, title),
          .algorithm = "pipelined-prefix",
          .network = network,
          .parameters = {{"scheme", scheme}},
          .with = with,
          .erratum_number = erratum_number};
}

/// Of what section 2.2 says of the embedding, and not of the hypercube.
[[nodiscard]] claimed_operation of_embedding(claimed_operation of) {
  of.place = "of the inorder tree's embedding";
  return of;
}

[[nodiscard]] std::vector<claimed_operation> pipelined_prefixes() {
  std::string const tree = "tree";
  std::string const cube = "hypercube";
  std::string const shuffles = "shuffle-exchange";
  return {
      prefixes("one port", tree, "auto", ports::one, 1),
      prefixes("a port for each pass", tree, "lagged", ports::per_pass),
      prefixes("all ports", tree, "lagged", ports::all),
      of_embedding(
          prefixes("the inorder tree's embedding, one port", cube, "inorder", ports::one, 3)),
      of_embedding(
          prefixes("the inorder tree's embedding, all ports", cube, "inorder", ports::all)),
      prefixes("a spanning tree of degree 3, one port", cube, "spanning-tree", ports::one),
      prefixes("halving, one port", cube, "halving", ports::one),
      prefixes("FFT order, all ports", cube, "fft", ports::all),
      prefixes("two trees, words relayed, one port", shuffles, "relay", ports::one, 4),
      prefixes("two trees, words combined, one port", shuffles, "combined", ports::one, 4),
      prefixes("halving, one port", shuffles, "halving", ports::one),
  };
}

[[nodiscard]] std::vector<claimed_operation> pipelined_prefixes_without_own_values() {
  auto const of = [](std::string const& network, std::string const& scheme) {
    return without_own_value(prefixes("", network, scheme, ports::one),
                             fmt::format("k Prefix' on a {}, {}, one port", network, scheme));
  };
  auto const on_tree = without_own_value(prefixes("", "tree", "auto", ports::one, 1),
                                         "k Prefix' on a tree, one port");
  return {on_tree, of("hypercube", "halving"), of("shuffle-exchange", "halving")};
}

/// k segmented broadcasts on a network by a scheme.
[[nodiscard]] claimed_operation segmented_broadcasts(std::string const& title,
                                                     std::string const& network,
                                                     std::string const& scheme, ports with,
                                                     int erratum_number = 0) {
  auto of = prefixes(title, network, scheme, with, erratum_number);
  of.title = fmt::format("k segmented broadcasts on a {}, {}", network, title);
  of.algorithm = "data-distribution";
  return of;
}

[[nodiscard]] std::vector<claimed_operation> pipelined_broadcasts() {
  std::string const tree = "tree";
  std::string const cube = "hypercube";
  std::string const shuffles = "shuffle-exchange";
  return {
      segmented_broadcasts("one port", tree, "auto", ports::one, 1),
      segmented_broadcasts("a port for each pass", tree, "lagged", ports::per_pass),
      segmented_broadcasts("halving, one port", cube, "halving", ports::one),
      segmented_broadcasts("FFT order, all ports", cube, "fft", ports::all),
      segmented_broadcasts("halving, one port", shuffles, "halving", ports::one),
      segmented_broadcasts("two trees, words combined, all ports", shuffles, "combined",
                           ports::all),
  };
}

[[nodiscard]] std::vector<claimed_operation> routes_and_trees() {
  auto const on_cube = [](std::string const& title, std::string const& name, ports with,
                          bool plain) {
    claimed_operation of{
        .title = title, .algorithm = name, .network = "hypercube", .parameters = {}, .with = with};
    if (plain) of.parameters["plain"] = true;
    return of;
  };
  return {
      on_cube("k concentrations, all ports", "concentrate", ports::all, false),
      on_cube("k inverse concentrations, all ports", "inverse-concentrate", ports::all, false),
      on_cube("k broadcasts by multiple binomial trees, plain, one port", "msbt-broadcast",
              ports::one, true),
      on_cube("k broadcasts, one port", "msbt-broadcast", ports::one, false),
      on_cube("k sums by multiple binomial trees, plain, one port", "msbt-sum", ports::one, true),
      on_cube("k sums, one port", "msbt-sum", ports::one, false),
  };
}

/// 2 .. 10, as far as the network has no more processors than that.
[[nodiscard]] std::vector<int> dimensions_within(std::string const& network, int most_processors) {
  std::vector<int> dimensions;
  for (int d = 2; d <= 10; ++d)
    if (parse(fmt::format("{}:{}", network, d))->size() <= most_processors) dimensions.push_back(d);
  return dimensions;
}

[[nodiscard]] std::vector<paper_table> tables_of_mayr_plaxton(int most_processors) {
  std::vector<paper_table> tables;
  auto const add = [&](claimed_operation const& of, std::span<std::int64_t const> instances) {
    tables.push_back(
        mayr_plaxton_table(of, dimensions_within(of.network, most_processors), instances));
  };
  for (auto const& of : single_prefixes()) add(of, {});
  for (auto const& of : single_prefixes_without_own_values()) add(of, {});
  constexpr std::array<std::int64_t, 7> instances{1, 2, 3, 8, 16, 32, 64};
  for (auto const& of : pipelined_prefixes()) add(of, instances);
  constexpr std::array<std::int64_t, 3> few_instances{2, 16, 64};
  for (auto const& of : pipelined_prefixes_without_own_values()) add(of, few_instances);
  for (auto const& of : pipelined_broadcasts()) add(of, few_instances);
  for (auto const& of : routes_and_trees()) add(of, instances);
  std::ranges::move(one_port_tables(most_processors), std::back_inserter(tables));
  std::ranges::move(merging_tables(most_processors), std::back_inserter(tables));
  if (auto growths = growths_of_comparisons(most_processors); !growths.rows.empty())
    tables.push_back(std::move(growths));
  return tables;
}

}  // namespace

void set_steps_beside_bounds(paper_cell& cell, experiment_result const& run) {
  set_beside_bound(cell, run);
  auto of_words = cell;
  of_words.figure = "words";
  set_beside_bound(of_words, run);
  if (of_words.least <= cell.least) return;
  cell.least = of_words.least;
  cell.judged.is_fault = cell.judged.is_fault || of_words.judged.is_fault;
}

paper_cell bounded_cell(claim const& bound, claim const& exact, std::uint64_t measured,
                        std::optional<breach> late, int erratum_number) {
  auto cell = judged_cell(bound, measured, erratum_number);
  cell.exact = static_cast<std::uint64_t>(exact.value());
  cell.exact_formula = exact.formula;
  bool const is_exceeded = cell.verdict() == claim_verdict::refuted ||
                           cell.verdict() == claim_verdict::our_program_exceeds;
  if (is_exceeded) cell.broken_at = late;
  bool const is_beyond = is_exceeded || cell.explanation.has_value();
  if (measured != cell.exact || (is_beyond && !late)) {
    cell.judged.is_fault = true;
    cell.explanation.reset();
  }
  return cell;
}

paper_row claimed_row(claimed_operation const& of, std::string const& network,
                      std::span<std::int64_t const> instances) {
  paper_row row{.network = network, .algorithm = of.algorithm, .cells = {}, .correct = true};
  auto const add = [&](std::optional<std::int64_t> k) {
    auto const run = measured(of, network, k);
    auto cell = cell_of(of, run);
    if (of.place.empty() && of.with != ports::per_pass) set_steps_beside_bounds(cell, run.result);
    if (k) cell.instance = fmt::format("k = {}", *k);
    row.cells.push_back(std::move(cell));
    row.correct = *row.correct && run.result.correct;
  };
  if (instances.empty()) add(std::nullopt);
  for (auto const k : instances) add(k);
  return row;
}

paper_table mayr_plaxton_table(claimed_operation const& of, std::span<int const> dimensions,
                               std::span<std::int64_t const> instances) {
  paper_table table{of.title, {}};
  for (int const d : dimensions)
    table.rows.push_back(claimed_row(of, fmt::format("{}:{}", of.network, d), instances));
  return table;
}

paper_entry mayr_plaxton_entry() {
  return {
      .name = "mayr-plaxton",
      .source = mayr_plaxton_1989,
      .tables = tables_of_mayr_plaxton,
      .missing = missing_of_mayr_plaxton,
  };
}

}  // namespace lockstep
