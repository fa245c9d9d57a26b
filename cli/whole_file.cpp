#include "whole_file.hpp"

#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

std::filesystem::path beside(std::filesystem::path path) { return path += ".part"; }

}  // namespace

whole_file::whole_file(std::filesystem::path path)
    : m_path(std::move(path)), m_part(beside(m_path)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(m_path, ignored))
    throw usage_error(
        fmt::format("cannot write {}: it is a folder; move it away", m_path.string()));
  m_file.open(m_part, std::ios::binary);
  if (!m_file)
    throw usage_error(fmt::format("cannot write {}; name a folder that exists and can be written",
                                  m_path.string()));
}

whole_file::~whole_file() {
  if (!m_file.is_open()) return;
  m_file.close();
  std::error_code ignored;
  std::filesystem::remove(m_part, ignored);
}

void whole_file::publish(std::string_view text) {
  m_file.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!m_file.flush())
    throw std::runtime_error(fmt::format("cannot write all of {}", m_path.string()));
  std::error_code problem;
  std::filesystem::rename(m_part, m_path, problem);
  if (problem)
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", m_path.string(), problem.message()));
  m_file.close();
}

}  // namespace lockstep::cli
