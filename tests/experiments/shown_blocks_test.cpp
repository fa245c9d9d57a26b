#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"

using lockstep::block_label;

namespace {

using blocks = std::set<std::pair<int, int>>;

/// A processor that holds a block, from a step on until after another.
struct stay {
  int rank = 0;
  std::uint64_t since = 0;
  std::uint64_t until = 0;  ///< the first step after which it does not hold it any more
};
using way = std::vector<stay>;
/// The ways of all blocks of a run, by exchange, source and destination.
using ways = std::map<std::pair<std::string, std::pair<int, int>>, way>;

/// What is going on of an exchange is a part of its data array.
std::string exchange_of(std::string const& name) {
  std::string const going_on = "going on";
  return name.starts_with(going_on) ? "data array" + name.substr(going_on.size()) : name;
}

blocks blocks_in(lockstep::shown_value const& value) {
  blocks all;
  if (auto const* const labels = std::get_if<std::vector<block_label>>(&value))
    for (auto const& label : *labels)
      if (label.source >= 0) all.emplace(label.source, label.destination);
  return all;
}

ways ways_in(reference::call_log const& log) {
  std::map<std::pair<int, std::string>, std::map<std::pair<int, int>, std::uint64_t>> open;
  ways all;
  auto const end = [&](int rank, std::string const& name, auto const& held, std::uint64_t until) {
    all[{exchange_of(name), held.first}].push_back({rank, held.second, until});
  };
  for (auto const& shown : log.shows) {
    auto const now = blocks_in(shown.value);
    auto& held = open[{shown.rank, shown.name}];
    std::erase_if(held, [&](auto const& one) {
      if (now.contains(one.first)) return false;
      end(shown.rank, shown.name, one, shown.step);
      return true;
    });
    for (auto const& label : now) held.try_emplace(label, shown.step);
  }
  for (auto const& [of, held] : open)
    for (auto const& one : held) end(of.first, of.second, one, log.counts.steps + 1);
  return all;
}

std::set<int> holders(way const& of, std::uint64_t step) {
  std::set<int> ranks;
  for (auto const& one : of)
    if (one.since <= step && step < one.until) ranks.insert(one.rank);
  return ranks;
}

/// What is wrong with a way: empty, or "comes back", which has been nowhere in between, "ends
/// elsewhere" than at its destination, or "jumps" to a processor that no message took it to.
std::set<std::string> faults_of(way const& of, int destination, reference::call_log const& log) {
  std::set<std::string> faults;
  auto before = std::set<int>{};
  auto last = before;
  for (std::uint64_t step = 0; step <= log.counts.steps; ++step) {
    auto const now = holders(of, step);
    bool const begins = last.empty();
    if (!now.empty() && before.empty() && !begins) faults.insert("comes back");
    for (int const rank : now)
      if (!begins && !before.contains(rank) &&
          std::ranges::none_of(log.messages, [&](lockstep::message_record const& one) {
            return one.step == step && one.to == rank && before.contains(one.from);
          }))
        faults.insert("jumps");
    if (!now.empty()) last = now;
    before = now;
  }
  if (!last.contains(destination)) faults.insert("ends elsewhere");
  return faults;
}

/// What may be so, and why.
struct exception_to_the_rule {
  std::string_view algorithm;
  std::string_view exchange;
  std::string_view fault;
  std::string_view why;
};
constexpr std::array exceptions{
    exception_to_the_rule{"reduce", "sums of pieces", "ends elsewhere",
                          "the sum of a piece goes on from its owner to the root"},
    exception_to_the_rule{"matrix-sum", "sums of pieces", "ends elsewhere",
                          "the sum of a piece goes on from its owner to the root"},
};

bool is_expected(std::string const& algorithm, std::string const& exchange,
                 std::string const& fault) {
  return std::ranges::any_of(exceptions, [&](exception_to_the_rule const& one) {
    return one.algorithm == algorithm && one.exchange == exchange && one.fault == fault;
  });
}

/// The faults of all blocks that a run shows, each with the first block that has it.
std::map<std::pair<std::string, std::string>, std::string> faults_in(
    reference::call_log const& log) {
  std::map<std::pair<std::string, std::string>, std::string> found;
  for (auto const& [block, of] : ways_in(log)) {
    auto const [source, destination] = block.second;
    for (auto const& fault : faults_of(of, destination, log))
      found.try_emplace({block.first, fault},
                        std::to_string(source) + "-" + std::to_string(destination));
  }
  return found;
}

reference::call_log watched(lockstep::experiment const& which) {
  auto asked = teaching_request(which);
  reference::call_log log;
  std::array<lockstep::observer*, 1> const observers{&log};
  asked.observers = observers;
  CHECK(which.run(asked).correct);
  return log;
}

}  // namespace

TEST_CASE("the blocks that an algorithm shows can be followed to their destinations") {
  std::set<std::string> with_blocks;
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name << " on " << which.teaching.on);
    auto const log = watched(which);
    if (!ways_in(log).empty()) with_blocks.insert(which.name);
    for (auto const& [fault, block] : faults_in(log)) {
      INFO("block " << block << " of \"" << fault.first << "\" " << fault.second);
      CHECK(is_expected(which.name, fault.first, fault.second));
    }
  }
  CHECK(with_blocks.size() >= 20);
}

TEST_CASE("each exchange of a sort has a name of its own") {
  auto const names_of = [](char const* sort) {
    std::set<std::string> names;
    for (auto const& [block, of] : ways_in(watched(*lockstep::find_experiment(sort))))
      names.insert(block.first);
    return names;
  };
  CHECK(names_of("counting-sort") == std::set<std::string>{"counts: blocks", "ranks: blocks"});
  auto const of_radix_sort = names_of("radix-sort");
  CHECK(of_radix_sort.size() == 8);
  CHECK(of_radix_sort.contains("counts, digit 4: blocks"));
}

TEST_CASE("the ways of blocks are checked: a lost, a wrong and a jumping one are found") {
  reference::call_log log;
  log.counts.steps = 3;
  auto const shown = [&](int rank, std::uint64_t step, std::vector<block_label> const& labels) {
    log.shows.push_back({.rank = rank, .step = step, .name = "blocks", .value = labels});
  };
  shown(0, 0, {{0, 1}, {0, 2}, {0, 3}});
  shown(0, 1, {});
  shown(1, 1, {{0, 2}, {0, 3}});
  shown(1, 3, {{0, 1}, {0, 2}, {0, 3}});
  log.messages.push_back({.step = 1, .sent = 1, .from = 0, .to = 1});
  auto faults = faults_in(log);
  CHECK(faults.at({"blocks", "comes back"}) == "0-1");
  CHECK(faults.at({"blocks", "jumps"}) == "0-1");
  CHECK(faults.at({"blocks", "ends elsewhere"}) == "0-2");
  shown(2, 3, {{0, 2}});
  CHECK(faults_in(log).at({"blocks", "ends elsewhere"}) == "0-3");
}
