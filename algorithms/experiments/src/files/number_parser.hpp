#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/memory.hpp>

namespace lockstep {

/// Numbers of one type.
using number_vector = std::variant<std::vector<std::int64_t>, std::vector<double>>;

/// Takes in the numbers of a text one after the other: as whole numbers as long as all of them are,
/// and fit into 64 bits; else in double precision, the earlier ones, too.
class number_parser {
 public:
  using memory = std::uint64_t();

  /// `file`: its name, and `would_do`: what to give where it holds too many numbers; for messages.
  number_parser(std::string file, std::string would_do, memory* available = available_memory);

  /// Takes the number that is the whole of `text`, in that line of the file.
  /// Result: false if it is not a number, not finite, or is out of range; it is not taken then.
  /// Errors: bad_input for more numbers than there is memory for.
  [[nodiscard]] bool take(std::string_view text, std::uint64_t line);

  [[nodiscard]] number_vector finish() &&;

 private:
  template <class Number>
  void append(Number number, std::vector<Number>& to, std::uint64_t line) const;
  void require_room(std::size_t bytes, std::uint64_t line) const;

  std::string m_file;
  std::string m_would_do;
  memory* m_available;
  bool m_all_whole = true;
  std::vector<std::int64_t> m_whole;
  std::vector<double> m_real;
};

}  // namespace lockstep
