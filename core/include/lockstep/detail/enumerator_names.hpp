#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// An enumerator with its names.
template <class Enum>
struct enumerator_name {
  Enum value;
  std::string_view shown;  ///< as people read and type it
  /// In C++, where that is not `shown` with an underscore for each hyphen and space.
  std::string_view in_code = {};
};
template <class Enum>
enumerator_name(Enum, char const*) -> enumerator_name<Enum>;
template <class Enum>
enumerator_name(Enum, char const*, char const*) -> enumerator_name<Enum>;

/// Writes the name that an enumerator has in C++.
[[nodiscard]] std::string qualified_name(std::string_view type, std::string_view shown,
                                         std::string_view in_code);

/// Errors: invalid_argument, always: says which values there are.
[[noreturn]] void throw_no_such_value(std::string_view what, std::uint64_t value,
                                      std::span<std::string const> names);

/// Finds the name by which a value of the enumeration `type` is shown.
/// Errors: invalid_argument for a number that is not one of `all`: says which values there are.
template <class Enum>
[[nodiscard]] std::string_view shown_name(std::string_view type, Enum value,
                                          std::span<enumerator_name<Enum> const> all) {
  for (auto const& each : all)
    if (each.value == value) return each.shown;
  std::vector<std::string> names;
  for (auto const& each : all) names.push_back(qualified_name(type, each.shown, each.in_code));
  throw_no_such_value(type, static_cast<std::uint64_t>(value), names);
}

/// The same, of names that are needed nowhere else.
template <class Enum>
[[nodiscard]] std::string_view shown_name(std::string_view type, Enum value,
                                          std::initializer_list<enumerator_name<Enum>> all) {
  return shown_name(type, value, std::span<enumerator_name<Enum> const>(all.begin(), all.size()));
}
template <class Enum, std::size_t Count>
[[nodiscard]] std::string_view shown_name(std::string_view type, Enum value,
                                          std::array<enumerator_name<Enum>, Count> const& all) {
  return shown_name(type, value, std::span<enumerator_name<Enum> const>(all));
}

}  // namespace lockstep::detail
