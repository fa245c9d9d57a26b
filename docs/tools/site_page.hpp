#pragma once

#include <filesystem>

namespace lockstep::docs {

/// Writes into a folder what Doxygen makes the site's pages from: README.md and docs/ of the project,
/// the generated pages of algorithms, and every file of the project that they link to.
/// Links that lead where a page on GitHub would are made to lead to the same on the site, headings
/// get labels that do not depend on other pages, and the notes for tests are left out. Pages that
/// docs/index.md and docs/algorithms.md lead to stand below these in the sidebar.
/// Errors: std::runtime_error for files that cannot be read or written, and for a link that leads
/// nowhere.
void write_site_pages(std::filesystem::path const& source, std::filesystem::path const& algorithms,
                      std::filesystem::path const& folder);

}  // namespace lockstep::docs
