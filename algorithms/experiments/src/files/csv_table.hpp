#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The names and the rows of a CSV file as they stand there, byte for byte, each with its line break.
class csv_table {
 public:
  /// `text`: of the file; `ends`: of the names and of each row, in bytes from its beginning. What
  /// stands behind the last is left out. Where the last line has no break, it gets that of the names.
  csv_table(std::string text, std::vector<std::uint64_t> ends);

  [[nodiscard]] std::size_t rows() const { return m_ends.size() - 1; }
  [[nodiscard]] std::string_view names() const { return between(0, m_ends.front()); }
  [[nodiscard]] std::string_view row(std::size_t number) const {
    return between(m_ends[number], m_ends[number + 1]);
  }
  /// Computes the line of the file in which a row begins.
  [[nodiscard]] std::uint64_t line_of(std::size_t row) const;

 private:
  [[nodiscard]] std::string_view between(std::uint64_t begin, std::uint64_t end) const {
    return std::string_view(m_text).substr(begin, end - begin);
  }

  std::string m_text;
  std::vector<std::uint64_t> m_ends;
};

}  // namespace lockstep
