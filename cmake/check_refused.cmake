# Checks what a compiler says of a source whose calls must not compile: for each of its lines `// refused: TEXT` one
# error, for the statement below it, that says TEXT; at most 3 errors and notes for each, and at most 10 lines with the
# lines of source that it shows, but without those that list where a file was included.
#
#   cmake -D SOURCE=FILE -P check_refused.cmake -- COMPILER ARGUMENT...

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

# Lines without what CMake takes for the parts of a list.
function(lines_of text result)
  string(REGEX REPLACE "[;[]|\\]" "." text "${text}")
  string(REGEX MATCHALL "[^\n]+" lines "${text}")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

execute_process(
  COMMAND ${command} ${SOURCE}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE said
  ERROR_VARIABLE said)
if(status EQUAL 0)
  message(FATAL_ERROR "it compiles")
endif()
lines_of("${said}" lines)
list(FILTER lines EXCLUDE REGEX "^(In file included from| +from) ")
set(errors ${lines})
list(FILTER errors INCLUDE REGEX "error: ")
set(diagnostics ${lines})
list(FILTER diagnostics INCLUDE REGEX "(error|warning|note): ")
list(LENGTH lines line_count)
list(LENGTH errors error_count)
list(LENGTH diagnostics diagnostic_count)

file(READ ${SOURCE} written)
lines_of("${written}" texts)
list(FILTER texts INCLUDE REGEX "^ *// refused: ")
list(LENGTH texts calls)
foreach(text IN LISTS texts)
  string(REGEX REPLACE "^ *// refused: " "" text "${text}")
  set(here ${lines})
  list(FILTER here INCLUDE REGEX "error: |LOCKSTEP_REFUSED")
  string(FIND "${here}" "${text}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "the compiler does not say \"${text}\":\n${said}")
  endif()
endforeach()
math(EXPR most_diagnostics "3 * ${calls}")
math(EXPR most_lines "10 * ${calls}")
if(NOT error_count EQUAL calls)
  message(FATAL_ERROR "${error_count} errors for ${calls} calls:\n${said}")
elseif(diagnostic_count GREATER most_diagnostics OR line_count GREATER most_lines)
  message(FATAL_ERROR "${diagnostic_count} errors and notes in ${line_count} lines for ${calls} calls:\n${said}")
endif()
message(STATUS "${calls} calls: ${diagnostic_count} errors and notes in ${line_count} lines")
