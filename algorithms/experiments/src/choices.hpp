#pragma once

#include <array>
#include <cstddef>

#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/experiments/parameter.hpp>

namespace lockstep {

/// All values of an enumeration, for a parameter that can be any of them.
template <class Enum, std::size_t Count>
[[nodiscard]] constexpr std::array<named_choice<Enum>, Count> choices_of(
    std::array<detail::enumerator_name<Enum>, Count> const& all) {
  std::array<named_choice<Enum>, Count> choices{};
  for (std::size_t i = 0; i < Count; ++i) choices[i] = {all[i].shown, all[i].value};
  return choices;
}

}  // namespace lockstep
