#pragma once

#include <cstdint>
#include <source_location>

#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Idles until a processor is in that step; nothing if it is there, or later. Result: the step that it is in.
/// Errors, cost: those of `processor::idle`, by one call.
std::uint64_t idle_until(processor& me, std::uint64_t step,
                         std::source_location where = std::source_location::current());

}  // namespace lockstep::detail
