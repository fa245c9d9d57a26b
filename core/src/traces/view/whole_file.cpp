#include "traces/view/whole_file.hpp"

#include <fstream>
#include <ios>
#include <random>
#include <system_error>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

namespace {

namespace fs = std::filesystem;

/// Where to write what `file` is to hold: beside it, or in place.
[[nodiscard]] fs::path place_for(fs::path const& file) {
  std::error_code ignored;
  auto const found = fs::symlink_status(file, ignored);
  if (fs::exists(found) && !fs::is_regular_file(found)) return file;
  std::random_device random;
  return file.parent_path() / fmt::format(".lockstep-{:08x}{:08x}", random(), random());
}

/// Gives what is written its name, and the permissions of the file that it replaces.
[[nodiscard]] bool renamed(fs::path const& written, fs::path const& file) {
  std::error_code problem;
  if (auto const old = fs::status(file, problem); fs::exists(old))
    fs::permissions(written, old.permissions(), problem);
  fs::rename(written, file, problem);
  return !problem;
}

}  // namespace

void write_whole_file(fs::path const& file, std::string_view text) {
  auto const place = place_for(file);
  std::ofstream out;
  if (file.has_filename()) out.open(place, std::ios::binary);
  if (!out.is_open())
    throw incomplete_trace(fmt::format(
        "cannot write {}: is its folder there, and may you write to it?", file.string()));
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out && (place == file || renamed(place, file))) return;
  std::error_code ignored;
  if (place != file) fs::remove(place, ignored);
  throw incomplete_trace(
      fmt::format("the page is incomplete: cannot write to {}; is its disk full?", file.string()));
}

}  // namespace lockstep::detail
