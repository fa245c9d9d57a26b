#include "files/number_parser.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "in_quotes.hpp"

namespace lockstep {

namespace {

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

/// Whether a text that is a number has nothing but digits behind its sign, and is another number
/// than the one in double precision that was read of it.
[[nodiscard]] bool is_rounded_whole(std::string_view text, double read) {
  if (text.front() == '+' || text.front() == '-') text.remove_prefix(1);
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return false;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  return !text.empty() && fmt::format("{:.0f}", std::abs(read)) != text;
}

}  // namespace

std::optional<written_number> written_number_in(std::string_view text) {
  if (auto const number = whole_number_in(text))
    return written_number{number, static_cast<double>(*number), !is_exact_in_double(*number)};
  auto const number = number_in<double>(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return written_number{std::nullopt, *number, is_rounded_whole(text, *number)};
}

bool is_exact_in_double(std::int64_t number) {
  auto const bits = static_cast<std::uint64_t>(number);
  auto const magnitude = number < 0 ? 0 - bits : bits;
  return magnitude == 0 ||
         static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <=
             std::numeric_limits<double>::digits;
}

std::string why_not_rounded(std::string_view number) {
  return fmt::format(
      "{} would be rounded: numbers that are not all whole and of 64 bits are read in double "
      "precision, which has no such number; write \".0\" behind it to have it rounded",
      number);
}

number_parser::number_parser(std::string file, std::string would_do, memory* available)
    : m_file(std::move(file)), m_would_do(std::move(would_do)), m_available(available) {}

bool number_parser::take(std::string_view text, std::uint64_t line) {
  auto const number = written_number_in(text);
  if (!number) return false;
  if (m_all_whole && number->whole) {
    if (number->is_rounded && m_line_to_round == 0) {
      m_line_to_round = line;
      m_number_to_round = *number->whole;
    }
    append(*number->whole, m_whole, line);
    return true;
  }
  if (m_all_whole) turn_real(line);
  if (number->is_rounded) refuse_rounding(in_quotes(text), line);
  append(number->real, m_real, line);
  return true;
}

/// Turns the numbers read so far, all of them whole, into double precision, as all later ones are.
void number_parser::turn_real(std::uint64_t line) {
  if (m_line_to_round > 0) refuse_rounding(std::to_string(m_number_to_round), m_line_to_round);
  require_room(m_whole.capacity() * sizeof(double), line);
  m_all_whole = false;
  m_real.assign(m_whole.begin(), m_whole.end());
  m_whole = {};
}

void number_parser::refuse_rounding(std::string_view number, std::uint64_t line) const {
  throw bad_input(fmt::format("{}:{}: {}", m_file, line, why_not_rounded(number)));
}

number_vector number_parser::finish() && {
  if (m_all_whole) return std::move(m_whole);
  return std::move(m_real);
}

template <class Number>
void number_parser::append(Number number, std::vector<Number>& to, std::uint64_t line) const {
  if (to.size() == to.capacity()) require_room(2 * to.size() * sizeof(Number), line);
  to.push_back(number);
}

/// The system would end the process that takes more than there is.
void number_parser::require_room(std::size_t bytes, std::uint64_t line) const {
  constexpr std::size_t worth_asking = std::size_t{1} << 20;
  if (bytes <= worth_asking) return;
  if (auto const available = m_available(); bytes > available)
    throw bad_input(
        fmt::format("{}:{}: more numbers than there is memory for ({} MiB available); give {}",
                    m_file, line, available >> 20U, m_would_do));
}

}  // namespace lockstep
