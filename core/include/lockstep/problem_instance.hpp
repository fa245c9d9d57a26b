#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <lockstep/topology.hpp>

namespace lockstep {

/// The network and the sizes that a paper's formulas depend on. Sizes have the names that the
/// formulas have for them.
///
///   problem_instance const at{std::make_shared<torus>(torus{{12, 12}}), {{"m", 4}}};
///   at["m"] * at.p();   // 576
struct problem_instance {
  using numbers = std::map<std::string, double, std::less<>>;

  std::shared_ptr<lockstep::topology const> network{};
  numbers parameters{};

  /// The number of that name; "p", if it is not given, is the number of processors.
  /// Errors: invalid_argument, with the names that there are.
  [[nodiscard]] double operator[](std::string_view name) const;
  /// The same, where it is to be a whole number, such as of words.
  /// Errors: the same; invalid_argument for a number that is not whole, or negative.
  [[nodiscard]] std::uint64_t whole(std::string_view name) const;
  /// Number of processors.
  /// Errors: invalid_argument without a network, or a "p".
  [[nodiscard]] double p() const { return (*this)["p"]; }
  /// Errors: invalid_argument without one.
  [[nodiscard]] lockstep::topology const& topology() const;
  /// As it was made; for what only that network has, such as `at.as<torus>().sizes()`.
  /// Errors: invalid_argument for another network.
  template <std::derived_from<lockstep::topology> Network>
  [[nodiscard]] Network const& as() const {
    if (auto const* const found = dynamic_cast<Network const*>(&topology())) return *found;
    throw_other_network();
  }

 private:
  [[noreturn]] void throw_other_network() const;
};
using setting = problem_instance;  ///< its former name

/// "torus:12x12, m 4": the network, and the numbers.
[[nodiscard]] std::string to_string(problem_instance const& of);

}  // namespace lockstep
