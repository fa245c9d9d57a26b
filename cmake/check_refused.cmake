# Checks what a compiler says of a source that must not compile: that it refuses it, with an error that says MESSAGE,
# in at most 3 errors and notes, and at most 10 lines with the lines of source that it shows.
#
#   cmake -D MESSAGE=... -P check_refused.cmake -- COMPILER ARGUMENT...

set(command)
set(is_command FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(is_command)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(is_command TRUE)
  endif()
endforeach()

execute_process(
  COMMAND ${command}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE said
  ERROR_VARIABLE said)
string(REGEX REPLACE "[;[]|\\]" "." said "${said}")
string(REGEX MATCHALL "[^\n]+" lines "${said}")
set(diagnostics ${lines})
list(FILTER diagnostics INCLUDE REGEX "(error|warning|note): ")
list(LENGTH lines line_count)
list(LENGTH diagnostics diagnostic_count)
string(FIND "${said}" "${MESSAGE}" place)
if(status EQUAL 0)
  message(FATAL_ERROR "it compiles")
elseif(place EQUAL -1)
  message(FATAL_ERROR "the compiler does not say \"${MESSAGE}\":\n${said}")
elseif(diagnostic_count GREATER 3 OR line_count GREATER 10)
  message(FATAL_ERROR "${diagnostic_count} errors and notes in ${line_count} lines:\n${said}")
endif()
message(STATUS "${diagnostic_count} errors and notes in ${line_count} lines")
