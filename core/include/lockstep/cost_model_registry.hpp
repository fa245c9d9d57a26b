#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/clock_models.hpp>
#include <lockstep/cost_model.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// A cost model that was chosen at run time.
class chosen_model {
 public:
  using price = std::function<double(counts const&, int processors)>;

  chosen_model(std::string name, std::string unit, price of)
      : m_name(std::move(name)), m_unit(std::move(unit)), m_price(std::move(of)) {}

  [[nodiscard]] std::string_view name() const noexcept { return m_name; }
  [[nodiscard]] std::string_view unit() const noexcept { return m_unit; }
  [[nodiscard]] double time(counts const& of, int processors) const {
    return m_price(of, processors);
  }

 private:
  std::string m_name;
  std::string m_unit;
  price m_price;
};
static_assert(cost_model<chosen_model>);

/// A parameter of a cost model, with the value that it has unless another is given.
struct model_parameter {
  std::string_view name;
  double value;

  friend bool operator==(model_parameter const&, model_parameter const&) = default;
};

/// Values for parameters of a cost model, by name.
using model_settings = std::map<std::string, double>;

/// A cost model of cost_models.hpp as it is chosen by its name.
struct registered_model {
  std::string_view name;
  std::string_view summary;
  std::string_view unit;  ///< of its times
  /// Lists its parameters, in the order in which the model has them.
  std::vector<model_parameter> (*parameters)();
  /// Makes the model with these values instead of its own.
  /// Errors: invalid_argument for a parameter that it does not have, and for a value that is
  /// not finite, or below 0 where its model refuses that.
  chosen_model (*make)(model_settings const& settings);
};

/// Lists the cost models that can be chosen by name, as `lockstep list` shows them.
[[nodiscard]] std::span<registered_model const> registered_models();

/// Makes the cost model of that name: `make_cost_model("bdm", {{"tau_words", 64}})`.
/// Errors: invalid_argument for a name that no model has; those of `registered_model::make`.
[[nodiscard]] chosen_model make_cost_model(std::string_view name,
                                           model_settings const& settings = {});

/// A clock model that was chosen at run time.
class chosen_clock {
 public:
  template <clock_model Model>
  explicit chosen_clock(Model model)
      : m_name(model.name()),
        m_unit(model.unit()),
        m_times([model](std::uint64_t words) { return model.times(words); }),
        m_check([model] {
          if constexpr (requires { model.check(); }) model.check();
        }),
        m_operation(model.operation()),
        m_idle_step(model.idle_step()),
        m_pays_empty(model.pays_empty()),
        m_shares_links(model.shares_links()),
        m_has_in_ports(model.has_in_ports()) {}

  /// Checks the parameters that it was made with.
  /// Errors: invalid_argument, with the parameter, where the model refuses one.
  void check() const { m_check(); }
  /// Lets messages that share a link take turns, or not.
  void share_links(bool share) { m_shares_links = share; }
  /// Lets messages to one processor take turns at its in-port, or not.
  void take_in_ports(bool take) { m_has_in_ports = take; }
  void rename(std::string name) { m_name = std::move(name); }

  [[nodiscard]] std::string_view name() const noexcept { return m_name; }
  [[nodiscard]] std::string_view unit() const noexcept { return m_unit; }
  [[nodiscard]] message_times times(std::uint64_t words) const { return m_times(words); }
  [[nodiscard]] double operation() const noexcept { return m_operation; }
  [[nodiscard]] double idle_step() const noexcept { return m_idle_step; }
  [[nodiscard]] bool pays_empty() const noexcept { return m_pays_empty; }
  [[nodiscard]] bool shares_links() const noexcept { return m_shares_links; }
  [[nodiscard]] bool has_in_ports() const noexcept { return m_has_in_ports; }

 private:
  std::string m_name;
  std::string m_unit;
  std::function<message_times(std::uint64_t)> m_times;
  std::function<void()> m_check;
  double m_operation;
  double m_idle_step;
  bool m_pays_empty;
  bool m_shares_links;
  bool m_has_in_ports;
};
static_assert(clock_model<chosen_clock>);

/// A clock model of clock_models.hpp as it is chosen by its name.
struct registered_clock {
  std::string_view name;
  std::string_view summary;
  /// As those of registered_model.
  std::vector<model_parameter> (*parameters)();
  chosen_clock (*make)(model_settings const& settings);
};

/// Lists the clock models that can be chosen by name.
[[nodiscard]] std::span<registered_clock const> registered_clocks();

/// Makes the clock model of that name: `make_clock_model("loggp-clock", {{"latency_us", 5}})`.
/// Errors: invalid_argument for a name that no clock has; those of `registered_clock::make`.
[[nodiscard]] chosen_clock make_clock_model(std::string_view name,
                                            model_settings const& settings = {});

}  // namespace lockstep
