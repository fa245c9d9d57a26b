# Checks what cmake/release_date.cmake reads in change logs. In: source (the project's folder), folder
# (to write in).
cmake_minimum_required(VERSION 3.25)
include(${source}/cmake/release_date.cmake)

# reads(VERSION DATE)
function(reads version date)
  lockstep_release_date(${folder}/CHANGELOG.md ${version} found)
  if(NOT found STREQUAL date)
    message(SEND_ERROR "${version} was released on '${date}', and '${found}' is read")
  endif()
endfunction()

file(
  WRITE ${folder}/CHANGELOG.md
  "# Changelog\n\n## [Unreleased]\n\n## [1.10.0] - unreleased\n\n- More.\n\n"
  "## [1.1.0] - 2027-01-31\n\n- As [1.0.0] - 2026-12-01 has it.\n\n## [1.0.0] - 2026-12-01\n\n"
  "## [0x1.0] - 2026-11-01\n")
reads(1.10.0 unreleased)
reads(1.1.0 2027-01-31)
reads(1.0.0 2026-12-01)
reads(0.1.0 unreleased)
reads(2.0.0 unreleased)
