#pragma once

#include <filesystem>
#include <string>

#include <lockstep/experiments/registry.hpp>

namespace lockstep::docs {

/// Markdown about an algorithm, in these sections: what, How it works, Step by step, In C++, Try it,
/// Cost, Measured, Errata, Options, Source. It is run on each of its examples; what stands on the page comes from there.
/// Errors: std::runtime_error if a run is not right, or if a claim unexpectedly does not hold.
[[nodiscard]] std::string page_of(experiment const& which);

/// Draws the messages of an algorithm's teaching example, in SVG.
/// Errors: std::runtime_error if its result is wrong.
[[nodiscard]] std::string picture_of(experiment const& which);

/// Makes a folder with algorithms/NAME.md and NAME.svg for each algorithm of the registry, and
/// algorithms.md, which lists them.
void write_algorithm_pages(std::filesystem::path const& folder);

}  // namespace lockstep::docs
