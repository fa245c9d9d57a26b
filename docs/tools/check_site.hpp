#pragma once

#include <filesystem>

namespace lockstep::docs {

/// Checks the site: no page, script or picture is larger than 700 kB, and each algorithm's page has its
/// explanation and its picture. Errors: std::runtime_error, which names each file and what it lacks.
void check_site(std::filesystem::path const& html);

}  // namespace lockstep::docs
