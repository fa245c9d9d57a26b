#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <lockstep/errors.hpp>

#include "engine/processor_state.hpp"

namespace lockstep::detail {

/// Processors, or messages, that the details of an error list at most.
inline constexpr std::size_t most_detailed = 4'096;

/// Writes the call by which a processor came to its barrier, as a program writes it.
[[nodiscard]] std::string barrier_text(processor_state const& member);

/// Whether `left` is in an earlier step than `right`, or of lower rank in the same.
[[nodiscard]] bool is_behind(processor_state const& left, processor_state const& right);

/// Finds the processor that is in the earliest step among those that have not finished; nullptr if
/// all have.
[[nodiscard]] processor_state const* earliest(std::span<processor_state const> all);

/// Whether every processor that has not finished waits in a barrier.
[[nodiscard]] bool all_in_barriers(std::span<processor_state const> all);

/// Writes what the processors of a machine that is stuck wait for, and a cycle among
/// them.
[[nodiscard]] std::string deadlock_text(std::span<processor_state const> all);

/// Lists the same for programs.
[[nodiscard]] std::shared_ptr<failure_details const> waits_of(std::span<processor_state const> all);

/// Writes which members of the barrier that `waiting` is in can never reach it.
[[nodiscard]] std::string unreachable_barrier_text(std::span<processor_state const> all,
                                                   processor_state const& waiting);

}  // namespace lockstep::detail
