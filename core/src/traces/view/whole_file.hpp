#pragma once

#include <filesystem>
#include <string_view>

namespace lockstep::detail {

/// Writes a file beside, and gives it its name once it is whole: until then a file of that name stays
/// as it is. Devices, pipes and symbolic links are written in place.
/// Errors: incomplete_trace.
void write_whole_file(std::filesystem::path const& file, std::string_view text);

}  // namespace lockstep::detail
