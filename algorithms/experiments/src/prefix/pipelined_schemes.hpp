#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/algorithms/prefix/prefix_schedule.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/experiments/experiment.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// A scheme under its name; none for "auto".
[[nodiscard]] constexpr named_choice<std::optional<pipelined_scheme>> named_scheme(
    char const* name, std::optional<pipelined_scheme> of = {}) {
  return {name, of};
}

inline constexpr choice_parameter scheme_of_pipeline{
    "scheme",
    "auto (fewest steps); lagged (tree); trimmed (tree:3); inorder, spanning-tree, halving, fft "
    "(hypercube); relay, "
    "combined, halving (shuffle-exchange)",
    std::array{named_scheme("auto"), named_scheme("lagged", pipelined_scheme::lagged),
               named_scheme("inorder", pipelined_scheme::inorder),
               named_scheme("spanning-tree", pipelined_scheme::spanning_tree),
               named_scheme("halving", pipelined_scheme::halving),
               named_scheme("fft", pipelined_scheme::fft),
               named_scheme("relay", pipelined_scheme::relay),
               named_scheme("combined", pipelined_scheme::combined),
               named_scheme("trimmed", pipelined_scheme::trimmed)}};

/// "halving 16, spanning-tree 38, inorder 47 steps".
[[nodiscard]] inline std::string compared(std::vector<timed_scheme> const& fastest_first) {
  std::vector<std::string> texts;
  texts.reserve(fastest_first.size());
  for (auto const& [scheme, steps] : fastest_first)
    texts.push_back(fmt::format("{} {}", name_of(scheme), steps));
  return fmt::format("{} steps", fmt::join(texts, ", "));
}

/// Makes the schedule of the scheme that is asked for, else of that of fewest steps.
/// Errors: invalid_argument for a scheme that the network does not have with these ports.
[[nodiscard]] inline prefix_schedule schedule_of(arguments const& given,
                                                 std::optional<pipelined_scheme> asked,
                                                 std::size_t k) {
  auto const with = given.request().options.ports;
  auto const& network = given.network();
  return {network, asked ? *asked : fastest_schemes(network, k, with).front().scheme, with};
}

/// Takes back that no program keeps a bound which this one exceeds: an operator such as first drops values,
/// so that a program for it alone need not send them all.
[[nodiscard]] inline std::vector<claim> for_any_operator(std::vector<claim> claims) {
  for (auto& each : claims) {
    if (each.erratum.empty()) continue;
    each.evidence.clear();
    each.erratum = "the program sends what any operator needs, and this one drops values";
  }
  return claims;
}

/// Adds which scheme ran, and what the others would have taken.
inline void add_schemes_to(experiment_result& result, arguments const& given,
                           prefix_schedule const& schedule, std::size_t k) {
  result.figures["scheme"] = std::string(name_of(schedule.scheme()));
  result.figures["schemes"] =
      compared(fastest_schemes(given.network(), k, given.request().options.ports));
}

}  // namespace lockstep
