#include "specification.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

specification::specification(std::string_view text, std::source_location where)
    : m_text(text), m_colon(std::min(text.find(':'), text.size())), m_where(where) {}

std::string_view specification::after_colon() const {
  return m_text.substr(std::min(m_colon + 1, m_text.size()));
}

void specification::throw_invalid(std::string const& reason) const {
  throw invalid_topology(fmt::format("\"{}\" is not a topology: {}", m_text, reason), m_where);
}

int specification::read(std::string_view digits) const {
  int number = 0;
  auto const* const end = digits.data() + digits.size();
  auto const [stop, problem] = std::from_chars(digits.data(), end, number);
  if (problem == std::errc::result_out_of_range)
    throw_invalid(fmt::format("{} is too large; a number is at most 2147483647", digits));
  if (problem != std::errc{} || stop != end)
    throw_invalid(fmt::format("\"{}\" is not a whole number", digits));
  return number;
}

int specification::number() const { return read(after_colon()); }

std::vector<int> specification::sizes() const {
  std::vector<int> sizes;
  for (std::string_view rest = after_colon();;) {
    auto const cross = rest.find('x');
    sizes.push_back(read(rest.substr(0, cross)));
    if (cross == std::string_view::npos) return sizes;
    rest.remove_prefix(cross + 1);
  }
}

}  // namespace lockstep::detail
