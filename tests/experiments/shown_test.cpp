#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"

namespace {

constexpr int most_processors = 64;

/// A request for what the command line asks for when nothing but a topology is given.
lockstep::experiment_request plain_request(lockstep::experiment const& which,
                                           std::string const& on) {
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  asked.options.ports = which.default_ports;
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  return asked;
}

/// The first example of at most 64 processors; empty where there is not one.
std::string small_example(lockstep::experiment const& which) {
  for (auto const& example : which.examples)
    if (lockstep::parse(example)->size() <= most_processors) return example;
  return "";
}

}  // namespace

TEST_CASE("every algorithm shows what each processor holds, and counts as without a view") {
  for (auto const& which : lockstep::experiments()) {
    auto const example = small_example(which);
    INFO(which.name << " on " << example);
    REQUIRE_FALSE(example.empty());
    auto asked = plain_request(which, example);
    auto const plain = which.run(asked);
    reference::call_log log;
    std::array<lockstep::observer*, 1> const observers{&log};
    asked.observers = observers;
    auto const watched = which.run(asked);
    CHECK(watched.correct);
    CHECK(watched.record.counts() == plain.record.counts());
    std::set<int> ranks;
    std::set<int> later;
    for (auto const& shown : log.shows) {
      ranks.insert(shown.rank);
      if (shown.step > 0) later.insert(shown.rank);
    }
    auto const p = static_cast<std::size_t>(asked.network->size());
    CHECK(ranks.size() == p);
    CHECK(later.size() == p);
  }
}
