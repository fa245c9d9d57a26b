#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/memory.hpp>

namespace lockstep {

/// Numbers of one type.
using number_vector = std::variant<std::vector<std::int64_t>, std::vector<double>>;

/// A number that a text holds.
struct written_number {
  std::optional<std::int64_t> whole{};  ///< where it is written as a whole number of 64 bits
  double real = 0;
  bool is_rounded = false;  ///< whether it is written as a whole number that double precision lacks
};

/// Reads the number that is the whole of `text`. A decimal is rounded to double precision.
/// Result: nothing if it is not a number, not finite, or is out of range.
[[nodiscard]] std::optional<written_number> written_number_in(std::string_view text);

/// Whether double precision has this whole number, too.
[[nodiscard]] bool is_exact_in_double(std::int64_t number);

/// Says why a whole number is refused among numbers in double precision, and what to do.
[[nodiscard]] std::string why_not_rounded(std::string_view number);

/// Takes in the numbers of a text one after the other: as whole numbers as long as all of them are,
/// and fit into 64 bits; else in double precision, the earlier ones, too. No whole number is rounded.
class number_parser {
 public:
  using memory = std::uint64_t();

  /// `file`: its name, and `would_do`: what to give where it holds too many numbers; for messages.
  number_parser(std::string file, std::string would_do, memory* available = available_memory);

  /// Takes the number that is the whole of `text`, in that line of the file.
  /// Result: false if it is not a number, not finite, or is out of range; it is not taken then.
  /// Errors: bad_input for more numbers than there is memory for, and, with its line, for a whole
  /// number that double precision would round, where the numbers are read so.
  [[nodiscard]] bool take(std::string_view text, std::uint64_t line);

  /// Errors: bad_input, with that line, if memory lacks room for that many bytes.
  void require_room(std::size_t bytes, std::uint64_t line) const;

  [[nodiscard]] number_vector finish() &&;

 private:
  template <class Number>
  void append(Number number, std::vector<Number>& to, std::uint64_t line) const;
  void turn_real(std::uint64_t line);
  [[noreturn]] void refuse_rounding(std::string_view number, std::uint64_t line) const;

  std::string m_file;
  std::string m_would_do;
  memory* m_available;
  bool m_all_whole = true;
  std::uint64_t m_line_to_round = 0;   ///< the first whose whole number double precision lacks
  std::int64_t m_number_to_round = 0;  ///< that number
  std::vector<std::int64_t> m_whole;
  std::vector<double> m_real;
};

}  // namespace lockstep
