#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/parameter.hpp>

namespace lockstep {

/// The values of an experiment's parameters in a request: `given[k]`. A parameter that the request
/// lacks has its fallback.
/// Errors of all: invalid_argument for a value of another type, out of its range, or not among its
/// names.
class arguments {
 public:
  arguments(experiment_request const& asked)  // NOLINT(google-explicit-constructor)
      : m_request(asked) {}
  arguments(experiment_request const&&) = delete;  ///< which would be gone

  [[nodiscard]] experiment_request const& request() const { return m_request; }
  [[nodiscard]] topology const& network() const { return *m_request.network; }
  [[nodiscard]] int processors() const { return m_request.network->size(); }
  [[nodiscard]] std::uint64_t seed() const;
  /// Whether the request has a parameter, by name.
  [[nodiscard]] bool has(std::string_view name) const {
    return m_request.parameters.contains(std::string(name));
  }

  [[nodiscard]] std::uint64_t operator[](integer_parameter const& of) const;
  [[nodiscard]] double operator[](real_parameter const& of) const;
  [[nodiscard]] std::string operator[](text_parameter const& of) const;
  [[nodiscard]] bool operator[](flag_parameter const& of) const;
  template <class Value, std::size_t Size>
  [[nodiscard]] Value operator[](choice_parameter<Value, Size> const& of) const {
    std::vector<std::string_view> names;
    names.reserve(Size);
    for (auto const& each : of.choices) names.push_back(each.name);
    return of.choices.at(choice(of.name, names)).value;
  }

 private:
  [[nodiscard]] std::size_t choice(std::string_view name,
                                   std::vector<std::string_view> const& names) const;

  experiment_request const& m_request;
};

}  // namespace lockstep
