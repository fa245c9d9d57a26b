#include <lockstep/cost_model_registry.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/cost_models.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// Values that were given for a model's parameters, and the parameters that the model turns out to have.
class offered_settings {
 public:
  explicit offered_settings(model_settings const& given) : m_given(given) {}

  /// Lets the parameter be set: `value` is its default.
  void offer(std::string_view name, double& value) {
    if (auto const found = m_given.find(std::string(name)); found != m_given.end())
      value = found->second;
    m_offered.push_back({name, value});
  }

  [[nodiscard]] std::vector<model_parameter> const& offered() const noexcept { return m_offered; }

  /// Says how the model checks its values, once their names are known to be right.
  void check_by(std::function<void()> check) { m_check = std::move(check); }
  void check() const {
    if (m_check) m_check();
  }

 private:
  model_settings const& m_given;
  std::vector<model_parameter> m_offered;
  std::function<void()> m_check;
};

template <class Model>
using parameters = std::initializer_list<std::pair<std::string_view, double Model::*>>;

template <class Model>
chosen_model adjusted(Model model, offered_settings& settings, parameters<Model> adjustable) {
  for (auto const& [name, member] : adjustable) settings.offer(name, model.*member);
  std::string name{model.name()};
  std::string unit{model.unit()};
  settings.check_by([model] {
    if constexpr (requires { model.check(); }) model.check();
  });
  return {std::move(name), std::move(unit),
          [model = std::move(model)](counts const& of, int processors) {
            return model.time(of, processors);
          }};
}

chosen_model adjusted_suh_shin(suh_shin_model const& model, offered_settings& settings) {
  using m = suh_shin_model;
  return adjusted(model, settings,
                  {{"startup_us", &m::startup_us},
                   {"transmission_us_per_byte", &m::transmission_us_per_byte},
                   {"hop_us", &m::hop_us},
                   {"rearrangement_us_per_byte", &m::rearrangement_us_per_byte},
                   {"barrier_us_per_dimension", &m::barrier_us_per_dimension},
                   {"barrier_offset_us", &m::barrier_offset_us},
                   {"word_bytes", &m::word_bytes},
                   {"operation_us", &m::operation_us}});
}

chosen_model make_paragon(offered_settings& settings) {
  return adjusted_suh_shin(paragon(), settings);
}

chosen_model make_paragon_slow_startup(offered_settings& settings) {
  return adjusted_suh_shin(paragon_slow_startup(), settings);
}

chosen_model make_tau_sigma(offered_settings& settings) {
  using m = tau_sigma_model;
  return adjusted(m{.tau_us = 100, .sigma_us_per_word = 0.1}, settings,
                  {{"tau_us", &m::tau_us},
                   {"sigma_us_per_word", &m::sigma_us_per_word},
                   {"operation_us", &m::operation_us}});
}

chosen_model adjusted_machine(tau_sigma_model model, offered_settings& settings) {
  using m = tau_sigma_model;
  return adjusted(std::move(model), settings,
                  {{"tau_us", &m::tau_us},
                   {"sigma_us_per_word", &m::sigma_us_per_word},
                   {"operation_us", &m::operation_us}});
}

// Least squares of relative errors, whose largest the summaries say; start-ups play no part in the seconds
// to which tau is fitted as 0. Local work, which the seconds have, too, is in the price of a word.

chosen_model make_sp2(offered_settings& settings) {
  return adjusted_machine({.tau_us = 5311, .sigma_us_per_word = 0.587, .label = "sp2"}, settings);
}

chosen_model make_cm5(offered_settings& settings) {
  return adjusted_machine({.tau_us = 0, .sigma_us_per_word = 2.83, .label = "cm5"}, settings);
}

chosen_model make_cs2(offered_settings& settings) {
  return adjusted_machine({.tau_us = 308.2, .sigma_us_per_word = 1.05, .label = "cs2"}, settings);
}

chosen_model make_t3d(offered_settings& settings) {
  return adjusted_machine({.tau_us = 0, .sigma_us_per_word = 0.278, .label = "t3d"}, settings);
}

chosen_model make_bdm(offered_settings& settings) {
  using m = block_distributed_model;
  return adjusted(m{.tau_words = 1024}, settings,
                  {{"tau_words", &m::tau_words}, {"operation_words", &m::operation_words}});
}

chosen_model make_two_level(offered_settings& settings) {
  using m = two_level_model;
  return adjusted(m{.tau_us = 100, .mu_us_per_word = 0.1, .delta_us_per_word = 0.01}, settings,
                  {{"tau_us", &m::tau_us},
                   {"mu_us_per_word", &m::mu_us_per_word},
                   {"delta_us_per_word", &m::delta_us_per_word}});
}

chosen_model make_unit_steps(offered_settings& settings) {
  return adjusted(unit_step_model{}, settings, {});
}

/// LogGP's generic values, of the model or of the clock.
template <class Loggp>
Loggp generic_loggp() {
  return {.latency_us = 10, .overhead_us = 2, .gap_us = 5, .gap_us_per_byte = 0.01};
}

template <class Loggp>
void offer_loggp(Loggp& model, offered_settings& settings) {
  settings.offer("latency_us", model.latency_us);
  settings.offer("overhead_us", model.overhead_us);
  settings.offer("gap_us", model.gap_us);
  settings.offer("gap_us_per_byte", model.gap_us_per_byte);
  settings.offer("word_bytes", model.word_bytes);
  settings.offer("operation_us", model.operation_us);
}

chosen_model make_loggp(offered_settings& settings) {
  auto model = generic_loggp<loggp_model>();
  offer_loggp(model, settings);
  return adjusted(std::move(model), settings, {});
}

chosen_model make_bsp(offered_settings& settings) {
  using m = bsp_model;
  auto model = bsp_cluster();
  model.label = "bsp";
  return adjusted(model, settings,
                  {{"g_flops_per_word", &m::g_flops_per_word},
                   {"l_flops_per_superstep", &m::l_flops_per_superstep}});
}

template <class Model>
chosen_clock adjusted_clock(Model model, offered_settings& settings, parameters<Model> adjustable) {
  for (auto const& [name, member] : adjustable) settings.offer(name, model.*member);
  settings.check_by([model] { model.check(); });
  return chosen_clock(std::move(model));
}

chosen_clock make_loggp_clock(offered_settings& settings) {
  auto model = generic_loggp<loggp_clock>();
  offer_loggp(model, settings);
  return adjusted_clock(std::move(model), settings, {{"idle_us", &loggp_clock::idle_us}});
}

chosen_clock make_hockney_clock(offered_settings& settings) {
  using m = hockney_clock;
  return adjusted_clock(m{.alpha_us = 10, .beta_us_per_word = 0.1}, settings,
                        {{"alpha_us", &m::alpha_us},
                         {"beta_us_per_word", &m::beta_us_per_word},
                         {"operation_us", &m::operation_us},
                         {"idle_us", &m::idle_us}});
}

chosen_clock make_max_rate_clock(offered_settings& settings) {
  double alpha_us = 10;
  double processors_a_node = 16;
  double node_words_per_us = 100;
  double processor_words_per_us = 25;
  settings.offer("alpha_us", alpha_us);
  settings.offer("processors_a_node", processors_a_node);
  settings.offer("node_words_per_us", node_words_per_us);
  settings.offer("processor_words_per_us", processor_words_per_us);
  if (!(processors_a_node >= 1 && processors_a_node <= 1e6) ||
      processors_a_node != std::floor(processors_a_node))
    throw invalid_argument(fmt::format(
        "the clock model max-rate-clock with processors_a_node = {}: give a whole number from 1 to "
        "1,000,000",
        processors_a_node));
  auto model = max_rate_clock(alpha_us, static_cast<int>(processors_a_node), node_words_per_us,
                              processor_words_per_us);
  settings.offer("operation_us", model.operation_us);
  settings.offer("idle_us", model.idle_us);
  settings.check_by([model] { model.check(); });
  return chosen_clock(std::move(model));
}

using make_with_settings = chosen_model (*)(offered_settings& settings);

using make_clock_with_settings = chosen_clock (*)(offered_settings& settings);

template <auto Make>
std::vector<model_parameter> parameters_of() {
  model_settings const none;
  offered_settings settings(none);
  static_cast<void>(Make(settings));
  return settings.offered();
}

/// Refuses settings that a model does not have, and those that are not finite.
void check_settings(std::string_view model, model_settings const& given,
                    std::vector<model_parameter> const& offered) {
  auto const names = offered | std::views::transform(&model_parameter::name);
  for (auto const& [name, value] : given) {
    if (std::ranges::find(names, name) == names.end())
      throw invalid_argument(fmt::format(
          "the cost model {} with a parameter {}: {}", model, name,
          names.empty() ? "it has none" : fmt::format("it has {}", fmt::join(names, ", "))));
    if (!std::isfinite(value))
      throw invalid_argument(fmt::format("the cost model {} with {} = {}: give it a finite number",
                                         model, name, value));
  }
}

template <auto Make>
auto made_with(model_settings const& given) {
  offered_settings settings(given);
  auto model = Make(settings);
  check_settings(model.name(), given, settings.offered());
  settings.check();
  return model;
}

template <make_with_settings Make>
constexpr registered_model row(std::string_view name, std::string_view summary,
                               std::string_view unit) {
  return {name, summary, unit, parameters_of<Make>, made_with<Make>};
}

constexpr std::array<registered_model, 12> all_models{
    row<make_paragon>("paragon", "Intel Paragon, in us (Suh and Shin 2001, section 5)", "us"),
    row<make_paragon_slow_startup>("paragon-slow-startup",
                                   "the same, 220 us a start-up (Figures 15, 16)", "us"),
    row<make_tau_sigma>(
        "tau-sigma",
        "latency and time per word, in us (Bader, Helman and JaJa 1996); generic values", "us"),
    row<make_bdm>("bdm", "Block Distributed Memory, in words (JaJa and Ryu 1994); generic values",
                  "words"),
    row<make_two_level>(
        "two-level",
        "start-up, transfer, local work, in us (Shankar and Ranka 1996); generic values", "us"),
    row<make_unit_steps>("unit-steps", "a step is a unit of time (Mayr and Plaxton 1989)", "steps"),
    row<make_loggp>("loggp", "LogGP, in us (Alexandrov and others 1995); generic values", "us"),
    row<make_bsp>("bsp", "BSP, in flops (Valiant 1990); eight PCs on 100 Mbit Ethernet", "flops"),
    row<make_sp2>(
        "sp2",
        "IBM SP-2, in us, fitted to the sorts of Table III of Bader, Helman and JaJa 1996: "
        "29 % off at most",
        "us"),
    row<make_cm5>("cm5", "TMC CM-5, likewise: 8 % off at most", "us"),
    row<make_cs2>("cs2", "Meiko CS-2, likewise: 11 % off at most", "us"),
    row<make_t3d>("t3d",
                  "Cray T3D, in us, fitted to the single-phase routing of Table II there: "
                  "27 % off at most",
                  "us"),
};

template <make_clock_with_settings Make>
constexpr registered_clock clock_row(std::string_view name, std::string_view summary) {
  return {name, summary, parameters_of<Make>, made_with<Make>};
}

constexpr std::array<registered_clock, 3> all_clocks{
    clock_row<make_loggp_clock>("loggp-clock",
                                "LogGP with a clock for each processor, in us; generic values"),
    clock_row<make_hockney_clock>("hockney-clock",
                                  "the same by Hockney's alpha + beta w, in us; generic values"),
    clock_row<make_max_rate_clock>(
        "max-rate-clock",
        "the same where the processors of a node share its rate, in us (Gropp, Olson and Samfass "
        "2016); generic values"),
};

/// Makes the model of that name; `kind`: "clock" or "cost", as the call's name says.
/// Errors: invalid_argument if none has that name.
template <class Registered>
[[nodiscard]] auto made_by_name(std::span<Registered const> all, std::string_view kind,
                                std::string_view name, model_settings const& settings) {
  std::vector<std::string_view> names;
  for (auto const& one : all) {
    if (one.name == name) return one.make(settings);
    names.push_back(one.name);
  }
  throw invalid_argument(
      fmt::format("make_{}_model(\"{}\"): no {} model has that name; there are {}", kind, name,
                  kind, fmt::join(names, ", ")));
}

}  // namespace

std::span<registered_clock const> registered_clocks() { return all_clocks; }

chosen_clock make_clock_model(std::string_view name, model_settings const& settings) {
  return made_by_name(registered_clocks(), "clock", name, settings);
}

std::span<registered_model const> registered_models() { return all_models; }

chosen_model make_cost_model(std::string_view name, model_settings const& settings) {
  return made_by_name(registered_models(), "cost", name, settings);
}

}  // namespace lockstep
