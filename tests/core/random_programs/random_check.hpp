#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/machines.hpp"
#include "random_program.hpp"
#include "reference_model.hpp"

namespace reference {

/// What an engine and the model do not agree about.
struct difference {
  std::string about;  ///< such as "steps", or the errors' kinds: the way in which they differ
  std::string text;   ///< with all figures
};

/// What the engine makes of the program.
[[nodiscard]] outcome run_on(experiment const& of, engine_choice const& choice);

/// What differs first between a run and what it ought to give.
[[nodiscard]] std::optional<difference> first_difference(outcome const& observed,
                                                         outcome const& expected);

/// What a program is looked at for while it is made smaller: nothing where it does not fail.
using examination = std::function<std::optional<difference>(experiment const&)>;

/// A smallest program that still fails in the same way: none of its calls, processors, options, or
/// elements can be left out. `most`: how many smaller ones are tried at most.
/// Preconditions: `examine(of)` gives a difference.
[[nodiscard]] experiment shrink(experiment const& of, examination const& examine,
                                std::size_t most = 20'000);

/// A program that failed, as it is reported: what differs, where, and the smallest program.
[[nodiscard]] std::string report(std::uint64_t seed, experiment const& of,
                                 engine_choice const& choice);

}  // namespace reference
