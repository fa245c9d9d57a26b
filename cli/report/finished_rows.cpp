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

bool is_row(ordered_json const& json) {
  return json.contains("place") && json.at("place").is_number_unsigned() && json.contains("row") &&
         json.at("row").is_object();
}

}  // namespace

finished_rows::finished_rows(std::filesystem::path file, std::string const& version,
                             std::string const& sweep, std::string caller, std::string owner)
    : m_file(std::move(file)), m_caller(std::move(caller)), m_owner(std::move(owner)) {
  auto const head = as_line({{"sweep", 1}, {"lockstep", version}, {"command", sweep}});
  std::error_code unknown;
  if (std::filesystem::exists(m_file, unknown) &&
      !std::filesystem::is_regular_file(m_file, unknown))
    throw usage_error(
        fmt::format("{}: {} is not a file for rows; name another", m_caller, m_file.string()));
  bool const is_there =
      std::filesystem::exists(m_file, unknown) && !std::filesystem::is_empty(m_file, unknown);
  if (is_there) read(head);
  m_stream.open(m_file, std::ios::app | std::ios::binary);
  if (!m_stream)
    throw usage_error(
        fmt::format("{}: {} cannot be written; name another file", m_caller, m_file.string()));
  if (!is_there) write(head);
}

void finished_rows::refuse(std::string_view problem) const {
  throw usage_error(fmt::format("{}: {} {}; name another file, or remove it", m_caller,
                                m_file.string(), problem));
}

void finished_rows::read(std::string const& head) {
  std::ifstream stream(m_file, std::ios::binary);
  std::string line;
  if (!std::getline(stream, line) || line != head) refuse("is not of " + m_owner);
  std::uintmax_t whole = stream.eof() ? 0 : line.size() + 1;
  for (int number = 2; std::getline(stream, line) && !stream.eof(); ++number) {
    auto const json = ordered_json::parse(line, nullptr, false);
    if (json.is_discarded() || !is_row(json))
      refuse(fmt::format("has no finished run in line {}", number));
    m_rows[json.at("place").get<std::size_t>()] = json.at("row");
    whole += line.size() + 1;
  }
  stream.close();
  std::error_code problem;
  std::filesystem::resize_file(m_file, whole, problem);
  if (problem || whole == 0) refuse("cannot be mended");
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
