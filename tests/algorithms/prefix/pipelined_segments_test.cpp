#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/pipelined_segments.hpp>

#include "catch.hpp"
#include "check_claims.hpp"
#include "index.hpp"
#include "prefix/prefix_samples.hpp"

using lockstep::machine;
using lockstep::monoid;
using lockstep::pipelined_scheme;
using lockstep::ports;
using lockstep::prefix_schedule;
using lockstep::processor;
using lockstep::segmented;

namespace {

struct segments_at {
  std::string spec;
  pipelined_scheme scheme;
  ports with = ports::one;
  lockstep::engine engine = lockstep::engine::fibers;
};

/// Elements of k prefixes of intervals, by prefix, then by processor.
std::vector<std::vector<segmented<matrix2>>> random_elements(int k, int size) {
  std::mt19937 random(17);
  std::vector<std::vector<segmented<matrix2>>> elements;
  for (int j = 0; j < k; ++j) {
    elements.emplace_back();
    for (auto const& value : random_matrices(size, static_cast<unsigned>(200 + j)))
      elements.back().push_back({random() % 3 == 0, value});
  }
  return elements;
}

std::vector<segmented<matrix2>> of_processor(
    std::vector<std::vector<segmented<matrix2>>> const& elements, int rank) {
  std::vector<segmented<matrix2>> mine;
  for (auto const& each : elements) mine.push_back(each[index(rank)]);
  return mine;
}

std::vector<segments_at> every_scheme_of_segments(int d) {
  using enum pipelined_scheme;
  auto const sized = [&](std::string const& network) { return network + ':' + std::to_string(d); };
  return {{sized("tree"), lagged},
          {sized("tree"), lagged, ports::all},
          {sized("tree"), lagged, ports::per_pass},
          {sized("hypercube"), inorder},
          {sized("hypercube"), spanning_tree},
          {sized("hypercube"), halving},
          {sized("hypercube"), fft, ports::all},
          {sized("shuffle-exchange"), relay},
          {sized("shuffle-exchange"), combined},
          {sized("shuffle-exchange"), combined, ports::all},
          {sized("shuffle-exchange"), halving}};
}

/// Runs both, and compares with what one gets by combining one matrix after another.
void check_segments(segments_at const& at, int k) {
  machine const on{lockstep::parse(at.spec), {.ports = at.with, .engine = at.engine, .workers = 1}};
  prefix_schedule const schedule(on.topology(), at.scheme, at.with);
  auto const elements = random_elements(k, on.size());
  auto const sums = on.run([&](processor& me) {
    auto const mine = of_processor(elements, me.rank());
    return lockstep::pipelined_segmented_prefix(me, monoid{matrix2{}, std::multiplies<matrix2>{}},
                                                mine, schedule);
  });
  auto const firsts = on.run([&](processor& me) {
    auto const mine = of_processor(elements, me.rank());
    return lockstep::pipelined_data_distribution(me, std::span(mine), schedule);
  });
  INFO(at.spec << ", k = " << k << ", " << name_of(at.scheme));
  int wrong = 0;
  for (int j = 0; j < k; ++j) {
    matrix2 sum;
    matrix2 first;
    for (int rank = 0; rank < on.size(); ++rank) {
      auto const& [begins, value] = elements[index(j)][index(rank)];
      bool const is_first = begins || rank == 0;
      sum = is_first ? value : sum * value;
      if (is_first) first = value;
      if (!(sums.results()[index(rank)][index(j)] == sum)) ++wrong;
      if (!(firsts.results()[index(rank)][index(j)] == first)) ++wrong;
    }
  }
  CHECK(wrong == 0);
  auto const instances = static_cast<std::uint64_t>(k);
  reference::check_claims(
      lockstep::pipelined_segmented_prefix_claims(on.topology(), at.scheme, instances, at.with),
      sums.counts());
  reference::check_claims(
      lockstep::pipelined_data_distribution_claims(on.topology(), at.scheme, instances, at.with),
      firsts.counts());
  CHECK(firsts.counts().volume == firsts.counts().messages);  // a value and its flags are a word
}

lockstep::claim const& bound_of_paper(std::vector<lockstep::claim> const& claims) {
  for (auto const& each : claims)
    if (each.source.starts_with("Mayr and Plaxton")) return each;
  FAIL("no claim of the paper");
  return claims.front();
}

}  // namespace

TEST_CASE("k segmented prefixes and broadcasts by every scheme", "[prefix]") {
  for (int d = 1; d <= 7; ++d)
    for (auto const& at : every_scheme_of_segments(d))
      for (int const k : {0, 1, 2, 5, 16}) check_segments(at, k);
  check_segments({"tree:3", pipelined_scheme::trimmed}, 8);
  check_segments({"hypercube:0", pipelined_scheme::halving}, 3);
}

TEST_CASE("k segmented prefixes and broadcasts on both engines", "[prefix][sanitize][threads]") {
  for (auto at : every_scheme_of_segments(3)) {
    check_segments(at, 4);
    at.engine = lockstep::engine::threads;
    check_segments(at, 4);
  }
}

TEST_CASE("what the paper says of k segmented broadcasts", "[prefix]") {
  using enum pipelined_scheme;
  auto const claimed = [](char const* on, pipelined_scheme scheme, ports with, std::uint64_t k) {
    auto const network = lockstep::parse(on);
    return bound_of_paper(lockstep::pipelined_data_distribution_claims(*network, scheme, k, with));
  };
  for (auto const* const on : {"tree:5", "hypercube:5"})
    CHECK(claimed(on, std::string(on) == "tree:5" ? lagged : halving, ports::one, 8).formula ==
          "2k + 4 log p");
  CHECK(claimed("shuffle-exchange:5", halving, ports::one, 8).formula == "6k + 10 log p");
  CHECK(claimed("tree:5", lagged, ports::one, 8).source == "Mayr and Plaxton 1989, 3");
  // Fifteen processors can do with two words for each broadcast where the beginnings are known.
  CHECK(claimed("tree:4", lagged, ports::one, 64).evidence.empty());
  CHECK_FALSE(claimed("tree:5", lagged, ports::one, 64).evidence.empty());
  CHECK(claimed("tree:5", lagged, ports::one, 16).evidence.empty());  // 3k + 2 <= 2k + 4 log 31
  CHECK(claimed("tree:5", lagged, ports::per_pass, 64).evidence.empty());
  CHECK(claimed("tree:5", lagged, ports::per_pass, 64).erratum == "made for one port");
}
