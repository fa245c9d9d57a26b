#include "files/npy_header.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "in_quotes.hpp"

namespace lockstep {

namespace {

constexpr std::string_view blanks = " \t\r\n\f";

/// Takes in the dictionary from left to right.
class dictionary_reader {
 public:
  dictionary_reader(std::string_view text, std::string const& file) : m_rest(text), m_file(file) {}

  [[nodiscard]] npy_header read() && {
    expect('{');
    for (bool more = true; more && !take('}');) {
      take_entry();
      more = take(',');
      if (!more) expect('}');
    }
    skip_blanks();
    if (!m_rest.empty()) refuse("ends with " + in_quotes(m_rest));
    if (!m_has_type || !m_has_order || !m_has_shape)
      refuse("lacks one of 'descr', 'fortran_order', 'shape'");
    return std::move(m_header);
  }

 private:
  void take_entry() {
    auto const key = take_string();
    expect(':');
    if (key == "descr") {
      take_type();
    } else if (key == "fortran_order") {
      take_order();
    } else if (key == "shape") {
      take_shape();
    } else {
      refuse("has the entry " + in_quotes(key));
    }
  }

  void take_type() {
    if (is_next('['))
      throw bad_input(m_file +
                      ": its elements are records (a structured type); save one field of them, "
                      "with numpy.save");
    m_header.type = take_string();
    m_has_type = true;
  }

  void take_order() {
    m_header.fortran_order = take_word("True");
    if (!m_header.fortran_order && !take_word("False")) refuse_next("True or False");
    m_has_order = true;
  }

  void take_shape() {
    m_header.shape.clear();
    expect('(');
    for (bool more = true; more && !take(')');) {
      m_header.shape.push_back(take_size());
      more = take(',');
      if (!more && m_header.shape.size() == 1) refuse("has a shape that is not a tuple");
      if (!more) expect(')');
    }
    m_has_shape = true;
  }

  [[nodiscard]] std::uint64_t take_size() {
    if (is_next('-')) refuse("has a shape with a negative size");
    auto const digits = m_rest.substr(0, m_rest.find_first_not_of("0123456789"));
    if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) refuse_next("a size");
    m_rest.remove_prefix(digits.size());
    if (is_next('L'))
      throw bad_input(
          fmt::format("{}: its header has the size {}L, as Python 2 wrote it; load and save it "
                      "with NumPy under "
                      "Python 3",
                      m_file, in_quotes(digits, "")));
    std::uint64_t size = 0;
    auto const problem = std::from_chars(digits.data(), digits.data() + digits.size(), size).ec;
    if (problem != std::errc{})
      throw bad_input(
          fmt::format("{}: its header promises {} rows or columns, more than any file "
                      "holds; write it again with numpy.save",
                      m_file, in_quotes(digits, "")));
    return size;
  }

  [[nodiscard]] std::string take_string() {
    char const quote = is_next('"') ? '"' : '\'';
    expect(quote);
    auto const length = m_rest.find(quote);
    if (length == std::string_view::npos) refuse("has a text without an end");
    std::string text(m_rest.substr(0, length));
    m_rest.remove_prefix(length + 1);
    return text;
  }

  void skip_blanks() {
    m_rest.remove_prefix(std::min(m_rest.size(), m_rest.find_first_not_of(blanks)));
  }

  [[nodiscard]] bool is_next(char wanted) {
    skip_blanks();
    return m_rest.starts_with(wanted);
  }

  [[nodiscard]] bool take(char wanted) {
    if (!is_next(wanted)) return false;
    m_rest.remove_prefix(1);
    return true;
  }

  [[nodiscard]] bool take_word(std::string_view word) {
    skip_blanks();
    if (!m_rest.starts_with(word)) return false;
    m_rest.remove_prefix(word.size());
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) refuse_next(std::string(1, wanted));
  }

  [[noreturn]] void refuse_next(std::string const& wanted) const {
    refuse(m_rest.empty() ? fmt::format("ends where {} should be", wanted)
                          : fmt::format("has {} where {} should be", in_quotes(m_rest), wanted));
  }

  [[noreturn]] void refuse(std::string const& reason) const {
    throw bad_input(
        fmt::format("{}: its header {}; write it again with numpy.save", m_file, reason));
  }

  std::string_view m_rest;
  std::string const& m_file;
  npy_header m_header;
  bool m_has_type = false;
  bool m_has_order = false;
  bool m_has_shape = false;
};

}  // namespace

npy_header read_npy_header(std::string_view dictionary, std::string const& file) {
  return dictionary_reader(dictionary, file).read();
}

}  // namespace lockstep
