#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// The whole number that the request gives for a parameter, or `fallback` if it gives none.
/// Errors: invalid_argument for a value of another type, below `least` or above `most`.
[[nodiscard]] std::int64_t whole_number(
    experiment_request const& asked, std::string const& name, std::int64_t fallback,
    std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// The number that the request gives for a parameter, or `fallback` if it gives none.
/// Errors: invalid_argument for a value of another type, or none that is finite.
[[nodiscard]] double real_number(experiment_request const& asked, std::string const& name,
                                 double fallback);

/// The text that the request gives for a parameter, or `fallback` if it gives none.
/// Errors: invalid_argument for a value of another type.
[[nodiscard]] std::string text_parameter(experiment_request const& asked, std::string const& name,
                                         std::string const& fallback);

/// Which of these names the request gives for a parameter, as an index; 0 if it gives none.
/// Errors: invalid_argument for none of them.
[[nodiscard]] std::size_t choice(experiment_request const& asked, std::string const& name,
                                 std::span<std::string const> names);

/// The one of `all` whose `name_of` the request gives for a parameter, or the first.
/// Errors: invalid_argument for the name of none.
template <class Value, std::size_t Size>
[[nodiscard]] Value choice(experiment_request const& asked, std::string const& name,
                           std::array<Value, Size> const& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (auto const& each : all) names.emplace_back(name_of(each));
  return all[choice(asked, name, names)];
}

/// Whether the request gives a flag.
/// Errors: invalid_argument for a value of another type.
[[nodiscard]] bool flag(experiment_request const& asked, std::string const& name);

}  // namespace lockstep
