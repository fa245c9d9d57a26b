#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/topologies/parse.hpp>

#include <fmt/format.h>

#include "catch.hpp"
#include "core/cluster/thread_cluster.hpp"
#include "experiments/default_request.hpp"

// What every algorithm says of itself, beside what its runs come to: on its examples and on small networks,
// for several sizes, seeds, packets, and each value of its other choices, it is right by its sequential
// computation, no claim fails but for a known reason, no lower bound does, and the counts are the same on
// threads and with two workers. The claims' formulas are not read here: a wrong one fails by what the runs count.

namespace {

using lockstep::experiment;
using lockstep::experiment_request;
using lockstep::experiment_result;

constexpr int most_processors = 64;
constexpr int most_on_threads = 16;

std::vector<std::string> const small_networks{"crossbar:1",
                                              "crossbar:2",
                                              "crossbar:3",
                                              "crossbar:5",
                                              "crossbar:7",
                                              "crossbar:8",
                                              "crossbar:9",
                                              "hypercube:0",
                                              "hypercube:1",
                                              "hypercube:2",
                                              "hypercube:3",
                                              "hypercube:5",
                                              "tree:1",
                                              "tree:2",
                                              "tree:3",
                                              "tree:4",
                                              "tree:6",
                                              "shuffle-exchange:1",
                                              "shuffle-exchange:2",
                                              "shuffle-exchange:3",
                                              "shuffle-exchange:5",
                                              "torus:2x2",
                                              "torus:4x4",
                                              "torus:5x3",
                                              "torus:4x4x4",
                                              "mesh:4x4",
                                              "mesh:4x6",
                                              "mesh:2x2x4"};

/// Networks of at most 64 processors.
[[nodiscard]] std::vector<std::shared_ptr<lockstep::topology const>> networks_of(
    experiment const& which) {
  std::set<std::string> specs(which.examples.begin(), which.examples.end());
  specs.insert(small_networks.begin(), small_networks.end());
  std::vector<std::shared_ptr<lockstep::topology const>> found;
  for (auto const& spec : specs)
    if (auto network = lockstep::parse(spec); network->size() <= most_processors)
      found.push_back(std::move(network));
  return found;
}

/// The values to try of a parameter, beside its fallback; none where it asks for a wrong result.
[[nodiscard]] std::vector<lockstep::parameter_value> other_values(lockstep::parameter const& of) {
  std::vector<lockstep::parameter_value> values;
  if (of.name == "below-bound") return values;  // columns shorter than Leighton's bound allows
  if (std::holds_alternative<bool>(of.fallback)) values.emplace_back(true);
  for (auto const& name : of.names)
    if (lockstep::parameter_value{name} != of.fallback) values.emplace_back(name);
  return values;
}

/// Requests of all sizes, seeds and packets; and, for one of these, of some numbers of instances and of
/// each other choice.
[[nodiscard]] std::vector<experiment_request> requests_on(
    experiment const& which, std::shared_ptr<lockstep::topology const> const& network) {
  auto const usual = default_request(which, network);
  auto const takes = [&](char const* name) { return usual.parameters.contains(name); };
  bool const is_cubic = takes("second") || which.name.starts_with("matrix-");
  std::vector<experiment_request> requests;
  auto const add = [&](std::int64_t n, std::int64_t seed, std::int64_t packet) {
    auto asked = usual;
    if (takes("n")) asked.parameters["n"] = is_cubic ? n % 33 : n;
    if (takes("packet")) asked.parameters["packet"] = packet;
    asked.parameters["seed"] = seed;
    requests.push_back(std::move(asked));
  };
  for (std::int64_t const n : {0, 1, 2, 17, 64, 100, 257, 1024})
    for (std::int64_t const seed : {1, 2})
      for (std::int64_t const packet : {1, 4})
        if ((n == 0 || takes("n")) && (packet == 1 || takes("packet"))) add(n, seed, packet);
  for (std::int64_t const k : {1, 3, 20}) {
    if (!takes("k")) break;
    add(64, 2, 1);
    requests.back().parameters["k"] = k;
  }
  for (auto const& each : which.parameters)
    for (auto const& value : other_values(each))
      for (std::int64_t const n : {17, 256}) {
        if (n > 17 && !takes("n")) continue;
        add(n, 1, 1);
        requests.back().parameters[each.name] = value;
      }
  return requests;
}

[[nodiscard]] std::string text_of(experiment_request const& asked) {
  std::string text = asked.network->spec();
  for (auto const& [name, value] : asked.parameters) {
    text += " --" + name + " ";
    if (auto const* const number = std::get_if<std::int64_t>(&value))
      text += std::to_string(*number);
    else if (auto const* const word = std::get_if<std::string>(&value))
      text += *word;
    else if (auto const* const flag = std::get_if<bool>(&value))
      text += *flag ? "yes" : "no";
  }
  return text;
}

/// What is wrong with a result by what it says of itself.
[[nodiscard]] std::vector<std::string> faults_of(experiment_result const& result) {
  std::vector<std::string> faults;
  if (!result.correct) faults.emplace_back("the result is wrong");
  for (auto const& claimed : result.claims)
    if (judge(claimed, measured_for(claimed, result)).is_fault)
      faults.push_back(claimed.figure + " are not " + claimed.formula);
  for (auto const& bound : result.bounds)
    if (!(bound.value > 0) || !holds(bound, result.record.counts()))
      faults.push_back("below the bound of " + bound.figure);
  return faults;
}

/// What differs from a result on another engine, or with more workers.
[[nodiscard]] std::vector<std::string> differences_from(experiment_result const& result,
                                                        experiment const& which,
                                                        experiment_request asked) {
  std::vector<std::string> faults;
  auto const usual = asked.options;
  auto const compare = [&](char const* machine) {
    auto const other = which.run(asked);
    if (other.record.counts() != result.record.counts())
      faults.push_back(machine + std::string(" count differently"));
    if (other.correct != result.correct)
      faults.push_back(machine + std::string(" come to another result"));
  };
  asked.options.workers = 2;
  compare("two workers");
  asked.options = usual;
  asked.options.engine = lockstep::engine::threads;
  if (asked.network->size() <= most_on_threads) compare("threads");
  return faults;
}

/// Runs a request. Result: whether it is one that the algorithm serves.
bool conforms(experiment const& which, experiment_request const& asked) {
  try {
    auto const result = which.run(asked);
    auto faults = faults_of(result);
    for (auto& each : differences_from(result, which, asked)) faults.push_back(std::move(each));
    if (!faults.empty()) {
      CAPTURE(which.name, text_of(asked));
      CHECK(faults == std::vector<std::string>{});
    }
    return true;
  } catch (lockstep::invalid_argument const&) {
    return false;
  } catch (lockstep::bad_input const&) {
    return false;
  }
}

/// Runs each algorithm of a share of them, so that ctest has several processes.
void conform(std::size_t share, std::size_t shares) {
  constexpr int fewest_runs = 6;
  auto const all = lockstep::experiments();
  for (std::size_t at = share; at < all.size(); at += shares) {
    int runs = 0;
    for (auto const& network : networks_of(all[at]))
      for (auto const& asked : requests_on(all[at], network))
        runs += conforms(all[at], asked) ? 1 : 0;
    CAPTURE(all[at].name);
    CHECK(runs >= fewest_runs);
  }
}

/// Writes all that a run found.
[[nodiscard]] std::string account_of(experiment_result const& result) {
  auto text = to_string(result.record.counts());
  text += result.correct ? "\nright\n" : "\nwrong\n";
  auto const add = [&](std::string const& name, lockstep::parameter_value const& value) {
    text += name + ' ' + std::visit([](auto const& any) { return fmt::format("{}", any); }, value) +
            '\n';
  };
  for (auto const& [name, value] : result.figures) add(name, value);
  for (auto const& [name, value] : result.parameters) add(name, value);
  for (auto const& one : result.bounds)
    text += fmt::format("{} >= {}, {}\n", one.figure, one.value, one.formula);
  for (auto const& one : result.claims)
    text += fmt::format("{} {} {}: {}, {}\n", one.figure, one.formula, one.value(),
                        measured_for(one, result),
                        name_of(judge(one, measured_for(one, result)).verdict));
  return text;
}

constexpr int processes = 3;

/// Runs a request on several processes, which are threads here, and share results or not. Result: what each found, or
/// its error.
[[nodiscard]] std::vector<std::string> accounts_together(experiment const& which,
                                                         experiment_request const& asked,
                                                         bool share_results) {
  return reference::on_threads(
      processes,
      [&](lockstep::cluster& all) -> std::string {
        auto shared = asked;
        shared.options.cluster = &all;
        try {
          return account_of(which.run(shared));
        } catch (lockstep::error const& thrown) {
          return "refused: " + thrown.message();
        }
      },
      share_results);
}

/// Whether three processes find what one does, of a request that the algorithm serves.
bool same_on_processes(experiment const& which, experiment_request const& asked) {
  std::string alone;
  try {
    alone = account_of(which.run(asked));
  } catch (lockstep::invalid_argument const&) {
    return false;
  } catch (lockstep::bad_input const&) {
    return false;
  }
  CAPTURE(which.name, text_of(asked));
  bool const is_too_small = asked.network->size() < processes;
  for (bool const share_results : {false, true})
    for (auto const& one : accounts_together(which, asked, share_results)) {
      if (is_too_small)
        CHECK(one.find("is too small for 3 processes") != std::string::npos);
      else
        CHECK(one == alone);
    }
  return !is_too_small;
}

}  // namespace

// On the two smallest networks that have enough processors, with each choice.
TEST_CASE("every algorithm finds on three processes what it finds on one", "[conformance]") {
  for (auto const& which : lockstep::experiments()) {
    auto networks = networks_of(which);
    std::ranges::stable_sort(networks, {}, [](auto const& one) { return one->size(); });
    int served = 0;
    for (auto const& network : networks) {
      int runs = 0;
      for (auto const& asked : requests_on(which, network))
        runs += same_on_processes(which, asked) ? 1 : 0;
      if (runs > 0 && ++served == 2) break;
    }
    CAPTURE(which.name);
    CHECK((served > 0 || which.name == "goal"));
  }
}

TEST_CASE("every algorithm does what it says of itself, first quarter", "[conformance]") {
  conform(0, 4);
}
TEST_CASE("every algorithm does what it says of itself, second quarter", "[conformance]") {
  conform(1, 4);
}
TEST_CASE("every algorithm does what it says of itself, third quarter", "[conformance]") {
  conform(2, 4);
}
TEST_CASE("every algorithm does what it says of itself, last quarter", "[conformance]") {
  conform(3, 4);
}
