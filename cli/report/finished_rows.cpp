#include "finished_rows.hpp"

#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "commands/usage_error.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

std::string as_line(ordered_json const& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

finished_rows::finished_rows(std::filesystem::path file, std::string const& version,
                             std::string const& sweep, std::string caller)
    : m_file(std::move(file)), m_caller(std::move(caller)) {
  auto const head = as_line({{"sweep", 1}, {"lockstep", version}, {"command", sweep}});
  std::error_code unknown;
  bool const is_there =
      std::filesystem::exists(m_file, unknown) && !std::filesystem::is_empty(m_file, unknown);
  if (is_there) read(head);
  m_stream.open(m_file, std::ios::app | std::ios::binary);
  if (!m_stream)
    throw usage_error(
        fmt::format("{}: {} cannot be written; name another file", m_caller, m_file.string()));
  if (!is_there) write(head);
}

void finished_rows::read(std::string const& head) {
  std::ifstream stream(m_file, std::ios::binary);
  std::string line;
  if (!std::getline(stream, line) || line != head)
    throw usage_error(
        fmt::format("{}: {} is not of this command and this version; name another file, or "
                    "remove it",
                    m_caller, m_file.string()));
  std::uintmax_t whole = stream.eof() ? 0 : line.size() + 1;
  while (std::getline(stream, line) && !stream.eof()) {
    auto const json = ordered_json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.contains("place") || !json.contains("row")) break;
    m_rows[json.at("place").get<std::size_t>()] = json.at("row");
    whole += line.size() + 1;
  }
  stream.close();
  std::error_code problem;
  std::filesystem::resize_file(m_file, whole, problem);
  if (problem || whole == 0)
    throw usage_error(fmt::format("{}: {} cannot be mended; name another file, or remove it",
                                  m_caller, m_file.string()));
}

void finished_rows::add(std::size_t place, ordered_json const& row) {
  auto const line = as_line({{"place", place}, {"row", row}});
  std::scoped_lock const lock(m_writing);
  write(line);
}

void finished_rows::write(std::string const& line) {
  if (!(m_stream << line << '\n' << std::flush))
    throw std::runtime_error(fmt::format("{}: {} cannot be written to", m_caller, m_file.string()));
}

}  // namespace lockstep::cli
