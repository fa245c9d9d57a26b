#pragma once

#include <lockstep/algorithms/schedules/goal_schedule.hpp>
#include <lockstep/clock_models.hpp>

namespace reference {

/// Computes the makespan of a schedule by the rules of the simulator LogGOPSim, with O = 0 and all
/// messages eager: an event simulation that shares nothing with `timeline`. A send takes the processor
/// for o and the network interface for g + (s - 1)G, and its first byte arrives after o + L; what
/// arrives takes the receiver for o + (s - 1)G and its interface for g + (s - 1)G as soon as both are
/// free, whether a receive waits for it or not; the receive ends with that. Each rank's operations run
/// in the order of the schedule, each when the one before is done.
[[nodiscard]] double loggops_makespan(lockstep::goal_schedule const& schedule,
                                      lockstep::loggp_clock const& model);

}  // namespace reference
