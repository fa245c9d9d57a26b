#include "files/text_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "files/byte_order_mark.hpp"
#include "files/number_parser.hpp"
#include "harness/stages.hpp"
#include "in_quotes.hpp"

namespace lockstep {

namespace {

constexpr std::string_view separators = " \t\r\v\f";

/// Takes in a matrix line by line.
class matrix_reader {
 public:
  explicit matrix_reader(std::string file)
      : m_file(std::move(file)), m_numbers(m_file, "a smaller matrix") {}

  void take_line(std::string_view line) {
    if (++m_line == 1) line = without_byte_order_mark(line);
    std::size_t numbers = 0;
    for (auto first = line.find_first_not_of(separators); first != std::string_view::npos;
         first = line.find_first_not_of(separators)) {
      line.remove_prefix(first);
      take_number(line.substr(0, line.find_first_of(separators)));
      line.remove_prefix(std::min(line.size(), line.find_first_of(separators)));
      ++numbers;
    }
    if (numbers > 0) end_row(numbers);
  }

  [[nodiscard]] matrix finish() && {
    if (m_rows == 0)
      throw bad_input(m_file + ": holds no numbers; give n rows of n numbers, one row a line");
    if (m_rows != m_columns)
      throw bad_input(fmt::format("{}: {} rows of {} numbers; give as many rows as columns", m_file,
                                  m_rows, m_columns));
    return std::visit(
        [&]<class Number>(std::vector<Number>&& entries) -> matrix {
          return square_matrix<Number>{m_rows, std::move(entries)};
        },
        std::move(m_numbers).finish());
  }

 private:
  void take_number(std::string_view text) {
    if (!m_numbers.take(text, m_line))
      throw bad_input(
          fmt::format("{}:{}: {} is not a finite number in range; give numbers separated by blanks",
                      m_file, m_line, in_quotes(text)));
  }

  void end_row(std::size_t numbers) {
    if (m_rows == 0) {
      m_columns = numbers;
      m_first_line = m_line;
    }
    if (numbers != m_columns)
      throw bad_input(
          fmt::format("{}:{}: {} numbers in this row, {} in line {}; give all rows the "
                      "same length",
                      m_file, m_line, numbers, m_columns, m_first_line));
    ++m_rows;
  }

  std::string m_file;
  std::size_t m_line = 0;
  std::size_t m_first_line = 0;  ///< that of the first row
  std::size_t m_rows = 0;
  std::size_t m_columns = 0;
  number_parser m_numbers;
};

/// Reads the next line, piece by piece: text without line breaks is not taken in without a limit.
/// Result: false if there is none.
/// Errors: bad_input for a line that is too long to be a row.
[[nodiscard]] bool next_line(std::istream& in, std::string& line, std::string const& file) {
  constexpr std::size_t most_line_bytes = std::size_t{1} << 28U;  // more than ten million numbers
  std::array<char, 1U << 16U> piece{};
  line.clear();
  for (;;) {
    in.getline(piece.data(), piece.size());
    auto const taken = static_cast<std::size_t>(in.gcount());
    bool const is_ended = in.good();  // by a line break, which is taken as well
    line.append(piece.data(), is_ended ? taken - 1 : taken);
    if (is_ended || in.eof() || in.bad() || taken == 0) return is_ended || !line.empty();
    in.clear();  // the piece is full
    if (line.size() > most_line_bytes)
      throw bad_input(fmt::format("{}: a line of more than {} MiB; give one row a line", file,
                                  most_line_bytes >> 20U));
  }
}

}  // namespace

matrix read_text_matrix(std::istream& in, std::string const& file) {
  matrix_reader reader(file);
  for (std::string line; next_line(in, line, file);) reader.take_line(line);
  return std::move(reader).finish();
}

template <class Number>
void write_text_matrix(std::ostream& out, square_matrix<Number> const& written,
                       std::string const& file) {
  for (std::size_t row = 0; out && row < written.size; ++row) {
    fmt::memory_buffer line;
    for (std::size_t column = 0; column < written.size; ++column) {
      auto const& number = written.at(row, column);
      if constexpr (std::is_floating_point_v<Number>)
        if (!std::isfinite(number))
          throw bad_input(
              fmt::format("{}: {} in row {}, column {} has no place in text; name a .npy file",
                          file, number, row + 1, column + 1));
      fmt::format_to(std::back_inserter(line), "{}{}", column == 0 ? "" : " ", number);
    }
    line.push_back('\n');
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
    note_done(written.size);
  }
}

using std::ostream;
using std::string;
template void write_text_matrix(ostream&, square_matrix<std::int64_t> const&, string const&);
template void write_text_matrix(ostream&, square_matrix<double> const&, string const&);
template void write_text_matrix(ostream&, square_matrix<std::int32_t> const&, string const&);
template void write_text_matrix(ostream&, square_matrix<float> const&, string const&);

}  // namespace lockstep
