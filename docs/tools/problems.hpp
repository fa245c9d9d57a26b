#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lockstep/experiments/experiment.hpp>

namespace lockstep::docs {

/// A problem, with the algorithms of the registry that solve it.
struct problem {
  std::string_view page;     ///< the name of its page: "exchange" for docs/problems/exchange.md
  std::string_view title;    ///< "Complete exchange"
  std::string_view summary;  ///< one sentence, without a full stop
  std::vector<experiment const*> algorithms;
};

/// Sorts the algorithms of the registry by problem: by their name where it is listed, else by the
/// folder of their header.
/// Errors: std::runtime_error for an algorithm whose problem is unknown, and for a problem that no
/// algorithm solves.
[[nodiscard]] std::vector<problem> problems();

/// Finds the pages in docs/errata of the paper that a source names; empty where the paper has no
/// such page.
[[nodiscard]] std::string errata_page(std::string_view source);

}  // namespace lockstep::docs
