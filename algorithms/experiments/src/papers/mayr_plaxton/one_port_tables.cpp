#include "papers/mayr_plaxton/one_port_tables.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/claim.hpp>
#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/mayr_plaxton/embedding_intake.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

using given_parameters = std::map<std::string, parameter_value>;

constexpr int largest_dimension = 8;
constexpr int relayed_trees = 4;  // number of docs/errata
constexpr char const* steps_of_a_tree = "2k + 4 log p";

/// A network of 2^d processors and k instances.
struct one_port_case {
  std::string network;  ///< "hypercube"
  int d = 0;
  std::int64_t k = 0;

  [[nodiscard]] std::string spec() const { return fmt::format("{}:{}", network, d); }
  [[nodiscard]] std::string text() const { return fmt::format("{}, k = {}", spec(), k); }
  [[nodiscard]] int processors() const { return 1 << d; }
};

[[nodiscard]] std::vector<one_port_case> cases_on(std::string const& network, int most_processors) {
  std::vector<one_port_case> all;
  for (int d = 3; d <= largest_dimension && 1 << d <= most_processors; ++d)
    for (std::int64_t const k : {2, 16, 64}) all.push_back({network, d, k});
  return all;
}

/// Runs an algorithm on one port of each processor, where messages may queue.
[[nodiscard]] experiment_result run_on_one_port(std::string const& name, std::string const& network,
                                                given_parameters const& given) {
  auto const* const known = find_experiment(name);
  if (known == nullptr) throw own_mistake("there is no algorithm " + name);
  begin_run("making the input of " + name);
  return known->run({.network = parse(network),
                     .options = {.ports = ports::one, .workers = 1},
                     .parameters = parameters_for(*known, given)});
}

/// Makes the cell of steps beside what the links of an embedded tree let into a processor.
[[nodiscard]] paper_cell intake_cell(std::string figure, embedding_intake const& intake,
                                     std::int64_t k, std::uint64_t measured) {
  auto const words = intake.words == 1 ? "k" : fmt::format("{}k", intake.words);
  auto cell = lower_bound_cell(std::move(figure),
                               fmt::format("{}, words into processor {}", words, intake.processor),
                               static_cast<std::uint64_t>(intake.words * k), measured, {});
  cell.is_ours = true;
  return cell;
}

/// The paper: the program of the tree "can be modified to run in the same time bound" on the embedding.
[[nodiscard]] paper_table links_of_inorder_tree(int most_processors) {
  paper_table table{"k prefixes on the links of the embedded inorder tree, one port", {}, "input"};
  for (auto const& of : cases_on("hypercube", most_processors)) {
    auto const run = run_on_one_port("pipelined-prefix", of.spec(),
                                     {{"scheme", std::string("inorder")}, {"k", of.k}});
    auto const intake =
        intake_of_links(embedding::inorder(of.d), of.processors(), tree_places::nodes);
    table.rows.push_back({of.text(),
                          "inorder",
                          {intake_cell("steps", intake, of.k, run.record.counts().steps)},
                          run.correct});
  }
  return table;
}

/// A phase of section 2.3, and the tree that it runs on.
struct relayed_phase {
  char const* name;
  char const* formula;
  embedding (*tree)(int);  ///< null for the broadcast
};

[[nodiscard]] std::uint64_t steps_of_phase(experiment_result const& run, std::string_view name) {
  for (auto const& phase : run.record.phases())
    if (phase.name == name) return phase.steps;
  throw own_mistake(fmt::format("a run without the phase {}", name));
}

/// Says why a phase takes more steps than the paper has: programs on those links do, or ours.
[[nodiscard]] claim claim_of_phase(relayed_phase const& phase, one_port_case const& of,
                                   claimed_cells const& letters, int words) {
  claim made{.figure = phase.name,
             .formula = phase.formula,
             .value = letters.value(phase.formula),
             .bound = comparison::at_most};
  auto const least = static_cast<double>(words * of.k);
  made.erratum =
      "a first child takes in what its sibling sends and gets, too; the links of this embedding "
      "may "
      "do with fewer words";
  if (least > made.value())
    made.erratum = fmt::format(
        "over the links from parents to first children and between siblings {} words must enter a "
        "first child for each prefix, which take {}k steps; whether the paper means to use these "
        "links alone, our text, without Figures 3 and 4, does not settle; on the shuffle-exchange "
        "halving keeps the bound of all three phases",
        words, words);
  return made;
}

/// The paper: 2k + 4 log p steps in each of both trees, and 2k + 2 log p for the sums of the lower half.
[[nodiscard]] paper_table phases_of_relay(int most_processors) {
  constexpr auto upper_half = [](int d) { return embedding::upper_half(d); };
  constexpr auto lower_half = [](int d) { return embedding::lower_half(d); };
  constexpr std::array phases{relayed_phase{"upper half", steps_of_a_tree, upper_half},
                              relayed_phase{"lower half", steps_of_a_tree, lower_half},
                              relayed_phase{"sums of the lower half", "2k + 2 log p", nullptr}};
  paper_table table{"Section 2.3: two trees, words relayed, phase by phase, one port", {}, "input"};
  for (auto const& of : cases_on("shuffle-exchange", most_processors)) {
    auto const run = run_on_one_port("pipelined-prefix", of.spec(),
                                     {{"scheme", std::string("relay")}, {"k", of.k}});
    claimed_cells cells({{"k", static_cast<double>(of.k)}, {"p", of.processors()}});
    std::vector<paper_cell> bounds;
    for (auto const& phase : phases) {
      auto const steps = steps_of_phase(run, phase.name);
      embedding_intake intake;
      if (phase.tree != nullptr)
        intake = intake_of_links(phase.tree(of.d), of.processors(), tree_places::leaves);
      cells.add(claim_of_phase(phase, of, cells, intake.words), steps, relayed_trees);
      if (intake.words > 0) bounds.push_back(intake_cell(phase.name, intake, of.k, steps));
    }
    auto in_row = cells.cells();
    std::ranges::move(bounds, std::back_inserter(in_row));
    table.rows.push_back({of.text(), "relay", std::move(in_row), run.correct});
  }
  return table;
}

/// Records that k routes take from one set of processors to another, and the lower bound that they are for.
struct bounded_routes {
  char const* title;
  char const* algorithm;
  char const* sets;
  char const* formula;  ///< of the bound
  char const* source;   ///< that the run's bound has
  bound_reason reason;  ///< that it has
};

/// Makes a row of routes: their steps beside a lower bound on the words of one port.
[[nodiscard]] paper_row row_of_routes(bounded_routes const& routes, one_port_case const& of,
                                      bool is_queued) {
  std::string const name = routes.algorithm;
  auto const run = run_on_one_port(
      name, of.spec(), {{"k", of.k}, {"sets", std::string(routes.sets)}, {"queued", is_queued}});
  auto const bound = std::ranges::find_if(run.bounds, [&](lower_bound const& each) {
    return each.figure == "words" && each.source == routes.source && each.reason == routes.reason;
  });
  if (bound == run.bounds.end()) throw own_mistake("routes without their lower bound");
  auto cell =
      lower_bound_cell("steps", routes.formula, bound->value, run.record.counts().steps, {});
  cell.is_ours = true;
  return {of.text(), is_queued ? name + " --queued" : name, {std::move(cell)}, run.correct};
}

/// The paper: "a lower bound of Omega(k log^(1/2) p) time steps" for k monotone routes, by the processors
/// with as many zeros as ones. Beside it the links of k concentrations, kpd/4.
[[nodiscard]] paper_table routes_on_one_port(bounded_routes const& routes, int most_processors) {
  paper_table table{routes.title, {}, "input"};
  for (auto const& of : cases_on("hypercube", most_processors))
    for (bool const is_queued : {false, true})
      table.rows.push_back(row_of_routes(routes, of, is_queued));
  return table;
}

/// Makes a row of a sort of n values, by the steps that it claims itself.
[[nodiscard]] paper_row row_of_sort(std::string const& name, int d, std::int64_t n, ports with,
                                    given_parameters const& given) {
  auto const* const known = find_experiment(name);
  if (known == nullptr) throw own_mistake("there is no algorithm " + name);
  begin_run("making the input of " + name);
  auto const network = fmt::format("hypercube:{}", d);
  auto const run = known->run({.network = parse(network),
                               .options = {.ports = with, .strict = true},
                               .parameters = parameters_for(*known, given)});
  claimed_cells cells({});
  for (auto const& claimed : run.claims)
    if (claimed.figure == "steps" && claimed.bound == comparison::equal)
      cells.add(claimed, run.record.counts().steps).ours();
  auto in_row = cells.cells();
  return {fmt::format("{}, n = {}", network, n), name, std::move(in_row), run.correct};
}

/// The paper: "a pipelined version of the multi-way merge sort of Nassimi and Sahni".
[[nodiscard]] paper_table sorts_of_nassimi_and_sahni(int most_processors) {
  paper_table table{
      "Nassimi and Sahni's sort on one port, and MultiWayMergeSort, its k and l chosen, of n "
      "values",
      {},
      "input"};
  for (int d = 2; d <= largest_dimension - 1 && 1 << d <= most_processors; ++d)
    for (int l = 1; l < d && l <= 3; ++l) {
      std::int64_t const n = std::int64_t{1} << (d - l);
      table.rows.push_back(
          row_of_sort("nassimi-sahni-sort", d, n, ports::one, {{"l", std::int64_t{l}}}));
      // With the plan of fewest steps, as the paper chooses k so that rows of processors pipeline.
      table.rows.push_back(row_of_sort("multiway-merge-sort", d, n, ports::all, {{"n", n}}));
    }
  return table;
}

}  // namespace

std::vector<paper_table> one_port_tables(int most_processors) {
  return {
      links_of_inorder_tree(most_processors), phases_of_relay(most_processors),
      routes_on_one_port(
          {"Section 4: k monotone routes past the layers about the middle, one port",
           "monotone-route", "majority", "records over processors of the layer that bounds most",
           "lockstep, after Mayr and Plaxton 1989, 4", bound_reason::in_port},
          most_processors),
      routes_on_one_port({"k concentrations from the odd processors, one port", "concentrate",
                          "odd", "kd/4", "lockstep", bound_reason::links},
                         most_processors),
      sorts_of_nassimi_and_sahni(most_processors)};
}

}  // namespace lockstep
