#include "models.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

#include "suggest.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

model_entry entry_of(std::string_view name) {
  std::vector<std::string> names;
  for (auto const& entry : model_entries()) {
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

std::vector<model_entry> model_entries() {
  std::vector<model_entry> all;
  for (auto const& one : registered_models())
    all.push_back({one.name, one.summary, one.parameters()});
  for (auto const& one : registered_clocks())
    all.push_back({one.name, one.summary, one.parameters()});
  return all;
}

priced_by find_model(std::string_view spec) {
  auto const colon = std::min(spec.find(':'), spec.size());
  auto const entry = entry_of(spec.substr(0, colon));
  auto const settings = read_settings(spec.substr(std::min(colon + 1, spec.size())));
  auto const names = parameter_names_of(entry);
  for (auto const& [name, value] : settings)
    if (std::ranges::find(names, name) == names.end())
      throw usage_error(fmt::format("--model: {} has no parameter '{}'; {}", entry.name, name,
                                    names.empty() ? "it has none" : suggestion(name, names)));
  if (std::ranges::find(registered_clocks(), entry.name, &registered_clock::name) !=
      registered_clocks().end()) {
    try {
      auto clock = make_clock_model(entry.name, settings);
      clock.rename(std::string(spec));
      return clock;
    } catch (invalid_argument const& refused) {
      throw usage_error(fmt::format("--model: {}", refused.message()));
    }
  }
  auto const model = make_cost_model(entry.name, settings);
  return chosen_model(
      std::string(spec), std::string(model.unit()),
      [model](counts const& of, int processors) { return model.time(of, processors); });
}

std::vector<std::string> parameter_names_of(model_entry const& entry) {
  std::vector<std::string> names;
  for (auto const& one : entry.parameters) names.emplace_back(one.name);
  return names;
}

std::string parameter_values_of(model_entry const& entry) {
  std::vector<std::string> described;
  for (auto const& one : entry.parameters)
    described.push_back(fmt::format("{}={}", one.name, one.value));
  return fmt::format("{}", fmt::join(described, ", "));
}

}  // namespace lockstep::cli
