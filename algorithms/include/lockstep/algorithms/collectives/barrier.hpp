#pragma once

#include <source_location>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Synchronises all processors of a machine or subset by messages of one word, as a machine without
/// a barrier of its own has to: nobody goes on before all have called it. (`processor::barrier` is the
/// machine's, and free.)
///
/// Errors: invalid_argument for a scheme that does not fit the network; those of the machine, among
/// them port_conflict on a strict one, where processors come to it in different steps.
///
/// **Cost** one-port, where all come to it in the same step, contention 1: `dissemination`, on a
/// crossbar, and `recursive_doubling` on a hypercube ceil(log2 p) rounds, of a word; `binomial`
/// twice the sum of ceil(log2) over the sizes of the dimensions; `tree` twice the rounds of a
/// breadth-first tree; `direct`, on a crossbar with all ports, one round.
///
/// **Source** Hensgen, Finkel and Manber, Two Algorithms for Barrier Synchronization, 1988, for
/// dissemination.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{6}};
/// auto run = machine.run([](lockstep::processor& me) {
///   me.idle(me.rank() == 3 ? 10 : 0);  // one of them is late
///   lockstep::barrier(me);
///   return me.now();
/// });
/// run.results()[0];  // 14
/// ```
void barrier(processor& me, collective_options const& options = {},
             std::source_location where = std::source_location::current());

}  // namespace lockstep
