# Run after a test executable is built: writes into the file `list` a test of ctest for each of its
# test cases. In: name, executable, list, labels, except (tags), processors, catch2_version.
cmake_minimum_required(VERSION 3.25)
set(timeout 180) # seconds: what takes 60 on a quiet computer takes longer on a busy one

if(catch2_version VERSION_LESS 3)
  set(list_options --list-test-names-only)
else()
  set(list_options --list-tests --verbosity quiet)
endif()

# Sets `result` to the names of the test cases that match a test specification. Characters that a
# CMake list cannot hold stand as @LB@, @RB@, @SC@.
function(test_cases result)
  execute_process(
    COMMAND ${executable} ${ARGN} ${list_options}
    OUTPUT_VARIABLE output
    ERROR_VARIABLE error
    RESULT_VARIABLE status)
  # Catch2 v2 exits with the number of test cases, so only a crash is an error.
  if(NOT status MATCHES "^[0-9]+$" OR error)
    message(FATAL_ERROR "${executable} does not list its tests: ${status}\n${error}")
  endif()
  string(REPLACE ";" "@SC@" output "${output}")
  string(REPLACE "[" "@LB@" output "${output}")
  string(REPLACE "]" "@RB@" output "${output}")
  string(REPLACE "\n" ";" output "${output}")
  list(TRANSFORM output STRIP)
  list(FILTER output EXCLUDE REGEX "^$")
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

function(as_written result text)
  string(REPLACE "@SC@" ";" text "${text}")
  string(REPLACE "@LB@" "[" text "${text}")
  string(REPLACE "@RB@" "]" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(kept "")
foreach(tag IN LISTS except)
  string(APPEND kept "~[${tag}]")
endforeach()
if(kept)
  test_cases(all "${kept}")
else()
  test_cases(all)
endif()
test_cases(sanitize "[sanitize]${kept}")
test_cases(threads "[threads]${kept}")
if(NOT all)
  message(FATAL_ERROR "${executable} has no tests")
endif()

set(more_properties "")
if(processors)
  set(more_properties " PROCESSORS ${processors}")
endif()

set(script "")
foreach(case IN LISTS all)
  set(case_labels ${labels})
  foreach(tag IN ITEMS sanitize threads)
    if(case IN_LIST ${tag})
      list(APPEND case_labels ${tag})
    endif()
  endforeach()
  as_written(title "${case}")
  string(REGEX REPLACE "([],[\\])" "\\\\\\1" specification "${title}")
  string(APPEND script "add_test([==[${name}: ${title}]==] [==[${executable}]==]"
                       " [==[${specification}]==])\n"
                       "set_tests_properties([==[${name}: ${title}]==] PROPERTIES TIMEOUT ${timeout}"
                       " LABELS [==[${case_labels}]==]${more_properties})\n")
endforeach()
file(WRITE "${list}" "${script}")
