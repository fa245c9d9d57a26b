#pragma once

#include <filesystem>
#include <iosfwd>
#include <vector>

namespace lockstep::docs {

/// Follows every link of the pages (*.md, *.html; folders with all in them): a relative one has to
/// lead to a file, and where it names an anchor, to one that is there. Says which do not, and how many
/// lead elsewhere, which are not followed.
/// Result: how many are broken.
int check_links(std::vector<std::filesystem::path> const& pages, std::ostream& out);

}  // namespace lockstep::docs
