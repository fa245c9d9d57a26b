#include "sorting/key_collector.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "files/number_parser.hpp"
#include "in_quotes.hpp"

namespace lockstep {

/// A whole number of 64 bits, signed or not.
struct key_collector::whole {
  std::uint64_t bits = 0;
  bool is_negative = false;

  [[nodiscard]] static std::optional<whole> in(std::string_view text);

  template <class Key>
  [[nodiscard]] bool fits() const {
    if constexpr (std::floating_point<Key>)
      return true;  // rounded
    else if (is_negative)
      return std::in_range<Key>(static_cast<std::int64_t>(bits));
    else
      return std::in_range<Key>(bits);
  }
  [[nodiscard]] bool fits(key_type type) const {
    return with_key_type(type, [&]<class Key>(Key /*of_type*/) { return fits<Key>(); });
  }

  /// Whether double precision has this number, too.
  [[nodiscard]] bool is_exact_in_float64() const {
    auto const magnitude = is_negative ? 0 - bits : bits;
    return magnitude == 0 ||
           static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <=
               std::numeric_limits<double>::digits;
  }
  [[nodiscard]] double as_float64() const {
    return is_negative ? static_cast<double>(static_cast<std::int64_t>(bits))
                       : static_cast<double>(bits);
  }
};

namespace {

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

}  // namespace

std::optional<key_collector::whole> key_collector::whole::in(std::string_view text) {
  text = without_plus(text);
  if (auto const number = number_in<std::int64_t>(text))
    return whole{static_cast<std::uint64_t>(*number), *number < 0};
  if (auto const number = number_in<std::uint64_t>(text)) return whole{*number};
  return std::nullopt;
}

key_collector::key_collector(std::string file, std::optional<key_type> type, memory* available,
                             keys_taken taken, std::string_view column)
    : m_file(std::move(file)),
      m_type(type),
      m_available(available),
      m_taken(taken),
      m_in_column(column.empty() ? "" : fmt::format(" in column {}", column)),
      m_one_in_each(column.empty() ? "one in each line" : "one in each row"),
      m_real_type(type && is_real(*type) ? type : std::nullopt) {}

void key_collector::take(std::string_view text, std::uint64_t line) {
  if (text.empty()) refuse(line, fmt::format("nothing{}; give a number", m_in_column));
  if (m_real_type) return take_real(text, line);
  auto const number = whole::in(text);
  if (number) return take_whole(*number, text, line);
  if (may_turn_real() && written_real_in<double>(text)) {
    turn_real();
    return take_real(text, line);
  }
  bool const may_be_csv = m_in_column.empty() && text.find(',') != std::string_view::npos;
  refuse(line, fmt::format("{}{} is not a whole number of 64 bits; give {}, -2^63 to 2^64 - 1{}",
                           in_quotes(text), m_in_column, m_one_in_each,
                           may_be_csv ? ", or name a column of a CSV file with --column" : ""));
}

void key_collector::take_whole(whole const& number, std::string_view text, std::uint64_t line) {
  if (m_type && !number.fits(*m_type))
    refuse(line, fmt::format("{} is out of the range of {}; give --keys auto, or another type",
                             text, name_of(*m_type)));
  note(number, line);
  append(number.bits, m_keys);
}

void key_collector::take_real(std::string_view text, std::uint64_t line) {
  auto const number = *m_real_type == key_type::float32 ? written_real_in<float>(text)
                                                        : written_real_in<double>(text);
  if (!number)
    refuse(line, fmt::format("{}{} is not a number; give {}, for example -2, 0.5 or 1e-3",
                             in_quotes(text), m_in_column, m_one_in_each));
  if (!number->in_range)
    refuse(line, fmt::format("{} is out of the range of {}; give a number that it has room for",
                             text, name_of(*m_real_type)));
  if (std::isnan(number->value)) refuse(line, fmt::format("NaN{} {}", m_in_column, why_not_nan));
  // A whole number among others is not to change without being asked.
  if (auto const among = written_number_in(text); !m_type && among && among->is_rounded)
    refuse_rounding(line);
  append(number->value, m_real_keys);
}

/// Turns the numbers read so far, all of them whole, into double precision, as all later ones are.
void key_collector::turn_real() {
  if (m_line_to_round > 0) refuse_rounding(m_line_to_round);
  require_room_for_keys(m_keys.size() * sizeof(double), m_file, m_available);
  m_real_keys.reserve(m_keys.size() + 1);
  for (auto const bits : m_keys)
    m_real_keys.push_back(
        whole{bits, m_any_negative && static_cast<std::int64_t>(bits) < 0}.as_float64());
  m_keys = {};
  m_real_type = key_type::float64;
}

/// Which types have room for all of them.
void key_collector::note(whole const& number, std::uint64_t line) {
  m_all_int32 = m_all_int32 && number.fits<std::int32_t>();
  m_any_negative = m_any_negative || number.is_negative;
  m_any_large = m_any_large || (!number.is_negative && !number.fits<std::int64_t>());
  if (m_line_to_round == 0 && !number.is_exact_in_float64()) m_line_to_round = line;
  if (m_any_negative && m_any_large && !m_type)
    refuse(line,
           "no type of 64 bits has room both for this number and for one before it; "
           "numbers below 0 need all to be less than 2^63");
}

void key_collector::refuse_rounding(std::uint64_t line) const {
  refuse(line,
         "float64, the type of a text whose numbers are not all whole, would round this whole "
         "number; give --keys float64 to have it rounded");
}

template <class Key>
void key_collector::append(Key key, std::vector<Key>& keys) const {
  if (keys.size() == keys.capacity())
    require_room_for_keys(keys.size() * bytes_to_sort_a_key, m_file, m_available);
  keys.push_back(key);
}

key_vector key_collector::finish() && {
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

void key_collector::refuse(std::uint64_t line, std::string const& reason) const {
  throw bad_input(fmt::format("{}:{}: {}", m_file, line, reason));
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
