#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The records of a CSV file as in RFC 4180: fields between commas, any of them in quotes,
/// within which stand commas, line breaks and quotes written twice. Lines may end in a line feed
/// alone; the text may begin with UTF-8's byte order mark. Holds one record at a time.
class csv_records {
 public:
  /// The longest record; a file with a longer one is not a CSV file.
  static constexpr std::size_t most_bytes = std::size_t{1} << 24U;

  /// `in`: read from its beginning; `file`: its name, for messages; `kept`: where to append what is
  /// read, as it stands there, if anywhere.
  /// Errors: bad_input for UTF-16.
  csv_records(std::istream& in, std::string file, std::string* kept = nullptr);

  /// Reads the next record. Result: false if there is none.
  /// Errors: bad_input, with the line, for a quote that is not closed, or not at the beginning of
  /// its field; for text behind a closing quote, a carriage return on its own, a zero byte; for a
  /// record that is too long. A stream that fails ends there, and is left in that state.
  [[nodiscard]] bool next();

  /// Of the record: its fields, without quotes around them.
  [[nodiscard]] std::size_t size() const { return m_ends.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t field) const {
    auto const begin = field == 0 ? 0 : m_ends[field - 1];
    return std::string_view(m_text).substr(begin, m_ends[field] - begin);
  }
  /// Of the record: a field as it stands in the file, with the quotes around it.
  [[nodiscard]] std::string_view as_written(std::size_t field) const {
    auto const& [begin, end_of] = m_places[field];
    return std::string_view(m_written).substr(begin, end_of - begin);
  }
  /// Of the record: the line in which it begins.
  [[nodiscard]] std::uint64_t line() const { return m_line; }
  /// Of the record: the bytes from the beginning of the file to its end, its line break included.
  [[nodiscard]] std::uint64_t end_of_record() const {
    return m_read_bytes - (m_buffer.size() - m_next);
  }
  /// Of the record: whether it is a line with nothing in it.
  [[nodiscard]] bool is_empty_line() const {
    return m_ends.size() == 1 && m_text.empty() && !m_has_quotes;
  }

 private:
  static constexpr int end = -1;

  /// Where a field stands in `m_written`.
  struct field_place {
    std::size_t begin;
    std::size_t end;
  };

  [[nodiscard]] int peek();
  [[nodiscard]] bool fill();
  void skip_byte_order_mark();
  void keep_written();
  [[nodiscard]] std::size_t place() const { return m_written.size() + (m_next - m_written_from); }
  template <class IsEnd>
  void append_up_to(IsEnd is_end);
  void take_plain_field();
  void take_quoted_field();
  [[nodiscard]] bool take_comma();
  [[noreturn]] void refuse(std::uint64_t line, std::string const& reason) const;

  std::istream& m_in;
  std::string m_file;
  std::string* m_kept;
  std::uint64_t m_read_bytes = 0;
  std::string m_buffer;
  std::size_t m_next = 0;          ///< in the buffer
  std::uint64_t m_next_line = 1;   ///< that of the next character
  std::size_t m_record_bytes = 0;  ///< of this record, in buffers that are used up
  std::uint64_t m_quote_line = 0;  ///< of the quote that is open
  std::uint64_t m_line = 0;
  bool m_has_quotes = false;
  std::string m_text;                 ///< of all fields
  std::vector<std::uint32_t> m_ends;  ///< of each field in it
  std::string m_written;              ///< all of the record, as it stands in the file
  std::size_t m_written_from = 0;     ///< where the part that is not there yet begins in the buffer
  std::vector<field_place> m_places;
};

}  // namespace lockstep
