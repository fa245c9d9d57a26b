#include "analysis/price_checks.hpp"

#include <cmath>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

void check_prices(std::string_view model, std::initializer_list<price> prices) {
  for (auto const& [name, value] : prices)
    if (!std::isfinite(value) || value < 0)
      throw invalid_argument(fmt::format(
          "the model {} with {} = {}: give it a finite number of 0 or more", model, name, value));
}

void check_finite(std::string_view model, price const& one) {
  if (!std::isfinite(one.value))
    throw invalid_argument(fmt::format("the model {} with {} = {}: give it a finite number", model,
                                       one.name, one.value));
}

}  // namespace lockstep::detail
