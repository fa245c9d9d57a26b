#pragma once

#include <cstdint>

#include <lockstep/counts.hpp>
#include <lockstep/step_list.hpp>

namespace lockstep::detail {

/// Adds the figures of a step that came `elapsed` steps after the beginning.
void add_step(counts& total, step_record const& step, std::uint64_t elapsed);

}  // namespace lockstep::detail
