#include "files/csv_records.hpp"

#include <algorithm>
#include <istream>
#include <utility>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "files/byte_order_mark.hpp"

namespace lockstep {

csv_records::csv_records(std::istream& in, std::string file, std::string* kept)
    : m_in(in), m_file(std::move(file)), m_kept(kept) {
  skip_byte_order_mark();
}

bool csv_records::next() {
  m_text.clear();
  m_ends.clear();
  m_has_quotes = false;
  m_record_bytes = 0;
  m_line = m_next_line;
  m_written.clear();
  m_places.clear();
  m_written_from = m_next;
  if (peek() == end) return false;
  do {
    auto const begin = place();
    if (peek() == '"')
      take_quoted_field();
    else
      take_plain_field();
    m_ends.push_back(static_cast<std::uint32_t>(m_text.size()));
    m_places.push_back({begin, place()});
  } while (take_comma());
  keep_written();
  return true;
}

/// Copies the part of the buffer that was taken since the last time.
void csv_records::keep_written() {
  m_written.append(m_buffer, m_written_from, m_next - m_written_from);
  m_written_from = m_next;
}

int csv_records::peek() {
  if (m_next == m_buffer.size() && !fill()) return end;
  return static_cast<unsigned char>(m_buffer[m_next]);
}

/// The buffer is used up: the next piece of the file.
bool csv_records::fill() {
  constexpr std::size_t piece = std::size_t{1} << 16U;
  m_record_bytes += m_buffer.size();
  if (m_record_bytes > most_bytes) {
    if (m_quote_line > 0)
      refuse(m_quote_line,
             fmt::format("the quote that begins here is not closed within {} MiB; close it",
                         most_bytes >> 20U));
    refuse(m_line, fmt::format("a row of more than {} MiB; give a CSV file", most_bytes >> 20U));
  }
  keep_written();
  m_written_from = 0;
  m_buffer.resize(piece);
  m_in.read(m_buffer.data(), static_cast<std::streamsize>(piece));
  m_buffer.resize(static_cast<std::size_t>(m_in.gcount()));
  m_next = 0;
  m_read_bytes += m_buffer.size();
  if (m_kept != nullptr) *m_kept += m_buffer;
  return !m_buffer.empty();
}

void csv_records::skip_byte_order_mark() {
  if (peek() == end) return;
  m_next = m_buffer.size() - without_byte_order_mark(m_buffer).size();
  if (m_buffer.starts_with("\xFF\xFE") || m_buffer.starts_with("\xFE\xFF"))
    refuse(1, "begins as UTF-16 does; save it as UTF-8");
}

template <class IsEnd>
void csv_records::append_up_to(IsEnd is_end) {
  while (peek() != end) {
    auto const rest = std::string_view(m_buffer).substr(m_next);
    auto const stop = static_cast<std::size_t>(std::ranges::find_if(rest, is_end) - rest.begin());
    m_text += rest.substr(0, stop);
    m_next += stop;
    if (stop < rest.size()) return;
  }
}

void csv_records::take_plain_field() {
  append_up_to([](char c) { return c == ',' || c == '\n' || c == '\r' || c == '"' || c == '\0'; });
}

/// From its first quote to its last.
void csv_records::take_quoted_field() {
  m_has_quotes = true;
  m_quote_line = m_next_line;
  ++m_next;
  for (;;) {
    append_up_to([](char c) { return c == '"' || c == '\n' || c == '\0'; });
    auto const stopped = peek();
    if (stopped == end) refuse(m_quote_line, "the quote that begins here is not closed; close it");
    if (stopped == '\0') refuse(m_next_line, "holds a zero byte; give a text file");
    ++m_next;
    if (stopped == '\n') ++m_next_line;
    if (stopped == '"' && peek() != '"') break;
    if (stopped == '"') ++m_next;
    m_text += static_cast<char>(stopped);
  }
  m_quote_line = 0;
}

/// Whether another field follows; otherwise this record is at its end, and its line break is taken.
bool csv_records::take_comma() {
  switch (peek()) {
    case end:
      return false;
    case ',':
      ++m_next;
      return true;
    case '\r':
      ++m_next;
      if (peek() != '\n')
        refuse(m_next_line,
               "a carriage return without a line feed; end lines with a line feed, or with both");
      [[fallthrough]];
    case '\n':
      ++m_next;
      ++m_next_line;
      return false;
    case '\0':
      refuse(m_next_line, "holds a zero byte; give a text file");
    case '"':
      refuse(m_next_line,
             "a quote within a field; put the field into quotes, and write this one twice");
    default:
      refuse(m_next_line, "text behind a closing quote; write a quote within a field twice");
  }
}

void csv_records::refuse(std::uint64_t line, std::string const& reason) const {
  throw bad_input(fmt::format("{}:{}: {}", m_file, line, reason));
}

}  // namespace lockstep
