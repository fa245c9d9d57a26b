#include "papers/shankar_ranka/networks.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/claim.hpp>

#include "papers/claimed_cells.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/errata.hpp"
#include "papers/shankar_ranka/mesh_vectors.hpp"
#include "random_access/supposed_sizes.hpp"

namespace lockstep {

namespace {

constexpr std::int64_t most_on_networks = 1 << 18;  // runs of several seconds are left out

/// The number that a claim is about: a figure, or one of the counts.
[[nodiscard]] std::uint64_t measured_of(experiment_result const& result, claim const& claimed) {
  if (result.figures.contains(claimed.figure)) return counted(result, claimed.figure);
  return metric_value(result.record.counts(), claimed.figure);
}

/// A row of what the run's claims say of the stages, of all start-ups, and of links.
[[nodiscard]] paper_row row_of(std::string label, std::string algorithm,
                               experiment_result const& result) {
  claimed_cells cells({});
  for (auto const& claimed : result.claims) {
    auto const& figure = claimed.figure;
    bool const is_of_vectors = figure.ends_with("scan_words") || figure.starts_with("combine");
    if (is_of_vectors || figure == "rounds" || figure.starts_with("stage_")) continue;
    cells.add(claimed, measured_of(result, claimed));
    if (claimed.source.starts_with("lockstep")) cells.ours();
  }
  return {std::move(label), std::move(algorithm), cells.cells_of(result), result.correct};
}

/// Hypercubes, or square meshes and tori: their claims are others.
enum class networks : std::uint8_t { hypercubes, grids };

[[nodiscard]] std::string names_of(networks of) {
  return of == networks::hypercubes ? "hypercubes that cut through" : "square meshes and tori";
}

/// Lists the networks of 2^dimensions processors.
[[nodiscard]] std::vector<std::string> specs_of(networks of, int dimensions) {
  if (of == networks::hypercubes) return {fmt::format("hypercube:{}", dimensions)};
  if (dimensions % 2 != 0) return {};
  int const side = 1 << (dimensions / 2);
  return {fmt::format("mesh:{}x{}", side, side), fmt::format("torus:{}x{}", side, side)};
}

/// Calls visit(p, network) for p = 4 to 256.
template <class Visit>
void for_each_network(networks of, int most_processors, Visit const& visit) {
  for (int dimensions = 2; dimensions <= 8 && 1 << dimensions <= most_processors; ++dimensions)
    for (auto const& network : specs_of(of, dimensions))
      visit(std::int64_t{1} << dimensions, network);
}

[[nodiscard]] paper_table writes_on(networks of, int most_processors) {
  paper_table table{"Section 8: random access writes on " + names_of(of), {}, "input"};
  for_each_network(of, most_processors, [&](std::int64_t p, std::string const& network) {
    for (auto const n : {p * p * p, 16 * p * p * p})
      for (auto const* const k : {"1", "2", "8"})
        for (auto const* const pattern : {"random", "few-hot", "one-hot"}) {
          if (n > most_on_networks && n > p * p * p) continue;
          auto const elements = std::min(n, most_on_networks);
          table.rows.push_back(row_of(
              fmt::format("{}, n = {}, k = {}, {}", network, elements, k, pattern), "arbitrary",
              measured_algorithm(
                  "random-access-write", network,
                  {{"n", elements}, {"k", std::string(k)}, {"pattern", std::string(pattern)}})));
        }
  });
  return table;
}

/// Elements of a processor: p^2 where that is not too much.
[[nodiscard]] std::int64_t elements_of_each(std::int64_t p) {
  return std::min(p * p, most_on_networks / p);
}

/// Runs writes with k = 1 whose second stage goes straight: the bounds are for both stages. Section
/// 4.5 advises an intermediate k, for which n/(kp) is of lower order.
[[nodiscard]] paper_table straight_writes(int most_processors) {
  paper_table table{
      "Section 8: random access writes on hypercubes, k = 1, the second stage straight",
      {},
      "input"};
  for_each_network(
      networks::hypercubes, most_processors, [&](std::int64_t p, std::string const& network) {
        auto const n = 16 * p * p * p;
        if (n > most_on_networks) return;
        for (auto const* const pattern : {"random", "few-hot", "one-hot"}) {
          auto const result = measured_algorithm("random-access-write", network,
                                                 {{"n", n},
                                                  {"k", std::string("1")},
                                                  {"pattern", std::string(pattern)},
                                                  {"stage-2", std::string("linear")}});
          claimed_cells cells(
              {{"n", static_cast<double>(n)}, {"p", static_cast<double>(p)}, {"k", 1}});
          cells.at_most("contention", "1", result.record.counts().contention)
              .ours()
              .where(detail::elements_of_buckets)
              .at_most("stages_startups", "4p", counted(result, "stages_startups"))
              .at_most("stages_words", "4(n/p + p^2)", counted(result, "stages_words"),
                       whole_bucket_in_a_round());
          table.rows.push_back({fmt::format("{}, n = {}, k = 1, {}", network, n, pattern),
                                "second stage straight", cells.cells_of(result), result.correct});
        }
      });
  return table;
}

[[nodiscard]] paper_table transportation_on(networks of, int most_processors) {
  paper_table table{"Transportation on " + names_of(of), {}, "input"};
  for_each_network(of, most_processors, [&](std::int64_t p, std::string const& network) {
    auto const t = elements_of_each(p);
    for (auto const* const traffic : {"uniform", "shift", "random", "adversary"})
      table.rows.push_back(
          row_of(fmt::format("{}, t = {}, {}", network, t, traffic), "transportation",
                 measured_algorithm("transportation", network,
                                    {{"t", t}, {"traffic", std::string(traffic)}})));
  });
  return table;
}

/// Makes a row of sorted pointers, with the most messages on a link in a step: their runs claim nothing
/// of it.
[[nodiscard]] paper_row row_of_sorted(std::string label, std::string name,
                                      experiment_result const& result) {
  auto row = row_of(std::move(label), std::move(name), result);
  auto const contention =
      claimed_cells({}).at_most("contention", "1", result.record.counts().contention).ours();
  row.cells.insert(row.cells.begin(), contention.cells().front());
  return row;
}

[[nodiscard]] paper_table sorted_on(networks of, int most_processors) {
  paper_table table{"Sorted pointers on " + names_of(of), {}, "input"};
  for_each_network(of, most_processors, [&](std::int64_t p, std::string const& network) {
    auto const n = elements_of_each(p) * p;
    auto const input = fmt::format("{}, n = {}", network, n);
    for (auto const* const name : {"generalize", "concentrate-elements", "distribute-elements"})
      table.rows.push_back(
          row_of_sorted(input, name, measured_algorithm(name, network, {{"n", n}})));
    for (auto const* const pattern : {"monotonic", "one-hot"})
      table.rows.push_back(
          row_of_sorted(fmt::format("{}, {}", input, pattern), "monotonic write",
                        measured_algorithm("random-access-write", network,
                                           {{"n", n},
                                            {"pattern", std::string(pattern)},
                                            {"variant", std::string("monotonic")}})));
  });
  return table;
}

[[nodiscard]] paper_table reads_on(networks of, int most_processors) {
  paper_table table{"Random access reads on " + names_of(of), {}, "input"};
  for_each_network(of, most_processors, [&](std::int64_t p, std::string const& network) {
    auto const n = elements_of_each(p) * p;
    for (auto const* const variant : {"1", "hybrid"})
      table.rows.push_back(row_of(
          fmt::format("{}, n = {}, few-hot", network, n), fmt::format("read, {}", variant),
          measured_algorithm(
              "random-access-read", network,
              {{"n", n}, {"pattern", std::string("few-hot")}, {"variant", std::string(variant)}})));
  });
  return table;
}

}  // namespace

std::vector<paper_table> network_tables(int most_processors) {
  std::vector<paper_table> tables;
  for (auto const of : {networks::hypercubes, networks::grids})
    for (auto* const table_on : {writes_on, transportation_on, sorted_on, reads_on})
      if (auto table = table_on(of, most_processors); !table.rows.empty())
        tables.push_back(std::move(table));
  for (auto* const more : {straight_writes, mesh_vectors})
    if (auto table = more(most_processors); !table.rows.empty()) tables.push_back(std::move(table));
  return tables;
}

}  // namespace lockstep
