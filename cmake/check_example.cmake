# Runs an example and checks that it succeeds and prints, in this order, what the comments
# `// prints: ...` of its source say. In: executable, source.
cmake_minimum_required(VERSION 3.25)
execute_process(
  COMMAND ${executable}
  OUTPUT_VARIABLE output
  RESULT_VARIABLE status)
message("${output}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${executable} exits with ${status}")
endif()

file(STRINGS ${source} expected REGEX "// prints: ")
if(NOT expected)
  message(FATAL_ERROR "${source} does not say what it prints")
endif()
set(rest "${output}")
foreach(line IN LISTS expected)
  string(REGEX REPLACE ".*// prints: " "" line "${line}")
  string(FIND "${rest}" "${line}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "does not print, or not at this place: ${line}")
  endif()
  string(LENGTH "${line}" length)
  math(EXPR place "${place} + ${length}")
  string(SUBSTRING "${rest}" ${place} -1 rest)
endforeach()
