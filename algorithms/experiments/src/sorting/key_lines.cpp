#include "sorting/key_lines.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <concepts>
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

[[nodiscard]] std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

[[nodiscard]] std::optional<written_number> written_number_in(std::string_view text) {
  text = without_plus(text);
  if (auto const number = number_in<std::int64_t>(text))
    return written_number{static_cast<std::uint64_t>(*number), *number < 0};
  if (auto const number = number_in<std::uint64_t>(text)) return written_number{*number};
  return std::nullopt;
}

/// Whether double precision has this number, too.
[[nodiscard]] bool is_exact_in_float64(written_number const& number) {
  auto const magnitude = number.is_negative ? 0 - number.bits : number.bits;
  return magnitude == 0 ||
         static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <=
             std::numeric_limits<double>::digits;
}

[[nodiscard]] double as_float64(written_number const& number) {
  return number.is_negative ? static_cast<double>(static_cast<std::int64_t>(number.bits))
                            : static_cast<double>(number.bits);
}

/// A number that is written with a point or an exponent, or is infinite, or not a number at all.
struct written_real {
  double value = 0;  ///< rounded to that type
  bool in_range = true;
};

template <std::floating_point Real>
[[nodiscard]] std::optional<written_real> written_real_in(std::string_view text) {
  text = without_plus(text);
  Real number{};
  auto const* const end = text.data() + text.size();
  auto const [stopped, failure] = std::from_chars(text.data(), end, number);
  if (failure == std::errc::invalid_argument || stopped != end) return std::nullopt;
  return written_real{number, failure == std::errc{}};
}

[[nodiscard]] constexpr bool is_real(key_type type) {
  return type == key_type::float32 || type == key_type::float64;
}

template <class Key>
[[nodiscard]] bool has_room_for(written_number const& number) {
  if constexpr (std::floating_point<Key>)
    return true;  // rounded
  else if (number.is_negative)
    return std::in_range<Key>(static_cast<std::int64_t>(number.bits));
  else
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
             std::uint64_t (*available)(), keys_taken taken)
      : m_in(in),
        m_file(file),
        m_type(type),
        m_available(available),
        m_taken(taken),
        m_real_type(type && is_real(*type) ? type : std::nullopt) {}

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
    if (m_real_type) return take_real(text);
    auto const number = written_number_in(text);
    if (!number && may_turn_real() && written_real_in<double>(text)) {
      turn_real();
      return take_real(text);
    }
    if (!number)
      refuse(m_line, in_quotes(text) +
                         " is not a whole number of 64 bits; give one in each line, -2^63 to "
                         "2^64 - 1");
    if (m_type && !has_room_for(*m_type, *number))
      refuse(m_line, fmt::format("{} is out of the range of {}; give --keys auto, or another type",
                                 text, name_of(*m_type)));
    note(*number);
    append(number->bits, m_keys);
  }

  template <class Key>
  void append(Key key, std::vector<Key>& keys) const {
    if (keys.size() == keys.capacity())
      require_room_for_keys(keys.size() * bytes_to_sort_a_key, m_file, m_available);
    keys.push_back(key);
  }

  [[nodiscard]] bool may_turn_real() const { return m_taken == keys_taken::numbers && !m_type; }

  /// What has been read so far was all whole; from here on it is of double precision.
  void turn_real() {
    require_room_for_keys(m_keys.size() * sizeof(double), m_file, m_available);
    m_real_keys.reserve(m_keys.size() + 1);
    for (auto const bits : m_keys) {
      written_number const number{bits, m_any_negative && static_cast<std::int64_t>(bits) < 0};
      require_exact(number, m_real_keys.size() + 1);
      m_real_keys.push_back(as_float64(number));
    }
    m_keys = {};
    m_real_type = key_type::float64;
  }

  void take_real(std::string_view text) {
    auto const number = *m_real_type == key_type::float32 ? written_real_in<float>(text)
                                                          : written_real_in<double>(text);
    if (!number)
      refuse(m_line, in_quotes(text) +
                         " is not a number; give one in each line, for example -2, 0.5 or 1e-3");
    if (!number->in_range)
      refuse(m_line, fmt::format("{} is out of the range of {}; give a number that it has room for",
                                 text, name_of(*m_real_type)));
    if (auto const whole = written_number_in(text); whole && !m_type) require_exact(*whole, m_line);
    append(number->value, m_real_keys);
  }

  /// A whole number among others is not to change without being asked.
  void require_exact(written_number const& number, std::uint64_t line) const {
    if (!is_exact_in_float64(number))
      refuse(line,
             "float64, the type of a text whose numbers are not all whole, would round this whole "
             "number; give --keys float64 to have it rounded");
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
    if (m_real_type == key_type::float64) return std::move(m_real_keys);
    if (m_real_type) {
      require_room_for_keys(m_real_keys.size() * sizeof(float), m_file, m_available);
      return std::vector<float>(m_real_keys.begin(), m_real_keys.end());
    }
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
  keys_taken m_taken;
  std::optional<key_type> m_real_type;  ///< if numbers need not be whole
  std::array<char, 256> m_buffer{};
  std::string_view m_text;
  std::uint64_t m_line = 0;
  std::vector<std::uint64_t> m_keys;
  std::vector<double> m_real_keys;
  bool m_all_int32 = true;
  bool m_any_negative = false;
  bool m_any_large = false;
};

}  // namespace

key_vector keys_in_lines(std::istream& in, std::string const& file, std::optional<key_type> type,
                         std::uint64_t (*available)(), keys_taken taken) {
  return key_reader(in, file, type, available, taken).read();
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
