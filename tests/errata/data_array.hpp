#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/machine.hpp>

#include "simulation.hpp"

namespace as_printed {

/// The places of a data array, in the order in which they are in memory.
using places = std::vector<std::size_t>;

/// One step of a node: these places go out along the dimension, and what comes in, from the node at
/// another offset, is put into them.
struct array_step {
  int phase;
  int dimension;
  int offset;
  int from_offset;
  places sent;
};

/// What a node does with its array.
struct array_program {
  block_list initial;  ///< by place
  std::vector<array_step> steps;
};

/// Runs a torus on which every node does that with its array, step by step.
/// Result: the arrays at the end.
[[nodiscard]] inline lockstep::run_of<block_list> run_arrays(
    network const& on, std::function<array_program(node const&)> const& program_of) {
  return on.machine({.strict = true}).run([&](lockstep::processor& me) {
    auto const x = on.at(me.rank());
    auto const program = program_of(x);
    auto held = program.initial;
    int phase = 0;
    for (auto const& [phase_of_step, dimension, offset, from_offset, sent] : program.steps) {
      if (std::exchange(phase, phase_of_step) != phase_of_step)
        me.phase("Phase " + std::to_string(phase_of_step));
      block_list piece;
      for (auto const place : sent) piece.push_back(held[place]);
      me.send(lockstep::along{dimension, offset}, piece);
      me.receive_into(on.rank_of(moved_round(on, x, {dimension, from_offset})), piece);
      for (std::size_t i = 0; i < sent.size(); ++i) held[sent[i]] = piece[i];
    }
    return held;
  });
}

}  // namespace as_printed
