#include "source_places.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace lockstep::detail {

namespace {

/// Reads a source file of usual size.
std::optional<std::string> text_of_file(std::string const& file) {
  constexpr std::uintmax_t largest = std::uintmax_t{1} << 20U;
  std::error_code unknown;
  auto const bytes = std::filesystem::file_size(file, unknown);
  if (unknown || bytes > largest) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

int source_places::add(std::source_location const& where, int from) {
  if (where.line() == 0) return -1;
  auto const [found, is_new] =
      m_numbers.emplace(std::tuple(std::string_view(where.file_name()), where.line(),
                                   std::string_view(where.function_name()), from),
                        static_cast<int>(m_places.size()));
  if (is_new)
    m_places.push_back({add_file(where.file_name()), where.line(), where.function_name(), from});
  return found->second;
}

int source_places::add_file(std::string_view name) {
  auto const [found, is_new] = m_files.emplace(name, static_cast<int>(m_sources.size()));
  if (is_new) {
    std::string const path(name);
    m_sources.push_back({std::filesystem::path(path).filename().string(),
                         m_find ? m_find(path) : text_of_file(path)});
  }
  return found->second;
}

}  // namespace lockstep::detail
