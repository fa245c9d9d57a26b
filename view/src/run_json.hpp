#pragma once

#include <cstddef>
#include <string>

#include <lockstep/traces/view_trace.hpp>

#include "run_recording.hpp"

namespace lockstep::detail {

/// How much a page has of a run at most.
struct page_limits {
  std::size_t characters = view_trace::most_characters;
  std::size_t route_characters = characters / 4 * 3;
};

/// Says how much a page of one run or two has of each: browsers read the data of all at once.
[[nodiscard]] constexpr page_limits limits_of_each(std::size_t runs) {
  return {.characters = view_trace::most_characters / runs};
}

/// A run as the viewer reads it, a JSON object: viewer/README.md has its members.
struct written_run {
  std::string json;
  std::string left_out;  ///< the end of a sentence that begins with the page's name, or empty
};

/// Writes a run. What does not fit gives way in this order: what processors showed, from the last
/// step on, and their calls.
[[nodiscard]] written_run run_json(run_recording const& of, view_notes const& notes,
                                   page_limits const& limits = {});

/// Errors: invalid_argument for notes with a member that the run itself has, that is not JSON, or
/// not of the kind that a page reads there.
void check_members(view_notes const& notes);

}  // namespace lockstep::detail
