#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

/// Lets programs be looked for in that folder alone, until the end of the scope.
class search_path {
 public:
  explicit search_path(std::filesystem::path const& folder) { ::setenv("PATH", folder.c_str(), 1); }
  search_path(search_path const&) = delete;
  search_path& operator=(search_path const&) = delete;
  ~search_path() { ::setenv("PATH", m_before.c_str(), 1); }

 private:
  std::string m_before = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
};

/// Makes a program of that name there, a script for the shell.
inline void write_program(std::filesystem::path const& path, std::string const& script) {
  std::ofstream(path) << "#!/bin/sh\n" << script << '\n';
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}
