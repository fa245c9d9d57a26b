#include <lockstep/algorithms/collectives/listed_blocks.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/total_exchange.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

using lockstep::collective_operation;
using lockstep::collective_scheme;
using lockstep::processor;

namespace {

using size_list = std::vector<std::size_t>;
using int_list = std::vector<int>;

constexpr collective_operation listed_operations[] = {
    collective_operation::gather, collective_operation::scatter, collective_operation::all_gather,
    collective_operation::all_to_all};

struct listed_call {
  collective_operation operation;
  collective_scheme scheme;
  int root;
  size_list sizes;
};

std::size_t elements_of(size_list const& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

/// Calls it with blocks of these sizes. Result: whether what comes has the right sizes.
bool make_call(processor& me, listed_call const& of) {
  auto const p = static_cast<std::size_t>(me.size());
  auto const rank = static_cast<std::size_t>(me.rank());
  lockstep::scatter_options const rooted{.scheme = of.scheme, .root = of.root};
  switch (of.operation) {
    case collective_operation::gather: {
      auto const all = lockstep::gatherv(me, int_list(of.sizes[rank]), of.sizes, rooted);
      return all.size() == (me.rank() == of.root ? elements_of(of.sizes) : 0);
    }
    case collective_operation::scatter: {
      int_list const all(me.rank() == of.root ? elements_of(of.sizes) : 0);
      return lockstep::scatterv(me, all, of.sizes, rooted).size() == of.sizes[rank];
    }
    case collective_operation::all_gather:
      return lockstep::all_gatherv(me, int_list(of.sizes[rank]), of.sizes, {.scheme = of.scheme})
                 .size() == elements_of(of.sizes);
    default: {
      std::vector<int_list> blocks;
      for (std::size_t to = 0; to < p; ++to) blocks.emplace_back(of.sizes[rank * p + to]);
      auto const came = lockstep::all_to_allv(me, std::move(blocks), {.scheme = of.scheme});
      for (std::size_t from = 0; from < p; ++from)
        if (came[from].size() != of.sizes[from * p + rank]) return false;
      return true;
    }
  }
}

/// Lists the schemes that fit, for blocks of any sizes.
std::vector<collective_scheme> schemes_for(collective_operation operation,
                                           lockstep::topology const& network) {
  std::vector<collective_scheme> schemes;
  for (auto const scheme : schemes_of(operation, network)) {
    bool const is_direct = scheme == collective_scheme::direct;
    if (is_direct ? operation != collective_operation::all_to_all
                  : scheme == collective_scheme::k_ary || scheme == collective_scheme::bruck ||
                        scheme == collective_scheme::circulant)
      continue;
    schemes.push_back(scheme);
  }
  return schemes;
}

/// Sizes that differ, some of them 0; all 0; one block alone.
std::vector<size_list> sizes_to_try(std::size_t blocks) {
  size_list different(blocks);
  for (std::size_t i = 0; i < blocks; ++i) different[i] = i * 11 % 7 == 3 ? 0 : i * 5 % 9;
  size_list one(blocks);
  one[blocks / 2] = 13;
  return {different, size_list(blocks), one, size_list(blocks, 3)};
}

}  // namespace

TEST_CASE("collectives of blocks of any sizes cost what is claimed, by every scheme, strict") {
  for (std::string const spec :
       {"crossbar:1", "crossbar:2", "crossbar:8", "crossbar:11", "hypercube:0", "hypercube:1",
        "hypercube:4", "torus:2", "torus:7", "torus:4x4", "torus:2x3x2", "mesh:3", "mesh:3x4",
        "mesh:5x1", "tree:1", "tree:4", "shuffle-exchange:3", "butterfly:2",
        "graph:0-1,1-2,2-3,1-4,4-5,5-0"})
    for (auto const operation : listed_operations) {
      auto const network = lockstep::parse(spec);
      auto const p = network->size();
      auto const blocks =
          static_cast<std::size_t>(operation == collective_operation::all_to_all ? p * p : p);
      bool const is_rooted =
          operation == collective_operation::gather || operation == collective_operation::scatter;
      for (auto const scheme : schemes_for(operation, *network))
        for (auto const& sizes : sizes_to_try(blocks))
          for (int root = 0; root < (is_rooted ? p : 1); root += p / 3 + 1)
            for (std::uint64_t const packet : {1, 4}) {
              INFO(name_of(operation) << "v on " << spec << " by " << name_of(scheme) << ", root "
                                      << root << ", packet " << packet);
              listed_call const of{operation, scheme, root, sizes};
              auto const run = lockstep::machine(network, {.strict = true, .packet = packet})
                                   .run([&](processor& me) { return make_call(me, of) ? 1 : 0; });
              CHECK(std::ranges::count(run.results(), 1) == p);
              auto const& counts = run.counts();
              auto const claimed = lockstep::listed_counts(
                  operation, *network, sizes, {.scheme = scheme, .root = root}, packet);
              CHECK(counts.rounds == claimed.rounds);
              CHECK(counts.startups == claimed.startups);
              CHECK(counts.words == claimed.words);
              CHECK(counts.volume == claimed.volume);
              CHECK(counts.messages == claimed.messages);
              CHECK(counts.contention == (claimed.messages > 0 ? 1 : 0));
              for (auto const& one : lockstep::listed_claims(
                       operation, *network, sizes, {.scheme = scheme, .root = root}, packet))
                CHECK(one.value() == static_cast<double>(metric_value(counts, one.figure)));
            }
    }
}

TEST_CASE("blocks of one size cost what the collectives of such blocks do") {
  for (std::string const spec : {"mesh:3x4", "hypercube:3", "tree:3"})
    for (auto const operation : {collective_operation::gather, collective_operation::scatter,
                                 collective_operation::all_gather}) {
      auto const network = lockstep::parse(spec);
      size_list const sizes(static_cast<std::size_t>(network->size()), 5);
      for (auto const scheme : schemes_for(operation, *network)) {
        INFO(name_of(operation) << " on " << spec << " by " << name_of(scheme));
        CHECK(lockstep::listed_counts(operation, *network, sizes, {.scheme = scheme}, 2) ==
              lockstep::collective_counts(operation, *network, 5, {.scheme = scheme}, 2));
      }
    }
}

TEST_CASE("the schemes that blocks of any sizes take where none is named") {
  auto const counts = [](collective_operation operation, char const* spec, char const* scheme) {
    auto const network = lockstep::parse(spec);
    auto const p = static_cast<std::size_t>(network->size());
    size_list const sizes(operation == collective_operation::all_to_all ? p * p : p, 2);
    return lockstep::listed_counts(operation, *network, sizes, {.scheme = scheme});
  };
  using enum collective_operation;
  for (auto const& [operation, spec, scheme] :
       {std::tuple(gather, "crossbar:6", "binomial"), std::tuple(scatter, "mesh:3x3", "binomial"),
        std::tuple(gather, "tree:3", "tree"), std::tuple(all_gather, "crossbar:6", "ring"),
        std::tuple(all_gather, "torus:4x4", "bucket"),
        std::tuple(all_gather, "hypercube:3", "recursive-doubling"),
        std::tuple(all_to_all, "crossbar:6", "direct"),
        std::tuple(all_to_all, "hypercube:3", "bucket"),
        std::tuple(all_to_all, "butterfly:2", "tree")}) {
    INFO(name_of(operation) << "v on " << spec);
    CHECK(counts(operation, spec, "automatic") == counts(operation, spec, scheme));
  }
}

TEST_CASE("the counts of blocks of any sizes say what they cannot count") {
  lockstep::mesh const network{2, 3};
  size_list const sizes(6, 1);
  auto const refused = [&](collective_operation operation, size_list const& of,
                           lockstep::collective_options const& options = {},
                           std::uint64_t packet = 1) {
    try {
      static_cast<void>(lockstep::listed_counts(operation, network, of, options, packet));
    } catch (lockstep::error const& refusal) {
      return refusal.message();
    }
    return std::string("not refused");
  };
  using enum collective_operation;
  CHECK(refused(gather, size_list(5)) ==
        "gatherv: 5 sizes on mesh:2x3; give 6, one for each block");
  CHECK(refused(all_to_all, sizes) ==
        "all_to_allv: 6 sizes on mesh:2x3; give 36, one for each block");
  CHECK(
      refused(broadcast, sizes) ==
      "broadcast has no blocks of several sizes; gather, scatter, all_gather and all_to_all have");
  CHECK(refused(gather, sizes, {.scheme = "ring"}) ==
        "gather: the scheme ring does not fit mesh:2x3; take binomial, tree, or leave the scheme "
        "out");
  CHECK(refused(gather, sizes, {.root = 6}) != "not refused");
  CHECK(refused(gather, sizes, {}, 0) != "not refused");
  CHECK_THROWS_AS(lockstep::listed_counts(all_gather, *lockstep::parse("crossbar:6"), sizes,
                                          {.scheme = "bruck"}),
                  lockstep::invalid_argument);
}

TEST_CASE("a gather of blocks of any sizes counts as the example says") {
  std::array<std::size_t, 4> const sizes{5, 0, 0, 1};
  auto const counts =
      lockstep::listed_counts(collective_operation::gather, lockstep::mesh{2, 2}, sizes);
  CHECK(counts.rounds == 2);
  CHECK(counts.words == 2);  // the one word goes two rounds; the root has the five
}
