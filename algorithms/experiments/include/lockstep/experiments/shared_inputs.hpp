#pragma once

#include <lockstep/cluster.hpp>

namespace lockstep {

/// While it lives, process 0 of a cluster reads the input files of runs for all, which need not have them. All
/// processes make it at the same place, and then read the same files in the same order. It is of its thread.
/// Errors of reading then: process_lost, too.
class shared_inputs {
 public:
  explicit shared_inputs(cluster& processes);
  shared_inputs(shared_inputs const&) = delete;
  shared_inputs& operator=(shared_inputs const&) = delete;
  ~shared_inputs();

 private:
  cluster* m_outer;
};

}  // namespace lockstep
