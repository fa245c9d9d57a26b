#pragma once

#include <lockstep/experiments/parameter.hpp>

#include "choices.hpp"
#include "random_access/option_names.hpp"

namespace lockstep {

/// The price by which `auto` chooses.
inline constexpr integer_parameter startup_price{
    "tau", "price of a start-up in words, by which auto chooses", 1000, 0, 1'000'000'000'000};

/// The ways of elements, by name.
inline constexpr auto routes_by_name = choices_of(detail::transportation_route_names);

}  // namespace lockstep
