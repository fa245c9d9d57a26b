#pragma once

#include <cstdint>
#include <source_location>

#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Idles until a processor is in that step; nothing if it is there, or later.
/// Errors: those of `processor::idle`. Cost: the steps, by one call, where `now` and `idle` are two.
void idle_until(processor& me, std::uint64_t step,
                std::source_location where = std::source_location::current());

}  // namespace lockstep::detail
