#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "index.hpp"

// Shared by tests of complete exchanges.

namespace reference {

/// Element `i` of the block from `source` to `destination`: different for all of them where T has
/// room for that.
template <class T>
T block_element(int source, int destination, int i) {
  return static_cast<T>((source * 8192 + destination) * 4 + i);
}

/// A processor's blocks of `block` elements, one for each destination.
template <class T>
std::vector<T> blocks_for_all(lockstep::processor const& me, int block) {
  std::vector<T> blocks;
  for (int destination = 0; destination < me.size(); ++destination)
    for (int i = 0; i < block; ++i) blocks.push_back(block_element<T>(me.rank(), destination, i));
  return blocks;
}

/// Whether a processor has what belongs there in the end, one block of each source.
template <class T>
bool are_blocks_of_all(std::vector<T> const& blocks, lockstep::processor const& me, int block) {
  bool right = blocks.size() == index(me.size()) * index(block);
  for (std::size_t i = 0; right && i < blocks.size(); ++i)
    right = blocks[i] ==
            block_element<T>(static_cast<int>(i) / block, me.rank(), static_cast<int>(i) % block);
  return right;
}

/// Exchanges blocks of `block` elements by `exchange(me, blocks)`, and checks all of them.
template <class T, class Exchange>
lockstep::run_record exchanged_by(lockstep::machine const& on, int block, Exchange const& exchange,
                                  std::span<lockstep::observer* const> observers = {}) {
  auto run = on.run(
      [&](lockstep::processor& me) {
        return are_blocks_of_all<T>(exchange(me, blocks_for_all<T>(me, block)), me, block);
      },
      observers);
  INFO(on.topology().spec() << ", " << block << " elements a block");
  CHECK(std::ranges::count(run.results(), false) == 0);
  return run;
}

/// The same by `all_to_all`, on a strict machine unless other options are given.
template <class T = std::int32_t>
lockstep::run_record exchanged(std::string const& spec, int block = 1,
                               lockstep::exchange_choice const& choice = {},
                               lockstep::machine_options const& options = {.strict = true},
                               std::span<lockstep::observer* const> observers = {}) {
  lockstep::machine const on{lockstep::parse(spec), options};
  lockstep::exchange_schedule const schedule(on.topology(), choice);
  return exchanged_by<T>(
      on, block,
      [&](lockstep::processor& me, std::vector<T> blocks) {
        return lockstep::all_to_all(me, std::move(blocks), schedule);
      },
      observers);
}

}  // namespace reference
