#include "json_shape.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace lockstep::detail {

namespace {

bool is_digit(char one) { return one >= '0' && one <= '9'; }
bool is_hex_digit(char one) {
  return is_digit(one) || (one >= 'a' && one <= 'f') || (one >= 'A' && one <= 'F');
}

/// Reads JSON from its beginning on. Reading gives false, or no kind, for a text that is wrong.
class json_reader {
 public:
  explicit json_reader(std::string_view text) : m_rest(text) {}

  [[nodiscard]] std::optional<json_shape> whole() {
    json_shape shape;
    auto const kind = value(&shape.elements);
    if (!kind || !ends()) return std::nullopt;
    shape.kind = *kind;
    return shape;
  }

 private:
  static constexpr int most_nested = 200;

  [[nodiscard]] char next() const { return m_rest.empty() ? '\0' : m_rest.front(); }
  [[nodiscard]] bool ends() {
    skip_blanks();
    return m_rest.empty();
  }
  void skip_blanks() {
    m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t\n\r"), m_rest.size()));
  }
  [[nodiscard]] bool take(std::string_view what) {
    if (!m_rest.starts_with(what)) return false;
    m_rest.remove_prefix(what.size());
    return true;
  }
  [[nodiscard]] bool take_after_blanks(std::string_view what) {
    skip_blanks();
    return take(what);
  }

  /// Reads a value, and the kinds of its elements into a list that may be missing.
  [[nodiscard]] std::optional<json_kind> value(std::vector<json_kind>* elements = nullptr) {
    skip_blanks();
    if (take("null")) return json_kind::null;
    if (take("true") || take("false")) return json_kind::truth;
    if (next() == '"') return kind_if(text(), json_kind::text);
    if (next() == '[') return kind_if(list(elements), json_kind::list);
    if (next() == '{') return kind_if(object(), json_kind::object);
    return kind_if(number(), json_kind::number);
  }
  [[nodiscard]] static std::optional<json_kind> kind_if(bool is_right, json_kind kind) {
    return is_right ? std::optional(kind) : std::nullopt;
  }

  [[nodiscard]] bool list(std::vector<json_kind>* elements) {
    if (!take("[") || ++m_nested > most_nested) return false;
    if (!take_after_blanks("]")) {
      do {
        auto const kind = value();
        if (!kind) return false;
        if (elements != nullptr) elements->push_back(*kind);
      } while (take_after_blanks(","));
      if (!take("]")) return false;
    }
    --m_nested;
    return true;
  }

  [[nodiscard]] bool object() {
    if (!take("{") || ++m_nested > most_nested) return false;
    if (!take_after_blanks("}")) {
      do {
        skip_blanks();
        if (!text() || !take_after_blanks(":") || !value()) return false;
      } while (take_after_blanks(","));
      if (!take("}")) return false;
    }
    --m_nested;
    return true;
  }

  [[nodiscard]] bool text() {
    if (!take("\"")) return false;
    while (!m_rest.empty()) {
      char const one = next();
      if (static_cast<unsigned char>(one) < 0x20U) return false;
      m_rest.remove_prefix(1);
      if (one == '"') return true;
      if (one == '\\' && !escape()) return false;
    }
    return false;
  }
  [[nodiscard]] bool escape() {
    char const one = next();
    if (one == '\0' || std::string_view("\"\\/bfnrtu").find(one) == std::string_view::npos)
      return false;
    m_rest.remove_prefix(1);
    if (one != 'u') return true;
    auto const digits = m_rest.substr(0, 4);
    m_rest.remove_prefix(digits.size());
    return digits.size() == 4 && std::ranges::all_of(digits, is_hex_digit);
  }

  [[nodiscard]] bool number() {
    (void)take("-");
    if (!take("0") && !digits()) return false;
    if (take(".") && !digits()) return false;
    if (next() != 'e' && next() != 'E') return true;
    m_rest.remove_prefix(1);
    if (!take("+")) (void)take("-");
    return digits();
  }
  [[nodiscard]] bool digits() {
    auto const end = std::ranges::find_if_not(m_rest, is_digit);
    auto const count = static_cast<std::size_t>(end - m_rest.begin());
    m_rest.remove_prefix(count);
    return count > 0;
  }

  std::string_view m_rest;
  int m_nested = 0;
};

}  // namespace

std::optional<json_shape> shape_of_json(std::string_view text) { return json_reader(text).whole(); }

}  // namespace lockstep::detail
