#include "matrix_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/registry.hpp>

namespace lockstep {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// The whole of `text` as a number.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number number{};
  auto const* const end = text.data() + text.size();
  auto const [stopped, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

/// -0 is not whole: only double precision has it.
[[nodiscard]] std::optional<std::int64_t> whole_number_in(std::string_view text) {
  auto const number = number_in<std::int64_t>(text);
  return number == 0 && text.front() == '-' ? std::nullopt : number;
}

[[nodiscard]] std::optional<double> finite_number_in(std::string_view text) {
  auto const number = number_in<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// A piece of the file that fits into one line of a message.
[[nodiscard]] std::string quoted(std::string_view text) {
  constexpr std::size_t most = 24;
  std::string shown(text.substr(0, most));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return '"' + shown + (text.size() > most ? "...\"" : "\"");
}

[[nodiscard]] std::string reason_of(int error) { return std::generic_category().message(error); }

/// Takes in a matrix line by line.
class matrix_reader {
 public:
  explicit matrix_reader(std::string file) : m_file(std::move(file)) {}

  void take_line(std::string_view line) {
    ++m_line;
    std::size_t numbers = 0;
    for (auto first = line.find_first_not_of(blanks); first != std::string_view::npos;
         first = line.find_first_not_of(blanks)) {
      line.remove_prefix(first);
      take_number(line.substr(0, line.find_first_of(blanks)));
      line.remove_prefix(std::min(line.size(), line.find_first_of(blanks)));
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
    if (m_all_whole) return square_matrix<std::int64_t>{m_rows, std::move(m_whole)};
    return square_matrix<double>{m_rows, std::move(m_real)};
  }

 private:
  void take_number(std::string_view text) {
    if (m_all_whole) {
      if (auto const number = whole_number_in(text)) return m_whole.push_back(*number);
      m_all_whole = false;
      m_real.assign(m_whole.begin(), m_whole.end());
    }
    auto const number = finite_number_in(text);
    if (!number)
      throw bad_input(
          fmt::format("{}:{}: {} is no finite number in range; give numbers separated by blanks",
                      m_file, m_line, quoted(text)));
    m_real.push_back(*number);
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
  bool m_all_whole = true;
  std::vector<std::int64_t> m_whole;
  std::vector<double> m_real;
};

template <class Number>
void write_numbers(std::filesystem::path const& file, square_matrix<Number> const& written) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  for (std::size_t row = 0; out && row < written.size; ++row) {
    fmt::memory_buffer line;
    for (std::size_t column = 0; column < written.size; ++column)
      fmt::format_to(std::back_inserter(line), "{}{}", column == 0 ? "" : " ",
                     written.at(row, column));
    line.push_back('\n');
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
  }
  out.close();
  if (!out)
    throw bad_input(fmt::format("{}: cannot be written: {}; name a file that can be", file.string(),
                                reason_of(errno)));
}

}  // namespace

matrix read_matrix(std::filesystem::path const& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw bad_input(file.string() + ": is a directory; name a text file with a matrix");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  matrix_reader reader(file.string());
  for (std::string line; std::getline(in, line);) reader.take_line(line);
  if (!in.is_open() || in.bad())
    throw bad_input(fmt::format("{}: cannot be read: {}; name a text file with a matrix",
                                file.string(), reason_of(errno)));
  return std::move(reader).finish();
}

void write_matrix(std::filesystem::path const& file, square_matrix<std::int64_t> const& written) {
  write_numbers(file, written);
}

void write_matrix(std::filesystem::path const& file, square_matrix<double> const& written) {
  write_numbers(file, written);
}

}  // namespace lockstep
