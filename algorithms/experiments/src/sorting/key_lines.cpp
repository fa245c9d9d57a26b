#include "sorting/key_lines.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "files/byte_order_mark.hpp"
#include "in_quotes.hpp"

namespace lockstep {

namespace {

/// A whole number of 64 bits, signed or not.
struct written_number {
  std::uint64_t bits = 0;
  bool is_negative = false;
};

template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
  Number number{};
  auto const* const end = text.data() + text.size();
  auto const [stopped, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

[[nodiscard]] std::optional<written_number> written_number_in(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (auto const number = number_in<std::int64_t>(text))
    return written_number{static_cast<std::uint64_t>(*number), *number < 0};
  if (auto const number = number_in<std::uint64_t>(text)) return written_number{*number};
  return std::nullopt;
}

template <class Key>
[[nodiscard]] bool has_room_for(written_number const& number) {
  if (number.is_negative) return std::in_range<Key>(static_cast<std::int64_t>(number.bits));
  return std::in_range<Key>(number.bits);
}

[[nodiscard]] bool has_room_for(key_type type, written_number const& number) {
  return with_key_type(type, [&]<class Key>(Key /*of_type*/) { return has_room_for<Key>(number); });
}

[[nodiscard]] std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Reads the keys of one text.
class key_reader {
 public:
  key_reader(std::istream& in, std::string const& file, std::optional<key_type> type,
             std::uint64_t (*available)())
      : m_in(in), m_file(file), m_type(type), m_available(available) {}

  [[nodiscard]] key_vector read() && {
    std::uint64_t empty_line = 0;
    while (next_line()) {
      auto const text = without_blanks(m_text);
      if (text.empty()) {
        if (empty_line == 0) empty_line = m_line;
        continue;
      }
      if (empty_line > 0) refuse(empty_line, "is empty, and keys follow; leave the line out");
      take(text);
    }
    return as_keys();
  }

 private:
  [[noreturn]] void refuse(std::uint64_t line, std::string const& reason) const {
    throw bad_input(fmt::format("{}:{}: {}", m_file, line, reason));
  }

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
      refuse(m_line, in_quotes(m_text) + " is too long for a whole number; give one in each line");
    return true;
  }

  void take(std::string_view text) {
    auto const number = written_number_in(text);
    if (!number)
      refuse(m_line, in_quotes(text) +
                         " is not a whole number of 64 bits; give one in each line, -2^63 to "
                         "2^64 - 1");
    if (m_type && !has_room_for(*m_type, *number))
      refuse(m_line, fmt::format("{} is out of the range of {}; give --keys auto, or another type",
                                 text, name_of(*m_type)));
    note(*number);
    if (m_keys.size() == m_keys.capacity())
      require_room_for_keys(m_keys.size() * bytes_to_sort_a_key, m_file, m_available);
    m_keys.push_back(number->bits);
  }

  /// Which types have room for all of them.
  void note(written_number const& number) {
    m_all_int32 = m_all_int32 && has_room_for<std::int32_t>(number);
    m_any_negative = m_any_negative || number.is_negative;
    m_any_large = m_any_large || (!number.is_negative && !has_room_for<std::int64_t>(number));
    if (m_any_negative && m_any_large && !m_type)
      refuse(m_line,
             "no type of 64 bits has room both for this number and for one before it; "
             "numbers below 0 need all to be less than 2^63");
  }

  [[nodiscard]] key_vector as_keys() {
    auto const smallest = m_all_int32   ? key_type::int32
                          : m_any_large ? key_type::uint64
                                        : key_type::int64;
    auto const type = m_type.value_or(smallest);
    if (type == key_type::uint64) return std::move(m_keys);
    return with_key_type(type, [&]<class Key>(Key /*of_type*/) -> key_vector {
      require_room_for_keys(m_keys.size() * sizeof(Key), m_file, m_available);
      return std::vector<Key>(m_keys.begin(), m_keys.end());
    });
  }

  std::istream& m_in;
  std::string const& m_file;
  std::optional<key_type> m_type;
  std::uint64_t (*m_available)();
  std::array<char, 256> m_buffer{};
  std::string_view m_text;
  std::uint64_t m_line = 0;
  std::vector<std::uint64_t> m_keys;
  bool m_all_int32 = true;
  bool m_any_negative = false;
  bool m_any_large = false;
};

}  // namespace

key_vector keys_in_lines(std::istream& in, std::string const& file, std::optional<key_type> type,
                         std::uint64_t (*available)()) {
  return key_reader(in, file, type, available).read();
}

/// The system would end the process that takes more than there is.
void require_room_for_keys(std::uint64_t bytes, std::string const& file,
                           std::uint64_t (*available)()) {
  constexpr std::uint64_t worth_asking = std::uint64_t{1} << 20U;
  if (bytes <= worth_asking) return;
  if (auto const there_is = available(); bytes > there_is)
    throw bad_input(fmt::format(
        "{}: more keys than there is memory for ({} MiB available); give a shorter file", file,
        there_is >> 20U));
}

}  // namespace lockstep
