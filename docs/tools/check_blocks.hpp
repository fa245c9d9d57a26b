#pragma once

#include <filesystem>

namespace lockstep::docs {

/// Where a page's blocks are run, and with what.
struct block_check {
  std::filesystem::path page;
  std::filesystem::path blocks;   ///< the executable of all pages' C++
  std::filesystem::path build;    ///< the build folder: what the pages call build/release
  std::filesystem::path source;   ///< of the project
  std::filesystem::path scratch;  ///< emptied; commands and programs run there
  bool run_commands = true;       ///< false: something else runs the page's blocks of `sh`
};

/// Runs what a page shows, and compares what it prints with what the page says that it prints.
///
/// cpp is compiled and run; sh is run, by a shell that stops at the first line that fails; text
/// (csv, dot) is what the block before it prints, or what its note says; json is part of that.
/// cmake is written to a file, for what sh does next; or it stands in the file that its note names,
/// which others run, as may all that cannot be run here.
/// These notes can stand before a block:
///
///   cpp, cmake    file: NAME       it is written to that file, whose name stands in its messages
///   cpp           statements       the inside of a function
///                 after: CODE      the same, and what comes before it in that function
///                 global           outside of the page's namespace
///                 fails            test cases that fail, or a program that returns 1
///   sh            status: NUMBER   what its last line ends with
///   text, json    prints: COMMAND  run for its output
///                 excerpt          the output has lines before and after these
///   any           as in: FILE      its lines stand there, in the project's folder
///
/// Errors: page_error for the first block that is not as it says, or that nothing checks.
void check_blocks(block_check const& asked);

}  // namespace lockstep::docs
