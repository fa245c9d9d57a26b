#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  /// not finite.
  chosen_model (*make)(model_settings const& settings);
};

/// Lists the cost models that can be chosen by name, as `lockstep list` shows them.
[[nodiscard]] std::span<registered_model const> registered_models();

/// Makes the cost model of that name: `make_cost_model("bdm", {{"tau_words", 64}})`.
/// Errors: invalid_argument for a name that no model has; those of `registered_model::make`.
[[nodiscard]] chosen_model make_cost_model(std::string_view name,
                                           model_settings const& settings = {});

}  // namespace lockstep
