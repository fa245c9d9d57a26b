#pragma once

#include <filesystem>
#include <string>

#include <lockstep/view_notes.hpp>

#include "run_recording.hpp"

namespace lockstep::detail {

/// Names the page of a run: as its notes say, or else by its program and network.
[[nodiscard]] std::string title_of(run_recording const& of, view_notes const& notes);

/// Writes the page of a run to a file, which gets its name once the page is complete.
/// Errors: incomplete_trace where the file cannot be written.
void write_run_page(run_recording const& of, std::filesystem::path const& file,
                    view_notes const& notes);

}  // namespace lockstep::detail
