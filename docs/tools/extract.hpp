#pragma once

#include <string>

#include "markdown.hpp"

namespace lockstep::docs {

/// How a block of C++ is compiled and what can be run of it.
enum class cpp_kind {
  program,     ///< has a `main`, which is called
  test_cases,  ///< has test cases of Catch2, which are run
  statements,  ///< the inside of a function, which is called
  definitions  ///< what other blocks of the page use; compiled only
};

[[nodiscard]] cpp_kind kind_of(block const& of);

/// The name by which the executable of all pages knows a block: "traces:12".
[[nodiscard]] std::string name_of(page const& on, block const& which);

/// One file of C++ with all blocks of C++ of a page, in a namespace of the page's. A block that
/// includes something is a file by itself, in a namespace of its own; the others see what the page
/// has said before. In messages a block's lines are those of the file that its note `file` names,
/// counted from 1, else those of the page.
[[nodiscard]] std::string extracted(page const& from);

}  // namespace lockstep::docs
