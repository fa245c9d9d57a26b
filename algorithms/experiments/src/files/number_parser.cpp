#include "files/number_parser.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

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

[[nodiscard]] std::optional<double> finite_number_in(std::string_view text) {
  auto const number = number_in<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

number_parser::number_parser(std::string file, std::string would_do, memory* available)
    : m_file(std::move(file)), m_would_do(std::move(would_do)), m_available(available) {}

bool number_parser::take(std::string_view text, std::uint64_t line) {
  if (m_all_whole)
    if (auto const number = whole_number_in(text)) {
      append(*number, m_whole, line);
      return true;
    }
  auto const number = finite_number_in(text);
  if (!number) return false;
  if (m_all_whole) {
    require_room(m_whole.capacity() * sizeof(double), line);
    m_all_whole = false;
    m_real.assign(m_whole.begin(), m_whole.end());
    m_whole = {};
  }
  append(*number, m_real, line);
  return true;
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
