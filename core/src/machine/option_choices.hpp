#pragma once

#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/options.hpp>

namespace lockstep::detail {

/// Checks that every choice is one of its enumerators. Errors: invalid_argument otherwise.
inline void check_choices(machine_options const& options) {
  check_enumerator("machine_options::ports", options.ports,
                   {"ports::one", "ports::all", "ports::per_pass"});
  if (options.switching.has_value())
    check_enumerator("machine_options::switching", *options.switching,
                     {"switching::neighbour", "switching::cut_through"});
  check_enumerator("machine_options::engine", options.engine,
                   {"engine::fibers", "engine::threads"});
  check_enumerator("machine_options::stacks", options.stacks, {"stacks::own", "stacks::copied"});
  check_enumerator("machine_options::count", options.count, {"words::elements", "words::bytes"});
}

}  // namespace lockstep::detail
