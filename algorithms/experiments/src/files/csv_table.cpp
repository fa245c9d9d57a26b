#include "files/csv_table.hpp"

#include <algorithm>
#include <utility>

namespace lockstep {

csv_table::csv_table(std::string text, std::vector<std::uint64_t> ends)
    : m_text(std::move(text)), m_ends(std::move(ends)) {
  m_text.resize(m_ends.back());
  if (m_text.ends_with('\n')) return;
  bool const has_carriage_returns = names().ends_with("\r\n");
  m_text += has_carriage_returns ? "\r\n" : "\n";
  m_ends.back() = m_text.size();
}

std::uint64_t csv_table::line_of(std::size_t row) const {
  auto const above = between(0, m_ends[row]);
  return static_cast<std::uint64_t>(std::ranges::count(above, '\n')) + 1;
}

}  // namespace lockstep
