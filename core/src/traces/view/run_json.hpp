#pragma once

#include <string>

#include <lockstep/traces/view_trace.hpp>

#include "traces/view/run_recording.hpp"

namespace lockstep::detail {

/// Writes a run as the viewer reads it, a JSON object: viewer/README.md has its members.
[[nodiscard]] std::string run_json(run_recording const& of, view_notes const& notes);

}  // namespace lockstep::detail
