#include "models.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/cost_models.hpp>

#include "suggest.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

/// Values that were given for a model's parameters, and the parameters that the model turned out to
/// have.
class model_settings {
 public:
  model_settings() = default;
  explicit model_settings(std::map<std::string, double> given) : m_given(std::move(given)) {}

  /// Lets the parameter be set: `value` is its default.
  void offer(std::string_view name, double& value) {
    if (auto const found = m_given.find(std::string(name)); found != m_given.end())
      value = found->second;
    m_offered.emplace_back(name, value);
  }

  [[nodiscard]] std::map<std::string, double> const& given() const noexcept { return m_given; }
  [[nodiscard]] std::vector<std::pair<std::string, double>> const& offered() const noexcept {
    return m_offered;
  }

 private:
  std::map<std::string, double> m_given;
  std::vector<std::pair<std::string, double>> m_offered;
};

namespace {

template <class Model>
using parameters = std::initializer_list<std::pair<std::string_view, double Model::*>>;

template <class Model>
chosen_model adjusted(Model model, model_settings& settings, parameters<Model> adjustable) {
  for (auto const& [name, member] : adjustable) settings.offer(name, model.*member);
  std::string name{model.name()};
  std::string unit{model.unit()};
  return {std::move(name), std::move(unit),
          [model = std::move(model)](counts const& of, int processors) {
            return model.time(of, processors);
          }};
}

chosen_model adjusted_suh_shin(suh_shin_model const& model, model_settings& settings) {
  using m = suh_shin_model;
  return adjusted(model, settings,
                  {{"startup_us", &m::startup_us},
                   {"transmission_us_per_byte", &m::transmission_us_per_byte},
                   {"hop_us", &m::hop_us},
                   {"rearrangement_us_per_byte", &m::rearrangement_us_per_byte},
                   {"barrier_us_per_dimension", &m::barrier_us_per_dimension},
                   {"barrier_offset_us", &m::barrier_offset_us},
                   {"word_bytes", &m::word_bytes}});
}

chosen_model make_paragon(model_settings& settings) {
  return adjusted_suh_shin(paragon(), settings);
}

chosen_model make_paragon_slow_startup(model_settings& settings) {
  return adjusted_suh_shin(paragon_slow_startup(), settings);
}

chosen_model make_tau_sigma(model_settings& settings) {
  using m = tau_sigma_model;
  return adjusted(m{.tau_us = 100, .sigma_us_per_word = 0.1}, settings,
                  {{"tau_us", &m::tau_us}, {"sigma_us_per_word", &m::sigma_us_per_word}});
}

chosen_model make_bdm(model_settings& settings) {
  using m = block_distributed_model;
  return adjusted(m{.tau_words = 1024}, settings, {{"tau_words", &m::tau_words}});
}

chosen_model make_two_level(model_settings& settings) {
  using m = two_level_model;
  return adjusted(m{.tau_us = 100, .mu_us_per_word = 0.1, .delta_us_per_word = 0.01}, settings,
                  {{"tau_us", &m::tau_us},
                   {"mu_us_per_word", &m::mu_us_per_word},
                   {"delta_us_per_word", &m::delta_us_per_word}});
}

chosen_model make_unit_steps(model_settings& settings) {
  return adjusted(unit_step_model{}, settings, {});
}

chosen_model make_loggp(model_settings& settings) {
  using m = loggp_model;
  return adjusted(m{.latency_us = 10, .overhead_us = 2, .gap_us = 5, .gap_us_per_byte = 0.01},
                  settings,
                  {{"latency_us", &m::latency_us},
                   {"overhead_us", &m::overhead_us},
                   {"gap_us", &m::gap_us},
                   {"gap_us_per_byte", &m::gap_us_per_byte},
                   {"word_bytes", &m::word_bytes}});
}

chosen_model make_bsp(model_settings& settings) {
  using m = bsp_model;
  auto model = bsp_cluster();
  model.label = "bsp";
  return adjusted(model, settings,
                  {{"g_flops_per_word", &m::g_flops_per_word},
                   {"l_flops_per_superstep", &m::l_flops_per_superstep}});
}

constexpr std::array<model_entry, 8> all_models{{
    {"paragon", "Intel Paragon, in us (Suh and Shin 2001, section 5)", make_paragon},
    {"paragon-slow-startup", "the same, 220 us a start-up (Figures 15, 16)",
     make_paragon_slow_startup},
    {"tau-sigma", "latency and time per word, in us (Bader, Helman and JaJa 1996); generic values",
     make_tau_sigma},
    {"bdm", "Block Distributed Memory, in words (JaJa and Ryu 1994); generic values", make_bdm},
    {"two-level", "start-up, transfer, local work, in us (Shankar and Ranka 1996); generic values",
     make_two_level},
    {"unit-steps", "a step is a unit of time (Mayr and Plaxton 1989)", make_unit_steps},
    {"loggp", "LogGP, in us (Alexandrov and others 1995); generic values", make_loggp},
    {"bsp", "BSP, in flops (Valiant 1990); eight PCs on 100 Mbit Ethernet", make_bsp},
}};

model_entry const& entry_of(std::string_view name) {
  std::vector<std::string> names;
  for (auto const& entry : models()) {
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
std::map<std::string, double> read_settings(std::string_view text) {
  std::map<std::string, double> given;
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

std::vector<std::string> offered_names(model_settings const& settings) {
  std::vector<std::string> names;
  for (auto const& [name, value] : settings.offered()) names.push_back(name);
  return names;
}

}  // namespace

std::span<model_entry const> models() { return all_models; }

chosen_model find_model(std::string_view spec) {
  auto const colon = std::min(spec.find(':'), spec.size());
  auto const& entry = entry_of(spec.substr(0, colon));
  model_settings settings(read_settings(spec.substr(std::min(colon + 1, spec.size()))));
  auto model = entry.make(settings);
  auto const names = offered_names(settings);
  for (auto const& [name, value] : settings.given())
    if (std::ranges::find(names, name) == names.end())
      throw usage_error(fmt::format("--model: {} has no parameter '{}'; {}", entry.name, name,
                                    names.empty() ? "it has none" : suggestion(name, names)));
  return {std::string(spec), std::string(model.unit()),
          [model](counts const& of, int processors) { return model.time(of, processors); }};
}

std::vector<std::string> parameter_names_of(model_entry const& entry) {
  model_settings settings;
  static_cast<void>(entry.make(settings));
  return offered_names(settings);
}

std::string parameters_of(model_entry const& entry) {
  model_settings settings;
  static_cast<void>(entry.make(settings));
  std::vector<std::string> described;
  for (auto const& [name, value] : settings.offered())
    described.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(described, ", "));
}

}  // namespace lockstep::cli
