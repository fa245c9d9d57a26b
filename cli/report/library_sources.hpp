#pragma once

#include <span>
#include <string_view>

namespace lockstep::cli {

/// A source file of the library's algorithms, as it was when the tool was built.
struct library_file {
  std::string_view path;  ///< in the project
  std::string_view text;
};

/// Lists them all; written by cmake/embed_sources.cmake.
[[nodiscard]] std::span<library_file const> library_sources();

}  // namespace lockstep::cli
