#include "sorting/key_lines.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

#include "files/byte_order_mark.hpp"
#include "files/without_blanks.hpp"
#include "in_quotes.hpp"
#include "sorting/key_collector.hpp"

namespace lockstep {

namespace {

/// Reads the keys of one text.
class key_reader {
 public:
  key_reader(std::istream& in, key_collector keys) : m_in(in), m_keys(std::move(keys)) {}

  [[nodiscard]] key_vector read() && {
    std::uint64_t empty_line = 0;
    while (next_line()) {
      auto const text = without_blanks(m_text, " \t\r");
      if (text.empty()) {
        if (empty_line == 0) empty_line = m_line;
        continue;
      }
      if (empty_line > 0)
        m_keys.refuse(empty_line, "is empty, and keys follow; leave the line out");
      m_keys.take(text, m_line);
    }
    return std::move(m_keys).finish();
  }

 private:
  /// A line that is too long for a number is cut off.
  [[nodiscard]] bool next_line() {
    m_in.getline(m_buffer.data(), std::ssize(m_buffer));
    auto const got = static_cast<std::size_t>(m_in.gcount());
    if (m_in.bad() || got == 0) return false;
    ++m_line;
    bool const has_end = !m_in.eof() && !m_in.fail();
    m_text = {m_buffer.data(), has_end ? got - 1 : got};
    if (m_line == 1) m_text = without_byte_order_mark(m_text);
    if (m_in.fail() && !m_in.eof())
      m_keys.refuse(m_line,
                    in_quotes(m_text) + " is too long for a whole number; give one in each line");
    return true;
  }

  std::istream& m_in;
  key_collector m_keys;
  std::array<char, 256> m_buffer{};
  std::string_view m_text;
  std::uint64_t m_line = 0;
};

}  // namespace

key_vector keys_in_lines(std::istream& in, std::string const& file, std::optional<key_type> type,
                         std::uint64_t (*available)(), keys_taken taken) {
  return key_reader(in, key_collector(file, type, available, taken)).read();
}

}  // namespace lockstep
