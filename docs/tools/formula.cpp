#include "formula.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lockstep::docs {

namespace {

/// A formula has words that are not names of functions.
struct is_in_words {};

bool is_letter(char one) { return std::isalpha(static_cast<unsigned char>(one)) != 0; }
bool is_digit(char one) { return std::isdigit(static_cast<unsigned char>(one)) != 0; }

/// Reads a formula from left to right, and writes it as TeX.
class typesetter {
 public:
  explicit typesetter(std::string_view text) : m_rest(text) {}

  /// Typesets up to a closing parenthesis, which stays, or the end.
  std::string group() {
    std::string result;
    while (!m_rest.empty() && m_rest.front() != ')') result += next();
    return result;
  }

  [[nodiscard]] bool is_at_end() const { return m_rest.empty(); }

 private:
  std::string next() {
    char const first = m_rest.front();
    if (is_letter(first)) return name();
    if (is_digit(first)) return number();
    if (first == '(') return '(' + in_parentheses() + ')';
    if (first == '^') return power();
    for (auto const& [written, shown] : operators)
      if (m_rest.starts_with(written)) {
        m_rest.remove_prefix(written.size());
        return std::string(shown);
      }
    throw is_in_words();
  }

  std::string in_parentheses() {
    m_rest.remove_prefix(1);
    auto result = group();
    if (m_rest.empty()) throw is_in_words();
    m_rest.remove_prefix(1);
    return result;
  }

  std::string number() {
    std::size_t size = 0;
    while (size < m_rest.size() &&
           (is_digit(m_rest[size]) ||
            (m_rest[size] == '.' && size + 1 < m_rest.size() && is_digit(m_rest[size + 1]))))
      ++size;
    return taken(size);
  }

  std::string power() {
    m_rest.remove_prefix(1);
    return fmt::format("^{{{}}}", operand());
  }

  /// Reads the operand of a power, a root or an index: a group, a number, or one letter or
  /// function.
  std::string operand() {
    skip_spaces();
    if (m_rest.empty()) throw is_in_words();
    if (m_rest.front() == '(') return in_parentheses();
    if (is_digit(m_rest.front())) return number();
    if (is_letter(m_rest.front()) && (m_rest.size() == 1 || !is_letter(m_rest[1]))) return letter();
    return next();
  }

  std::string letter() {
    auto const base = taken(1);
    return base + index();
  }

  /// "_i" and "1" behind a name.
  std::string index() {
    if (m_rest.starts_with('_')) {
      m_rest.remove_prefix(1);
      std::size_t size = 0;
      while (size < m_rest.size() && (is_letter(m_rest[size]) || is_digit(m_rest[size]))) ++size;
      return fmt::format("_{{{}}}", taken(size));
    }
    if (!m_rest.empty() && is_digit(m_rest.front())) return fmt::format("_{{{}}}", number());
    return {};
  }

  std::string name() {
    std::size_t size = 0;
    while (size < m_rest.size() && is_letter(m_rest[size])) ++size;
    auto const word = taken(size);
    if (word == "ceil") return fmt::format("\\lceil {} \\rceil ", argument());
    if (word == "floor") return fmt::format("\\lfloor {} \\rfloor ", argument());
    if (word == "sqrt") return fmt::format("\\sqrt{{{}}}", operand());
    if (word == "log" || word == "ln" || word == "min" || word == "max")
      return fmt::format("\\{}{} ", word, index());
    if (word == "tau" || word == "alpha") return fmt::format("\\{} ", word);
    if (word == "sum") return sum();
    if (word == "shears" || word == "slot") return fmt::format("\\, \\text{{{}}}", word);
    if (word == "bin") return fmt::format("\\mathit{{bin}}{}", index());
    if (word.size() > 3 || std::ranges::find(words, word) != words.end()) throw is_in_words();
    return word + index();
  }

  std::string argument() {
    if (!m_rest.starts_with('(')) throw is_in_words();
    return in_parentheses();
  }

  /// "sum of x, i = 1 .. d" or "sum x".
  std::string sum() {
    skip_spaces();
    if (!m_rest.starts_with("of ")) return "\\sum ";
    m_rest.remove_prefix(3);
    auto const comma = comma_before_range();
    auto const first = m_rest.find(" .. ", comma);
    auto body = m_rest.substr(0, comma);
    auto const equals = m_rest.find('=', comma);
    if (first == std::string_view::npos || equals == std::string_view::npos || equals > first)
      throw is_in_words();
    auto const variable = m_rest.substr(comma + 2, equals - comma - 2);
    auto const from = m_rest.substr(equals + 1, first - equals - 1);
    m_rest.remove_prefix(first + 4);
    auto const upper = group();
    return fmt::format("\\sum_{{{}={}}}^{{{}}} {}", whole(variable), whole(from), upper,
                       is_sum(body) ? fmt::format("({})", whole(body)) : whole(body));
  }

  /// Whether there is a + or - outside of parentheses.
  static bool is_sum(std::string_view text) {
    int depth = 0;
    return std::ranges::any_of(text, [&](char one) {
      if (one == '(') ++depth;
      if (one == ')') --depth;
      return depth == 0 && (one == '+' || one == '-');
    });
  }

  /// The comma outside of parentheses that ends the summands.
  [[nodiscard]] std::size_t comma_before_range() const {
    int depth = 0;
    for (std::size_t i = 0; i < m_rest.size() && depth >= 0; ++i) {
      if (m_rest[i] == '(') ++depth;
      if (m_rest[i] == ')') --depth;
      if (depth == 0 && m_rest.substr(i).starts_with(", ")) return i;
    }
    throw is_in_words();
  }

  static std::string whole(std::string_view text) {
    typesetter part(text);
    auto result = part.group();
    if (!part.is_at_end()) throw is_in_words();
    return result;
  }

  void skip_spaces() {
    while (m_rest.starts_with(' ')) m_rest.remove_prefix(1);
  }

  std::string taken(std::size_t size) {
    std::string text(m_rest.substr(0, size));
    m_rest.remove_prefix(size);
    return text;
  }

  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> operators{
      {{"<=", "\\le "},
       {">=", "\\ge "},
       {" .. ", " \\ldots "},
       {"..", "\\ldots "},
       {"*", "\\cdot "},
       {"+", "+"},
       {"-", "-"},
       {"/", "/"},
       {"=", "="},
       {",", ","},
       {" ", " "},
       {"'", "'"}}};
  /// Short words that are not products of letters.
  static constexpr std::array<std::string_view, 14> words{
      "of", "if", "is", "in", "no", "at", "or", "to", "by", "the", "and", "all", "not", "for"};

  std::string_view m_rest;
};

/// Where the formula ends, and a condition in words begins.
std::size_t size_of_formula(std::string_view text) {
  return std::min({text.find(", for "), text.find(", if "), text.find(", where "), text.size()});
}

}  // namespace

std::string typeset(std::string_view formula) {
  auto const size = size_of_formula(formula);
  try {
    typesetter part(formula.substr(0, size));
    auto const tex = part.group();
    if (tex.empty() || !part.is_at_end()) return {};
    return fmt::format("\\f${}\\f${}", tex, formula.substr(size));
  } catch (is_in_words const&) {
    return {};
  }
}

}  // namespace lockstep::docs
