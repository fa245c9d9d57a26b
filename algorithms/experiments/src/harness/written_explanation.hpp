#pragma once

#include <string_view>

namespace lockstep {

/// An explanation, as it stands in explanations/NAME.md.
struct written_explanation {
  std::string_view name;
  std::string_view call;
  std::string_view header;
  std::string_view teaching;  ///< "tree:3 --k 4"
  std::string_view reasons;   ///< lines: why: TEXT, or why "PHASE": TEXT
  std::string_view text;      ///< in lines
  /// Sections on runs that go another way: a line "for network tree and --scheme ring,bucket" or "for
  /// --fused", lines of reasons, and after an empty line the text.
  std::string_view variants;
};

}  // namespace lockstep
