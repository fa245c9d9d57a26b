# lockstep_release_date(CHANGE_LOG VERSION RESULT)
#
# The day on which that version was released, as its heading in the change log says:
# "## [1.2.0] - 2027-01-31" gives 2027-01-31. "unreleased" where no heading says more. Nothing else
# dates a build, so that it is the same on every day.
function(lockstep_release_date change_log version result)
  string(REPLACE "." "\\." pattern "${version}")
  file(STRINGS ${change_log} heading REGEX "^## \\[${pattern}\\] - " LIMIT_COUNT 1)
  if(heading MATCHES "- ([0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9])$")
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
  else()
    set(${result} unreleased PARENT_SCOPE)
  endif()
endfunction()
