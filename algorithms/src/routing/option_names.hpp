#pragma once

#include <array>

#include <lockstep/algorithms/routing/h_relation_direct.hpp>
#include <lockstep/algorithms/routing/h_relation_inputs.hpp>
#include <lockstep/detail/enumerator_names.hpp>

/// Names of the options of routes, and of their inputs.
namespace lockstep::detail {

inline constexpr std::array h_pattern_names{enumerator_name{h_pattern::family, "family"},
                                            enumerator_name{h_pattern::ramp, "ramp"},
                                            enumerator_name{h_pattern::g_group, "g-group"},
                                            enumerator_name{h_pattern::tight, "tight"},
                                            enumerator_name{h_pattern::lcg, "lcg"},
                                            enumerator_name{h_pattern::skew, "skew"},
                                            enumerator_name{h_pattern::all_to_one, "all-to-one"},
                                            enumerator_name{h_pattern::permutation, "permutation"},
                                            enumerator_name{h_pattern::general, "general"},
                                            enumerator_name{h_pattern::orth, "orth"}};

inline constexpr std::array round_order_names{enumerator_name{round_order::pex, "pex"},
                                              enumerator_name{round_order::lp, "lp"}};

inline constexpr std::array round_timing_names{
    enumerator_name{round_timing::stepwise, "stepwise"},
    enumerator_name{round_timing::pipelined, "pipelined"}};

}  // namespace lockstep::detail
