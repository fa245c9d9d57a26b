#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/barrier.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/total_exchange.hpp>
#include <lockstep/options.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

/// Collectives of integers on every network, their results by a sequential computation, and the grid of
/// operations, networks, schemes, roots and sizes that tests go through.
namespace network_samples {

using lockstep::collective_operation;
using lockstep::collective_scheme;
using lockstep::processor;

using int_list = std::vector<int>;

inline std::vector<std::string> const networks{// one, two, three processors, powers of two and not
                                               "crossbar:1",
                                               "crossbar:2",
                                               "crossbar:3",
                                               "crossbar:8",
                                               "crossbar:11",
                                               "hypercube:0",
                                               "hypercube:1",
                                               "hypercube:3",
                                               "hypercube:4",
                                               "torus:2",
                                               "torus:3",
                                               "torus:8",
                                               "torus:4x4",
                                               "torus:3x5",
                                               "torus:2x3x2",
                                               "mesh:2",
                                               "mesh:3",
                                               "mesh:16",
                                               "mesh:3x4",
                                               "mesh:2x2x3",
                                               "mesh:5x1",
                                               "tree:1",
                                               "tree:2",
                                               "tree:4",
                                               "shuffle-exchange:3",
                                               "butterfly:2",
                                               "cube-connected-cycles:3",
                                               "graph:0-1,1-2,2-3,1-4,4-5,5-0"};

inline int value_of(int rank, std::size_t i) { return 31 * rank + 7 * static_cast<int>(i) + 1; }

inline int_list block_of(int rank, std::size_t n) {
  int_list block(n);
  for (std::size_t i = 0; i < n; ++i) block[i] = value_of(rank, i);
  return block;
}

/// Blocks of all ranks below `end`, one after another.
inline int_list blocks_of_all(int end, std::size_t n) {
  int_list all;
  for (int rank = 0; rank < end; ++rank) {
    auto const block = block_of(rank, n);
    all.insert(all.end(), block.begin(), block.end());
  }
  return all;
}

inline int_list sums_of(int first, int end, std::size_t n) {
  int_list sums(n);
  for (int rank = first; rank < end; ++rank)
    for (std::size_t i = 0; i < n; ++i) sums[i] += value_of(rank, i);
  return sums;
}

struct chosen_call {
  collective_operation operation;
  collective_scheme scheme;
  int root;
  std::size_t n;
};

inline int_list call(processor& me, chosen_call const& what) {
  using enum collective_operation;
  auto const [operation, scheme, root, n] = what;
  lockstep::collective_options const options{.scheme = scheme, .root = root};
  auto mine = block_of(me.rank(), n);
  switch (operation) {
    case broadcast:
      lockstep::broadcast(me, mine, options);
      return mine;
    case reduce:
      return lockstep::reduce(me, std::plus<int>{}, mine, options);
    case all_reduce:
      return lockstep::all_reduce(me, std::plus<int>{}, mine, options);
    case scan:
      return lockstep::scan(me, std::plus<int>{}, mine, options);
    case scatter: {
      auto const all = me.rank() == root ? blocks_of_all(me.size(), n) : int_list{};
      return lockstep::scatter(me, all, n * static_cast<std::size_t>(me.size()),
                               {.scheme = scheme, .root = root});
    }
    case gather:
      return lockstep::gather(me, mine, {.scheme = scheme, .root = root});
    case all_gather:
      return lockstep::all_gather(me, mine, {.scheme = scheme});
    case reduce_scatter:
      return lockstep::reduce_scatter(me, std::plus<int>{},
                                      block_of(me.rank(), n * static_cast<std::size_t>(me.size())),
                                      {.scheme = scheme});
    case all_to_all:
      return lockstep::all_to_all(me, block_of(me.rank(), n * static_cast<std::size_t>(me.size())),
                                  options);
    case barrier:
      lockstep::barrier(me, options);
      return {};
  }
  return {};
}

/// The same by a sequential computation.
inline int_list expected(int rank, int p, chosen_call const& what) {
  using enum collective_operation;
  auto const [operation, scheme, root, n] = what;
  auto const part = [&](int_list const& all) {
    auto const first = all.begin() + static_cast<std::ptrdiff_t>(n) * rank;
    return int_list(first, first + static_cast<std::ptrdiff_t>(n));
  };
  auto const all = n * static_cast<std::size_t>(p);
  switch (operation) {
    case broadcast:
      return block_of(root, n);
    case reduce:
      return rank == root ? sums_of(0, p, n) : int_list{};
    case all_reduce:
      return sums_of(0, p, n);
    case scan:
      return sums_of(0, rank + 1, n);
    case scatter:
      return block_of(rank, n);
    case gather:
      return rank == root ? blocks_of_all(p, n) : int_list{};
    case all_gather:
      return blocks_of_all(p, n);
    case reduce_scatter:
      return part(sums_of(0, p, all));
    case all_to_all: {
      int_list blocks;
      for (int from = 0; from < p; ++from) {
        auto const block = part(block_of(from, all));
        blocks.insert(blocks.end(), block.begin(), block.end());
      }
      return blocks;
    }
    case barrier:
      return {};
  }
  return {};
}

inline constexpr collective_operation operations[] = {
    collective_operation::broadcast,  collective_operation::reduce,
    collective_operation::all_reduce, collective_operation::scan,
    collective_operation::scatter,    collective_operation::gather,
    collective_operation::all_gather, collective_operation::reduce_scatter,
    collective_operation::all_to_all, collective_operation::barrier};

/// Whether JaJa and Ryu's claims are about it.
inline bool is_of_papers(chosen_call const& what) {
  if (what.scheme == collective_scheme::direct)
    return what.operation != collective_operation::all_to_all &&
           what.operation != collective_operation::reduce_scatter;
  return what.scheme == collective_scheme::transpose || what.scheme == collective_scheme::k_ary;
}

inline bool has_root(collective_operation operation) {
  using enum collective_operation;
  return operation == broadcast || operation == reduce || operation == scatter ||
         operation == gather;
}

/// Calls check(network, call) for each operation, network and scheme that fits, some roots and sizes, on
/// machines with that port rule.
template <class Check>
void for_each_call(lockstep::ports with, Check const& check) {
  for (auto const& spec : networks) {
    auto const network = lockstep::parse(spec);
    auto const p = network->size();
    for (auto const operation : operations)
      for (auto const scheme : schemes_of(operation, *network, std::nullopt, with))
        for (int root = 0; root < (has_root(operation) ? p : 1); root += p / 3 + 1)
          for (std::size_t const n : {0U, 1U, 3U, 16U}) {
            if (operation == collective_operation::barrier && n != 1) continue;
            INFO(name_of(operation) << " on " << spec << " by " << name_of(scheme) << ", root "
                                    << root << ", " << n << " elements");
            check(network, chosen_call{operation, scheme, root, n});
          }
  }
}

}  // namespace network_samples
