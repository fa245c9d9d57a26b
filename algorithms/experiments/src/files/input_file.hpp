#pragma once

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <lockstep/experiments/registry.hpp>

#include "harness/stages.hpp"

namespace lockstep {

/// Opens it for reading. `would_do`: what to name instead of a file that cannot be read.
/// Errors: bad_input for a file that cannot be read.
[[nodiscard]] std::ifstream open_input(std::filesystem::path const& file,
                                       std::string const& would_do);

/// Errors: bad_input if reading has failed.
void require_readable(std::ifstream const& in, std::filesystem::path const& file,
                      std::string const& would_do);

/// What `read(stream)` makes of the file.
/// Errors: bad_input for a file that cannot be read, up to its end; what `read` throws.
template <class Read>
[[nodiscard]] auto read_input(std::filesystem::path const& file, std::string const& would_do,
                              Read const& read) {
  begin_stage("reading " + file.string());
  auto in = open_input(file, would_do);
  errno = 0;
  try {
    auto made = read(in);
    require_readable(in, file, would_do);
    return made;
  } catch (bad_input const&) {
    require_readable(in, file, would_do);  // what is missing could not be read
    throw;
  }
}

}  // namespace lockstep
