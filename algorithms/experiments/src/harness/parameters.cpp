#include "harness/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

namespace lockstep {

std::int64_t whole_number(experiment_request const& asked, std::string const& name,
                          std::int64_t fallback, std::int64_t least, std::int64_t most) {
  auto const found = asked.parameters.find(name);
  if (found == asked.parameters.end()) return fallback;
  auto const* const value = std::get_if<std::int64_t>(&found->second);
  if (value == nullptr) throw invalid_argument(fmt::format("{} has to be a whole number", name));
  if (*value < least)
    throw invalid_argument(fmt::format("{} has to be at least {}, not {}", name, least, *value));
  if (*value > most)
    throw invalid_argument(fmt::format("{} has to be at most {}, not {}", name, most, *value));
  return *value;
}

double real_number(experiment_request const& asked, std::string const& name, double fallback) {
  auto const found = asked.parameters.find(name);
  if (found == asked.parameters.end()) return fallback;
  auto const* const value = std::get_if<double>(&found->second);
  if (value == nullptr || !std::isfinite(*value))
    throw invalid_argument(fmt::format("{} has to be a number", name));
  return *value;
}

std::string text_parameter(experiment_request const& asked, std::string const& name,
                           std::string const& fallback) {
  auto const found = asked.parameters.find(name);
  if (found == asked.parameters.end()) return fallback;
  auto const* const value = std::get_if<std::string>(&found->second);
  if (value == nullptr) throw invalid_argument(fmt::format("{} has to be a text", name));
  return *value;
}

std::size_t choice(experiment_request const& asked, std::string const& name,
                   std::span<std::string const> names) {
  auto const given = text_parameter(asked, name, names.front());
  auto const found = std::ranges::find(names, given);
  if (found == names.end())
    throw invalid_argument(
        fmt::format("{}: '{}' is none of {}", name, given, fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

bool flag(experiment_request const& asked, std::string const& name) {
  auto const found = asked.parameters.find(name);
  if (found == asked.parameters.end()) return false;
  auto const* const value = std::get_if<bool>(&found->second);
  if (value == nullptr) throw invalid_argument(fmt::format("{} has to be a flag", name));
  return *value;
}

}  // namespace lockstep
