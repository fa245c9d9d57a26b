#pragma once

#include <cstdint>

#include <lockstep/topology.hpp>

namespace lockstep {

/// What all processors together hold at a time: copies of everyone's blocks for everyone, and a
/// number of bytes besides.
struct block_memory {
  std::uint64_t words;  ///< in a block
  std::uint64_t bytes_of_a_word;
  unsigned copies = 1;
  std::uint64_t bytes_besides = 0;
};

/// Errors: out_of_memory, with the figures, where that is more than this process may take.
void require_memory(topology const& network, block_memory const& held);

}  // namespace lockstep
