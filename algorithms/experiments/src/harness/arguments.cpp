#include "harness/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

template <class Value>
[[nodiscard]] Value given_or(experiment_request const& asked, std::string_view name,
                             Value const& fallback, char const* type) {
  auto const found = asked.parameters.find(std::string(name));
  if (found == asked.parameters.end()) return fallback;
  if (auto const* const value = std::get_if<Value>(&found->second)) return *value;
  throw invalid_argument(fmt::format("{} has to be a {}", name, type));
}

}  // namespace

std::uint64_t arguments::seed() const { return (*this)[integer_parameter{"seed", "", 1}]; }

std::uint64_t arguments::operator[](integer_parameter const& of) const {
  auto const value = given_or(m_request, of.name, of.fallback, "whole number");
  if (value < of.least)
    throw invalid_argument(
        fmt::format("{} has to be at least {}, not {}", of.name, of.least, value));
  if (value > of.most)
    throw invalid_argument(fmt::format("{} has to be at most {}, not {}", of.name, of.most, value));
  return static_cast<std::uint64_t>(value);
}

double arguments::operator[](real_parameter const& of) const {
  auto const value = given_or(m_request, of.name, of.fallback, "number");
  if (!std::isfinite(value)) throw invalid_argument(fmt::format("{} has to be a number", of.name));
  return value;
}

std::string arguments::operator[](text_parameter const& of) const {
  return given_or(m_request, of.name, std::string(), "text");
}

bool arguments::operator[](flag_parameter const& of) const {
  return given_or(m_request, of.name, false, "flag");
}

std::size_t arguments::choice(std::string_view name,
                              std::vector<std::string_view> const& names) const {
  auto const given = given_or(m_request, name, std::string(names.front()), "text");
  auto const found = std::ranges::find(names, given);
  if (found == names.end())
    throw invalid_argument(
        fmt::format("{}: '{}' is not one of {}", name, given, fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace lockstep
