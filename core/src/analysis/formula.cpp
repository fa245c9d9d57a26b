#include <lockstep/formula.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace lockstep {

namespace {

/// Thrown, and caught below, where a formula cannot be read.
struct not_arithmetic {};

constexpr double rounding = 1e-12;  // of logarithms and quotients, relative
constexpr int most_nested = 200;    // a formula is read by recursion
constexpr int most_terms = 1'000'000;

/// Undoes rounding: the nearest whole number but 0, if that is meant.
[[nodiscard]] double without_rounding(double value) {
  double const nearest = std::round(value);
  bool const is_meant = nearest != 0 && std::abs(value - nearest) <= rounding * std::abs(value);
  return is_meant ? nearest : value;
}

/// Reads and evaluates at once. Factors stand next to each other; a quotient has one factor below.
class formula_reader {
 public:
  formula_reader(std::string_view text, formula_letters known)
      : m_text(text), m_known(std::move(known)) {}

  [[nodiscard]] double read() {
    read_definitions();
    double value = sum();
    if (takes(" in each of ")) {
      value *= number();
      require(" attempts");
    }
    if (takes(", at least ")) value = std::max(value, number());
    skip_blanks();
    auto const rest = m_text.substr(m_at);
    bool const is_read = rest.empty() || rest.starts_with(", for ") ||
                         rest.starts_with(", with ") || rest.starts_with(", b = ") ||
                         rest.starts_with(", k = ");
    if (!is_read) throw not_arithmetic{};
    return value;
  }

 private:
  /// "..., with h1 = 7, h2 = 9 of this input", "..., b = min(m, 4)".
  void read_definitions() {
    for (auto const* const name : {"h1", "h2", "b", "k"}) {
      auto const definition = ' ' + std::string(name) + " = ";
      auto const found = m_text.find(definition);
      if (found == std::string_view::npos) continue;
      m_at = found + definition.size();
      bool const is_number = name[0] == 'h';  // words may follow it
      m_known.numbers[name] = is_number ? number() : sum();
    }
    m_at = 0;
  }

  [[nodiscard]] double sum() {
    double value = product();
    for (;;) {
      skip_blanks();
      if (takes("+"))
        value += product();
      else if (takes("-"))
        value -= product();
      else
        return value;
    }
  }

  [[nodiscard]] double product() {
    double value = power();
    for (;;) {
      skip_blanks();
      if (takes("/")) {
        value /= power();
        continue;
      }
      bool const ends = m_at == m_text.size() ||
                        std::string_view("+-),. ").find(m_text[m_at]) != std::string_view::npos;
      if (ends) return value;
      value *= power();
    }
  }

  [[nodiscard]] double power() {
    nesting const deeper(m_nested);
    double const base = atom();
    return takes("^") ? std::pow(base, power()) : base;
  }

  [[nodiscard]] double atom() {
    nesting const deeper(m_nested);
    skip_blanks();
    if (takes("(")) return closed(sum());
    if (m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0)
      return number();
    if (takes("ceil(")) return std::ceil(without_rounding(closed(sum())));
    if (takes("floor(")) return std::floor(without_rounding(closed(sum())));
    if (takes("min(")) return extreme([](double a, double b) { return std::min(a, b); });
    if (takes("max(")) return extreme([](double a, double b) { return std::max(a, b); });
    if (takes("sqrt(")) return std::sqrt(closed(sum()));
    if (takes("sqrt ")) return std::sqrt(atom());
    if (takes("ln(")) return std::log(closed(sum()));
    if (takes("ln ")) return std::log(atom());
    if (takes("log_k ")) return std::log(atom()) / std::log(symbol("k"));
    if (takes("log2 ") || takes("log ")) return std::log2(atom());
    if (takes("sum of ")) return sum_over_range();
    if (takes("sum ")) return sum_over_dimensions();
    return letter();
  }

  /// "sum of ceil(k/2^i), i = 1 .. d, and again, i = 1 .. d - 1".
  [[nodiscard]] double sum_over_range() {
    auto const term = m_at;
    auto const outer = m_known.numbers;
    m_known.numbers["i"] = 1;
    static_cast<void>(sum());
    double total = 0;
    require(", i = ");
    do {
      double const first = sum();
      require(" .. ");
      double const last = without_rounding(sum());
      auto const end = m_at;
      if (!(last - first < most_terms)) throw not_arithmetic{};
      for (double i = first; i <= last; ++i) {
        count_term();
        m_at = term;
        m_known.numbers["i"] = i;
        total += sum();
      }
      m_at = end;
    } while (takes(", and again, i = "));
    m_known.numbers = outer;
    return total;
  }

  /// "sum N_i m/4": a term for each dimension.
  [[nodiscard]] double sum_over_dimensions() {
    if (m_known.lists.empty()) throw not_arithmetic{};
    auto const dimensions = m_known.lists.begin()->second.size();
    for (auto const& [name, values] : m_known.lists)
      if (values.size() != dimensions) throw not_arithmetic{};
    auto const begin = m_at;
    auto const outer = m_known.numbers;
    double total = 0;
    for (std::size_t i = 0; i < dimensions; ++i) {
      count_term();
      m_at = begin;
      for (auto const& [name, values] : m_known.lists) m_known.numbers[name] = values[i];
      total += product();
    }
    m_known.numbers = outer;
    return total;
  }

  template <class Choice>
  [[nodiscard]] double extreme(Choice const& choice) {
    double value = sum();
    while (takes(",")) value = choice(value, sum());
    return closed(value);
  }

  [[nodiscard]] double closed(double value) {
    skip_blanks();
    require(")");
    return value;
  }

  [[nodiscard]] double number() {
    double value = 0;
    auto const* const begin = m_text.data() + m_at;
    auto const [stopped, problem] =
        std::from_chars(begin, m_text.data() + m_text.size(), value, std::chars_format::fixed);
    if (problem != std::errc{}) throw not_arithmetic{};
    m_at += static_cast<std::size_t>(stopped - begin);
    return value;
  }

  /// The longest name that stands here: "h1" rather than "h".
  [[nodiscard]] double letter() {
    std::pair<std::string_view, double> longest;
    for (auto const& [name, value] : m_known.numbers)
      if (name.size() > longest.first.size() && m_text.substr(m_at).starts_with(name))
        longest = {name, value};
    if (longest.first.empty()) throw not_arithmetic{};
    m_at += longest.first.size();
    return longest.second;
  }

  [[nodiscard]] double symbol(std::string_view name) const {
    auto const found = m_known.numbers.find(name);
    if (found == m_known.numbers.end()) throw not_arithmetic{};
    return found->second;
  }

  void skip_blanks() {
    // " in each of" and " .. " begin with the blank.
    if (m_text.substr(m_at).starts_with(" in each") || m_text.substr(m_at).starts_with(" .."))
      return;
    while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
  }

  [[nodiscard]] bool takes(std::string_view part) {
    if (!m_text.substr(m_at).starts_with(part)) return false;
    m_at += part.size();
    return true;
  }

  void require(std::string_view part) {
    if (!takes(part)) throw not_arithmetic{};
  }

  /// A part of a formula inside another one.
  class nesting {
   public:
    explicit nesting(int& depth) : m_depth(depth) {
      if (++m_depth > most_nested) throw not_arithmetic{};
    }
    ~nesting() { --m_depth; }
    nesting(nesting const&) = delete;
    nesting& operator=(nesting const&) = delete;

   private:
    int& m_depth;
  };

  void count_term() {
    if (++m_terms > most_terms) throw not_arithmetic{};
  }

  std::string_view m_text;
  formula_letters m_known;
  std::size_t m_at = 0;
  int m_nested = 0;
  int m_terms = 0;
};

}  // namespace

std::optional<double> value_of(std::string_view formula, formula_letters const& known) {
  try {
    return without_rounding(formula_reader(formula, known).read());
  } catch (not_arithmetic const&) {
    return std::nullopt;
  }
}

}  // namespace lockstep
