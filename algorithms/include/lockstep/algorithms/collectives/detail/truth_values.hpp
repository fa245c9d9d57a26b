#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

#include <lockstep/algorithms/prefix/commutative.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// A truth value that travels as others do: std::vector<bool> has no elements in memory.
struct truth {
  bool value = false;
};

template <class T>
inline constexpr bool is_truth_value = std::is_same_v<T, bool>;

/// An operator on truth values, as one on what travels.
template <class Operator>
class truth_operator {
 public:
  static constexpr bool is_commutative = is_commutative_on<Operator, bool>;

  explicit truth_operator(Operator const& plus) : m_plus(&plus) {}

  [[nodiscard]] truth operator()(truth const& left, truth const& right) const {
    return {static_cast<bool>((*m_plus)(left.value, right.value))};
  }

 private:
  Operator const* m_plus;
};

/// Gives what travelled as the program's own.
[[nodiscard]] inline std::vector<bool> values_of(std::vector<truth> const& travelled) {
  std::vector<bool> values;
  values.reserve(travelled.size());
  for (auto const& each : travelled) values.push_back(each.value);
  return values;
}
[[nodiscard]] inline std::optional<bool> value_of(std::optional<truth> const& travelled) {
  return travelled ? std::optional(travelled->value) : std::nullopt;
}

}  // namespace lockstep::detail
