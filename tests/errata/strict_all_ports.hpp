#pragma once

#include <lockstep/options.hpp>

/// The machine of Mayr and Plaxton's section 4.
inline constexpr lockstep::machine_options strict_all_ports{.ports = lockstep::ports::all,
                                                            .strict = true};
