#pragma once

#include <array>

#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/experiments/parameter.hpp>

namespace lockstep {

/// The price by which `auto` chooses.
inline constexpr integer_parameter startup_price{
    "tau", "price of a start-up in words, by which auto chooses", 1000, 0, 1'000'000'000'000};

/// The ways of elements, by name.
inline constexpr std::array routes_by_name{
    named_choice{"transportation", transportation_route::two_stages},
    named_choice{"direct", transportation_route::direct}};

}  // namespace lockstep
