#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/counts.hpp>

namespace lockstep::cli {

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

class model_settings;

/// A cost model as `lockstep list` and `--model` know it.
struct model_entry {
  std::string_view name;
  std::string_view summary;
  chosen_model (*make)(model_settings& settings);
};

[[nodiscard]] std::span<model_entry const> models();

/// Reads "paragon", or "bdm:tau_words=64", or "loggp:latency_us=5,overhead_us=1": a name, and
/// values for the parameters that differ from the defaults.
/// Errors: usage_error for an unknown name or parameter, or a value that is not a number >= 0.
[[nodiscard]] chosen_model find_model(std::string_view spec);

/// The parameters of a model: tau_us, sigma_us_per_word.
[[nodiscard]] std::vector<std::string> parameter_names_of(model_entry const& entry);

/// The parameters of a model with their defaults: "tau_us=100, sigma_us_per_word=0.1".
[[nodiscard]] std::string parameters_of(model_entry const& entry);

}  // namespace lockstep::cli
