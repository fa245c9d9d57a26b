#pragma once

#include <initializer_list>
#include <string_view>

namespace lockstep::detail {

/// A parameter of a model, by its name.
struct price {
  std::string_view name;
  double value;
};

/// Checks that the prices of a model are finite numbers of 0 or more.
/// Errors: invalid_argument, with the model and the parameter.
void check_prices(std::string_view model, std::initializer_list<price> prices);

/// Checks that a parameter that may be below 0 is finite.
/// Errors: invalid_argument, with the model and the parameter.
void check_finite(std::string_view model, price const& one);

}  // namespace lockstep::detail
