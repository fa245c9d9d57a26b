#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/drawing.hpp"

namespace lockstep::cli {

/// Whether the program that encodes clips, ffmpeg, is on the path.
[[nodiscard]] bool can_make_clips();

/// Makes a clip of the frames, two seconds each: "gif" or "webm", by ffmpeg.
/// Result: the file's bytes. Errors: std::runtime_error, with what ffmpeg complained of.
[[nodiscard]] std::string clip_of(std::vector<drawing> const& frames, std::string_view format);

}  // namespace lockstep::cli
