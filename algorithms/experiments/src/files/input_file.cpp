#include "files/input_file.hpp"

#include <system_error>

#include <fmt/format.h>

namespace lockstep {

std::ifstream open_input(std::filesystem::path const& file, std::string const& would_do) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw bad_input(fmt::format("{}: is a directory; {}", file.string(), would_do));
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (in.is_open()) in.peek();
  require_readable(in, file, would_do);
  return in;
}

void require_readable(std::ifstream const& in, std::filesystem::path const& file,
                      std::string const& would_do) {
  if (!in.is_open() || in.bad())
    throw bad_input(fmt::format("{}: cannot be read: {}; {}", file.string(),
                                std::generic_category().message(errno), would_do));
}

}  // namespace lockstep
