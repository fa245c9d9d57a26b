#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

namespace lockstep::detail {

/// Errors: invalid_argument, always: says which values there are.
[[noreturn]] void throw_no_such_value(std::string_view what, std::uint64_t value,
                                      std::initializer_list<std::string_view> names);

/// Errors: invalid_argument unless `value` is one of the enumerators, numbered from 0, that are
/// named here.
template <class Enum>
  requires std::is_enum_v<Enum>
void check_enumerator(std::string_view what, Enum value,
                      std::initializer_list<std::string_view> names) {
  auto const number = static_cast<std::uint64_t>(value);
  if (number >= names.size()) [[unlikely]]
    throw_no_such_value(what, number, names);
}

}  // namespace lockstep::detail
