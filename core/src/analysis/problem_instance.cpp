#include <lockstep/problem_instance.hpp>

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

[[nodiscard]] std::vector<std::string> names_in(problem_instance const& of) {
  std::vector<std::string> names;
  for (auto const& [name, value] : of.parameters) names.push_back(name);
  if (of.network != nullptr && !of.parameters.contains("p")) names.emplace_back("p");
  return names;
}

}  // namespace

double problem_instance::operator[](std::string_view name) const {
  if (auto const found = parameters.find(name); found != parameters.end()) return found->second;
  if (name == "p" && network != nullptr) return network->size();
  auto const names = names_in(*this);
  throw invalid_argument(fmt::format(
      "the formula needs \"{}\", which the problem instance does not have; it has {}", name,
      names.empty() ? std::string("no numbers") : fmt::format("{}", fmt::join(names, ", "))));
}

std::uint64_t problem_instance::whole(std::string_view name) const {
  constexpr double exact = 9007199254740992.0;  // 2^53
  double const value = (*this)[name];
  if (value >= 0 && value <= exact && std::trunc(value) == value)
    return static_cast<std::uint64_t>(value);
  throw invalid_argument(fmt::format("\"{}\" is {}: a whole number is needed", name, value));
}

topology const& problem_instance::topology() const {
  if (network != nullptr) return *network;
  throw invalid_argument("the formula needs a network, which the problem instance does not have");
}

void problem_instance::throw_other_network() const {
  throw invalid_argument(
      fmt::format("the formula is made for another network than {}", topology().spec()));
}

std::string to_string(problem_instance const& of) {
  std::vector<std::string> parts;
  if (of.network != nullptr) parts.push_back(of.network->spec());
  for (auto const& [name, value] : of.parameters)
    parts.push_back(fmt::format("{} {}", name, value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace lockstep
