#pragma once

#include <filesystem>
#include <string_view>

namespace lockstep::detail {

/// Writes a file that gets its name once it is whole: until then a file of that name stays as it is.
/// Where the file system allows it, nothing is left of what was written if the process ends before.
/// Devices, pipes and symbolic links are written in place.
/// Errors: incomplete_trace.
void write_whole_file(std::filesystem::path const& file, std::string_view text);

}  // namespace lockstep::detail
