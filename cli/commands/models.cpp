#include "models.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "suggest.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

registered_model const& entry_of(std::string_view name) {
  std::vector<std::string> names;
  for (auto const& entry : registered_models()) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  throw usage_error(
      fmt::format("--model: there is no cost model '{}'; {}", name, suggestion(name, names)));
}

double number_of(std::string_view setting, std::string_view text) {
  double value = 0;
  auto const* const end = text.data() + text.size();
  auto const [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stopped != end || !std::isfinite(value) || value < 0)
    throw usage_error(
        fmt::format("--model: '{}' wants a number of 0 or more after its =", setting));
  return value;
}

/// Reads "tau_us=100,sigma_us_per_word=0.1".
model_settings read_settings(std::string_view text) {
  model_settings given;
  while (!text.empty()) {
    auto const setting = text.substr(0, text.find(','));
    auto const equals = setting.find('=');
    if (equals == std::string_view::npos)
      throw usage_error(fmt::format(
          "--model: write PARAMETER=VALUE instead of '{}', as in bdm:tau_words=64", setting));
    auto const name = std::string(setting.substr(0, equals));
    if (!given.emplace(name, number_of(setting, setting.substr(equals + 1))).second)
      throw usage_error(fmt::format("--model: {} is given twice; give it once", name));
    text.remove_prefix(std::min(text.size(), setting.size() + 1));
  }
  return given;
}

}  // namespace

chosen_model find_model(std::string_view spec) {
  auto const colon = std::min(spec.find(':'), spec.size());
  auto const& entry = entry_of(spec.substr(0, colon));
  auto const settings = read_settings(spec.substr(std::min(colon + 1, spec.size())));
  auto const names = parameter_names_of(entry);
  for (auto const& [name, value] : settings)
    if (std::ranges::find(names, name) == names.end())
      throw usage_error(fmt::format("--model: {} has no parameter '{}'; {}", entry.name, name,
                                    names.empty() ? "it has none" : suggestion(name, names)));
  return {std::string(spec), std::string(entry.unit),
          [model = entry.make(settings)](counts const& of, int processors) {
            return model.time(of, processors);
          }};
}

std::vector<std::string> parameter_names_of(registered_model const& entry) {
  std::vector<std::string> names;
  for (auto const& one : entry.parameters()) names.emplace_back(one.name);
  return names;
}

std::string parameter_values_of(registered_model const& entry) {
  std::vector<std::string> described;
  for (auto const& one : entry.parameters())
    described.push_back(fmt::format("{}={}", one.name, one.value));
  return fmt::format("{}", fmt::join(described, ", "));
}

}  // namespace lockstep::cli
