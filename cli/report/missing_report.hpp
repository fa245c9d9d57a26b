#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <lockstep/experiments/papers.hpp>

namespace lockstep::cli {

/// Lists, for people, what a paper states and is not run: where, what and why; then how many there are,
/// by reason.
[[nodiscard]] std::string missing_as_text(paper_entry const& of);

/// Lists them for programs: {"paper", "source", "missing": [{"place", "statement", "kind", "why"}],
/// "kinds": {"local work": 2}}.
[[nodiscard]] nlohmann::ordered_json missing_as_json(paper_entry const& of);

}  // namespace lockstep::cli
