#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/topologies/binary_tree.hpp>

#include "catch.hpp"
#include "experiments/requests.hpp"
#include "index.hpp"
#include "prefix/tree_intake.hpp"

using lockstep::binary_tree;
using lockstep::tree_intake;
using lockstep::tree_intakes;

namespace {

std::uint64_t most_steps(binary_tree const& tree, lockstep::prefixes_on_tree const& of) {
  std::uint64_t most = 0;
  for (auto const& node : tree_intakes(tree, of)) most = std::max(most, node.least_words());
  return most;
}

tree_intake intake_of(binary_tree const& tree, lockstep::prefixes_on_tree const& of, int rank) {
  for (auto const& node : tree_intakes(tree, of))
    if (node.processor == rank) return node;
  FAIL("no inner node " << rank);
  return {};
}

/// The beginnings of one prefix.
std::vector<bool> beginnings(int size, std::vector<int> const& at) {
  std::vector<bool> begins(index(size));
  for (int const each : at) begins[index(each)] = true;
  return begins;
}

lockstep::lower_bound strongest_of_words(std::string const& name, std::string const& on,
                                         std::map<std::string, lockstep::parameter_value> values) {
  auto const result =
      lockstep::find_experiment(name)->run(requests::make(name, on, std::move(values)));
  CHECK(result.correct);
  auto const* const found = lockstep::strongest(result.bounds, "words");
  REQUIRE(found != nullptr);
  CHECK(holds(*found, result.record.counts()));
  return *found;
}

}  // namespace

TEST_CASE("k prefixes on a tree of one port take 3k + d - 3 steps", "[tree_intake]") {
  for (int d = 4; d <= 9; ++d)
    for (std::uint64_t const k : {4U, 20U, 1000U}) {
      auto const levels = static_cast<std::uint64_t>(d);
      // Or, for small k, two words into the lowest node on the left, which go on to the last leaf.
      CHECK(most_steps(binary_tree{d}, {.alike = k}) ==
            std::max(3 * k + levels - 3, 2 * k + 2 * levels - 3));
    }
  CHECK(most_steps(binary_tree{3}, {.alike = 10}) == 23);  // 2k + 3
  CHECK(most_steps(binary_tree{2}, {.alike = 10}) == 11);  // the root takes in x_0
  CHECK(most_steps(binary_tree{1}, {.alike = 10}) == 0);
}

TEST_CASE("a processor of the tree takes in what has no other way", "[tree_intake]") {
  binary_tree const tree{4};
  CHECK(intake_of(tree, {}, 5).words == 3);
  CHECK(intake_of(tree, {}, 5).links_on == 1);  // what comes before goes on to 4
  CHECK(intake_of(tree, {}, 1).words == 2);     // nothing comes before its subtree
  CHECK(intake_of(tree, {}, 13).words == 2);    // nothing comes after it
  CHECK(intake_of(tree, {}, 7).words == 1);
  CHECK(intake_of(tree, {.begins = {beginnings(15, {4})}}, 5).words == 2);  // 4 needs nothing
  CHECK(intake_of(tree, {.begins = {beginnings(15, {5})}}, 5).words == 2);  // x_4 is not needed
  CHECK(intake_of(tree, {.begins = {beginnings(15, {4, 5, 7})}}, 5).words == 0);
}

TEST_CASE("segmented broadcasts need three words from five levels on", "[tree_intake]") {
  auto const copies = [](int size, std::vector<int> const& at) {
    return lockstep::prefixes_on_tree{
        .alike = 10, .begins = {beginnings(size, at)}, .is_copy = true};
  };
  CHECK(intake_of(binary_tree{5}, copies(31, {10, 14}), 11).words == 30);
  CHECK(most_steps(binary_tree{5}, copies(31, {10, 14})) == 32);  // 3k + d - 3
  // Fifteen processors never do: all 2^14 choices of beginnings.
  for (unsigned chosen = 0; chosen < 1U << 14U; ++chosen) {
    std::vector<bool> begins(15);
    for (std::size_t at = 1; at < 15; ++at) begins[at] = (chosen >> (at - 1) & 1U) != 0;
    for (auto const& node : tree_intakes(binary_tree{4}, {.begins = {begins}, .is_copy = true}))
      if (node.words > 2) FAIL("processor " << node.processor << " by " << chosen);
  }
}

TEST_CASE("runs on trees stand beside the words into a processor", "[tree_intake]") {
  auto const bound = strongest_of_words("pipelined-prefix", "tree:4", {{"k", 20}});
  CHECK(bound.value == 61);
  CHECK(bound.formula == "60 words into processor 5, each to go 1 link on");
  auto const backward =
      strongest_of_words("pipelined-prefix", "tree:4", {{"k", 20}, {"kind", "backward-exclusive"}});
  CHECK(backward.value == 61);
  CHECK(backward.formula == "60 words into processor 9, each to go 1 link on");
  CHECK(strongest_of_words("pipelined-prefix", "tree:3", {{"k", 20}}).value == 43);
  CHECK(
      strongest_of_words("pipelined-prefix", "tree:4", {{"k", 20}, {"operator", "first"}}).value ==
      20);
  auto const segments = strongest_of_words("segmented-prefix", "tree:6", {{"k", 40}});
  CHECK(segments.value > 80);
  auto const copies = strongest_of_words("data-distribution", "tree:6", {{"k", 40}});
  CHECK(copies.value > 40);
  CHECK(copies.value < segments.value);
}
